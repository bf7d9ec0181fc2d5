import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundles, COMMANDS, FOLDER } from '../build/bundles.ts';

const made = bundles();
if (process.env['PERF_LAB_WRITE'] === '1') {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of Object.entries(made)) writeFileSync(join(FOLDER, name), text);
}

/** Where a file differs from another, in words: the files are too long for a failed test to show both. */
function difference(kept: string, made: string): string {
  const [a, b] = [kept.split('\n'), made.split('\n')], at = a.findIndex((line, index) => line !== b[index]);
  return kept === made ? 'none' : `line ${at + 1}: "${a[at]?.slice(0, 100)}" is "${b[at]?.slice(0, 100)}" when made anew; run \`npm run bundle\``;
}

describe('what jobs run', () => {
  it.each(Object.keys(made))('is_made_of_the_source_to_the_byte: %s', name => {
    expect(difference(readFileSync(join(FOLDER, name), 'utf8'), made[name]!)).toBe('none');
  });
  it('is_nothing_else', () => { expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(made).sort()); });
  it.each([...COMMANDS])('starts_one_command_alone: %s', name => {
    expect(made[`${name}.mjs`]!.match(/^main\w*\(import\.meta\.url/gm)).toHaveLength(1);
  });
  it.each([...COMMANDS])('asks_for_no_package_and_names_no_folder_of_who_made_it: %s', name => {
    const text = made[`${name}.mjs`]!;
    const asked = [...text.matchAll(/^import .*? from "([^"]+)"|\b__require\("([^"]+)"\)/gm)].map(([, module, required]) => (module ?? required)!.replace(/^node:/, ''));
    expect(asked.length).toBeGreaterThanOrEqual(3);
    expect([...new Set(asked)].filter(module => !['buffer', 'child_process', 'crypto', 'fs', 'module', 'os', 'path', 'process', 'timers/promises', 'url', 'zlib'].includes(module))).toEqual([]);
    expect(text).not.toMatch(/sourceMappingURL|\/(home|root|Users|work|tmp)\//);
  });
});
