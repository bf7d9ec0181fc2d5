import { defineConfig } from 'vitest/config';

// Without what reads other files than these, and without the tables that try every call of every command in one test: they take half a minute for each mutant, and the other tests say the same sooner.
export default defineConfig({
  test: { include: ['test/**/*.test.ts'], exclude: ['test/faults.test.ts', 'test/malformed.test.ts', 'test/contract.test.ts', 'test/docs.test.ts', 'test/formats.test.ts', 'test/bad-files.test.ts'], testTimeout: 20_000 },
});
