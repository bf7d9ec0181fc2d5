import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    fileParallelism: false,    // two of them measure
    // GitHub's packages import JSON without the attribute that Node wants; inlined, vite reads it for them.
    server: { deps: { inline: [/@actions\//] } },
    onConsoleLog: line => !line.startsWith('Sourcemap for'),
  },
});
