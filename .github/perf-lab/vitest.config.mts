import { defineConfig } from 'vitest/config';

// One process a file: the throttling plugin shares its queues across a process.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], testTimeout: 20_000, server: { deps: { inline: [/@actions\//] } } } });
