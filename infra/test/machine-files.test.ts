import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readMachineFiles } from '../src/config/machine-files';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'machine-'));
  cpSync(join(__dirname, '../machine'), folder, { recursive: true });
});
afterEach(() => { rmSync(folder, { recursive: true }); });

const hash = (): string => (readMachineFiles(folder, { metal: true }) as { hash: string }).hash;

it('the_machine_files_of_the_repository_are_taken', () => {
  expect(readMachineFiles(folder, { metal: true })).toMatchObject({ folder, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

it('a_missing_script_is_told_where_it_is_needed', () => {
  rmSync(join(folder, 'metal-agent.sh'));
  expect(readMachineFiles(folder, { metal: true })).toEqual([expect.stringMatching(/metal-agent\.sh: missing$/)]);
  expect(readMachineFiles(folder, { metal: false })).toMatchObject({ folder });
});

it('the_hash_changes_with_any_file_and_with_nothing_else', () => {
  const before = hash();
  expect(hash()).toBe(before);
  writeFileSync(join(folder, 'files/etc/docker/daemon.json'), '{}');
  const changed = hash();
  expect(changed).not.toBe(before);
  writeFileSync(join(folder, 'more'), '');
  expect(hash()).not.toBe(changed);
});
