import { it } from 'vitest';

/** `./perf-lab test --all`, which CI runs each night. */
export const isNightly = process.env['PERF_LAB_TEST_ALL'] === '1';

/** A walk of half a minute, whose kind is held by others: of it the ordinary run says that it was left out. Each kind of walk is taken once in it. */
export function itNightly(name: string, walk: () => Promise<void>, timeout: number): void {
  if (!isNightly) process.stdout.write(`${name}: left out, it takes half a minute (\`./perf-lab test --all\`)\n`);
  it.skipIf(!isNightly)(name, walk, timeout);
}
