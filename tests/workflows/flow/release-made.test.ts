import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { repository } from '../rules/files.ts';
import { isNightly } from './nightly.ts';

const folder = mkdtempSync(join(tmpdir(), 'perf-lab-made-'));
afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

const left = !isNightly;
if (left) process.stdout.write('the files of a release, made for real: left out, they take minutes (`./perf-lab test --all`)\n');

/** What a person types, as an ordinary user where this is root, in a folder that knows nothing of perf-lab and with nothing of .NET on the path. */
function typed(command: string): string {
  const asNobody = process.getuid?.() === 0 ? ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'] : [];
  const [program, ...words] = [...asNobody, 'bash', '-euc', command];
  const { status, stdout, stderr } = spawnSync(program!, words, { cwd: join(folder, 'empty'), encoding: 'utf8', env: { HOME: join(folder, 'empty'), PATH: '/usr/bin:/bin' } });
  expect([status, stdout + stderr]).toEqual([0, expect.any(String)]);
  return stdout;
}

it.skipIf(left)('the archive that is made for real runs where it is unpacked, by an ordinary user without .NET', () => {
  const made = spawnSync(join(repository, '.github/release/make'), [join(folder, 'files')], { encoding: 'utf8' });
  expect(made.status, made.stderr).toBe(0);
  mkdirSync(join(folder, 'empty'));
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'empty'), 0o777);
  typed('cd ../files && sha256sum --check --strict SHA256SUMS');
  typed('tar --extract --gzip --file ../files/perf-lab-*-linux-x64.tar.gz');
  const version = /<Version>(.*)<\/Version>/.exec(readFileSync(join(repository, 'runner/PerfLab.Runner/PerfLab.Runner.csproj'), 'utf8'))![1];
  expect(typed('perf-lab-*/perf-lab --version')).toBe(`${version}\n`);
  expect(typed('perf-lab-*/perf-lab lab --help')).toContain('  perf-lab lab [command] [options]');
  expect(typed('perf-lab-*/perf-lab list')).toContain('json-round-trip');
  expect(typed('cat perf-lab-*/dotnet-licence/LICENSE.TXT')).toContain('The MIT License');
  expect(Number(typed('stat --format %s ../files/perf-lab-*-linux-x64.tar.gz'))).toBeLessThan(50e6);
}, 1_500_000);
