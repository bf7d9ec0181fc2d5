import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readMachineFiles } from '../src/machine-files';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'machine-'));
  cpSync(join(__dirname, '../machine'), folder, { recursive: true });
});
afterEach(() => { rmSync(folder, { recursive: true }); });

const hash = (): string => (readMachineFiles(folder, { metal: true }) as { hash: string }).hash;

it('the_machine_files_of_the_repository_are_taken', () => {
  expect(readMachineFiles(folder, { metal: true })).toMatchObject({ folder, cloudInit: expect.stringMatching(/^#cloud-config\n/) });
});

it('custom_data_over_64_kib_is_refused_with_its_size', () => {
  writeFileSync(join(folder, 'cloud-init.yaml'), `#cloud-config\n${'# \u00e4\n'.repeat(14_000)}`);    // bytes count, not characters
  expect(readMachineFiles(folder, { metal: false })).toEqual([expect.stringMatching(/cloud-init\.yaml: 70014 bytes; Azure takes 65535$/)]);
});

it('custom_data_that_cloud_init_would_not_read_is_refused', () => {
  writeFileSync(join(folder, 'cloud-init.yaml'), 'packages: []\n');
  expect(readMachineFiles(folder, { metal: false })).toEqual([expect.stringMatching(/does not start with the line "#cloud-config"$/)]);
});

it('missing_files_are_told_all_at_once', () => {
  for (const file of ['cloud-init.yaml', 'metal-agent.sh']) rmSync(join(folder, file));
  expect(readMachineFiles(folder, { metal: true })).toEqual([expect.stringMatching(/cloud-init\.yaml: missing$/), expect.stringMatching(/metal-agent\.sh: missing$/)]);
  expect(readMachineFiles(folder, { metal: false })).toHaveLength(1);
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
