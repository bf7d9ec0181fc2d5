import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { BY_HAND } from './by-hand.ts';
import { byHandRows } from './page.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const isAsked = process.env['PERF_LAB_MUTATE'] !== undefined || process.env['PERF_LAB_TEST_ALL'] === '1';
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

it('a change by hand is one that can be made, and the page tells it', () => {
  const page = read('.github/perf-lab/test/mutation/README.md');
  for (const change of BY_HAND) expect([change.from, read(change.file).split(change.from).length - 1]).toEqual([change.from, 1]);
  for (const row of byHandRows()) expect(page).toContain(row);
});

/** Parts of the repository in a folder of their own, with the same packages. */
function copied(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perf-lab-by-hand-')), without = (path: string): boolean => !/\/(node_modules|out|bin|obj)(\/|$)/.test(path.slice(root.length - 1));
  for (const part of ['.github', 'docs', 'schemas', 'tests/workflows', 'tests/fixtures', 'examples']) cpSync(join(root, part), join(folder, part), { recursive: true, filter: without });
  for (const packages of ['.github/perf-lab', 'tests/workflows']) symlinkSync(join(root, packages, 'node_modules'), join(folder, packages, 'node_modules'));
  return folder;
}

const folders: string[] = [];
afterAll(() => { for (const folder of folders) rmSync(folder, { recursive: true, force: true }); });

it.skipIf(!isAsked)(`each change by hand is caught by the test that is named${isAsked ? '' : ' (skipped: minutes; `npm run mutate`, or `./perf-lab test --all`)'}`, () => {
  const folder = copied();
  folders.push(folder);
  const ends = (test: string, name: string): number | null => {
    const home = test.startsWith('.github') ? '.github/perf-lab' : 'tests/workflows';
    return spawnSync(join(folder, home, 'node_modules/.bin/vitest'), ['run', join(folder, test), '-t', name], { cwd: join(folder, home), env: { ...process.env, PERF_LAB_MUTATE: undefined, PERF_LAB_TEST_ALL: undefined }, timeout: 300_000 }).status;
  };
  const survived: string[] = [], well = new Map<string, number | null>();
  for (const { file, from, to, test, name } of BY_HAND) {
    const key = `${test} ${name}`;
    if (!well.has(key)) well.set(key, ends(test, name));
    expect([key, well.get(key)]).toEqual([key, 0]);    // without the change it passes
    const path = join(folder, file), text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(from, () => to));
    if (ends(test, name) === 0) survived.push(`${dirname(file)}: ${from} -> ${to}`);
    writeFileSync(path, text);
  }
  expect(survived).toEqual([]);
}, 1_800_000);
