import { defineConfig } from 'vitest/config';

// One process a file: the throttling plugin shares its queues across a process. Two beside each other, also on two cores.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], testTimeout: 20_000, maxWorkers: 2, server: { deps: { inline: [/@actions\//] } } } });
