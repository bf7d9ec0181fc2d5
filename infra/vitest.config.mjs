import { defineConfig } from 'vitest/config';

// A Pulumi program has one runtime a process: files run beside each other, never in one. By itself vitest runs one of them on two cores; they mostly wait.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], testTimeout: 20_000, maxWorkers: 2, pool: 'forks', globalSetup: ['test/runtime/runs-folder.ts'] } });
