import { defineConfig } from 'vitest/config';

// A Pulumi program has one runtime a process: files run beside each other, never in one.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], testTimeout: 20_000, pool: 'forks', globalSetup: ['test/runtime/runs-folder.ts'] } });
