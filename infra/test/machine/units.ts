import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/sample';

const SYSTEMD = '/lib/systemd/systemd';
export const UNITS = join(ROOT, 'infra/machine/files/etc/systemd/system');

/** Why no systemd reads units here; empty when one does. */
export const whyNot = (): string => (spawnSync(SYSTEMD, ['--version']).status === 0 ? '' : `${SYSTEMD} is not there: apt-get install systemd`);

/**
 * What systemd makes of units, property by property: `systemd --test` loads them as it would at a boot, prints what it has, and starts nothing. As a user's
 * manager, which any user may test; what is asked of it here both kinds read alike.
 */
export function readBySystemd(change: (folder: string) => void = () => {}): ReadonlyMap<string, Unit> {
  const folder = mkdtempSync(join(tmpdir(), 'perf-lab-units-'));
  try {
    cpSync(UNITS, folder, { recursive: true });
    change(folder);
    chmodSync(folder, 0o777);
    const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    return new Map(readdirSync(folder).map(name => {
      const { stdout, status, stderr } = spawnSync(SYSTEMD, ['--test', '--user', '--no-pager', `--unit=${name}`], {
        ...nobody, encoding: 'utf8', maxBuffer: 1 << 26, timeout: 60_000,
        env: { SYSTEMD_UNIT_PATH: `${folder}:/lib/systemd/system`, XDG_RUNTIME_DIR: folder, HOME: folder, SYSTEMD_LOG_LEVEL: 'err', PATH: '/usr/bin:/bin' },
      });
      if (status !== 0) throw new Error(`${SYSTEMD} --test of ${name} ended with ${status}: ${stderr}`);
      // Of its dump one property is missing, which its own audit reads.
      const audit = name.endsWith('.service') ? spawnSync('systemd-analyze', ['security', '--offline=true', '--json=short', join(folder, name)], { ...nobody, encoding: 'utf8' }).stdout : '[]';
      const gains = (JSON.parse(audit) as { json_field: string; set: boolean }[]).find(one => one.json_field === 'NoNewPrivileges')?.set === true ? 'yes' : 'no';
      return [name, new Unit(stdout, name, [`NoNewPrivileges: ${gains}`])];
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export class Unit {
  readonly #lines: readonly string[];
  constructor(dump: string, readonly name: string, more: readonly string[] = []) {
    const loaded = dump.split(`\t-> Unit ${name}:\n`)[1]?.split(/^\t-> Unit /m)[0]?.split('\n').map(line => line.trim()) ?? [];
    if (loaded.length === 0) throw new Error(`systemd has not loaded ${name}`);
    this.#lines = [...loaded, ...more];
  }

  /** Every value of a property, in alphabetical order. */
  all(property: string): string[] {
    return this.#lines.filter(line => line.startsWith(`${property}: `)).map(line => line.slice(property.length + 2)).sort();
  }

  /** Units of ours and Docker's that this one names in a relation which stands in its own file. */
  named(relation: string): string[] {
    return this.all(relation).filter(value => / \(origin-(file|implicit)/.test(value)).map(value => value.split(' ')[0]!).filter(name => !name.endsWith('.slice'));
  }
}
