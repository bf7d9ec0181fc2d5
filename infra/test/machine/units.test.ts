// The units as systemd itself reads them (units.ts). Played: nothing is started; that a started unit does as it says is the walk of a host (host/walk.test.ts).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isNightly } from '../host/root';
import { readBySystemd, type Unit, whyNot } from './units';

const FIREWALL = 'perf-lab-firewall.service';
const reason = whyNot();
if (reason) console.log(`skipped, units as systemd reads them: ${reason}`);
else if (!isNightly) console.log('skipped, seven of ten changed units: half a minute; ./perf-lab test --all runs them');

/** What must hold, and what breaks when it does not. */
const HOLDS: Readonly<Record<string, (units: ReadonlyMap<string, Unit>) => unknown>> = {
  'no job starts where the firewall did not': units => ['perf-lab-runner.service', 'perf-lab-metal-runner.service'].map(name => units.get(name)!.named('Requires').includes(FIREWALL) && units.get(name)!.named('After').includes(FIREWALL)),
  'no job of an agent starts as the user of the job before': units => ['Requires', 'After'].map(relation => units.get('perf-lab-metal-runner.service')!.named(relation).includes('perf-lab-reset.service')),
  'the firewall is there before network, containers and jobs': units => ['network-pre.target', 'docker.service', 'perf-lab-runner.service', 'perf-lab-metal-runner.service'].map(name => units.get(FIREWALL)!.named('Before').includes(name)),
  'the firewall stays what it was made to be': units => [units.get(FIREWALL)!.all('RemainAfterExit').join() === 'yes', units.get(FIREWALL)!.all('Type').join() === 'oneshot'],
  'settings are quiet before a job': units => ['perf-lab-runner.service', 'perf-lab-metal-runner.service'].map(name => units.get(name)!.named('After').includes('perf-lab-quiet.service')),
  'a job gains no rights': units => [units.get('perf-lab-metal-runner.service')!.all('NoNewPrivileges').join() === 'yes', ...['perf-lab-runner.service', 'perf-lab-metal-runner.service'].flatMap(name =>
    ['ProtectKernelTunables', 'ProtectKernelModules', 'RestrictSUIDSGID'].map(property => units.get(name)!.all(property).join() === 'yes'))],
  'an agent\'s job is the unprivileged user\'s, and a machine takes one alone': units => [
    units.get('perf-lab-metal-runner.service')!.all('User').join() === 'lab-runner', units.get('perf-lab-runner.service')!.all('Restart').join() === 'no',
    units.get('perf-lab-runner.service')!.all('ConditionPathExists').join() === '/run/perf-lab/jit untested',
  ],
  'the watchdog always comes back, as nobody in particular, without a capability, small': units => ((watchdog: Unit) => [
    watchdog.all('User').join() === 'perf-lab-watch', watchdog.all('Restart').join() === 'always', watchdog.all('RestartSec').join() === '10min', watchdog.all('CapabilityBoundingSet').join() === '',
    watchdog.all('NoNewPrivileges').join() === 'yes', watchdog.all('ProtectSystem').join() === 'strict', watchdog.all('PrivateDevices').join() === 'yes', watchdog.all('MemoryMax').join() === String(200 * 1024 * 1024),
  ])(units.get('perf-lab-watchdog.service')!),
  'a reboot follows the end of an agent\'s job': units => [units.get('perf-lab-after-job.path')!.all('PathExists').join() === '/run/perf-lab/done', units.get('perf-lab-after-job.path')!.named('Triggers').includes('perf-lab-after-job.service')],
};

/** A line of a unit changed, and the sentence that no longer holds. */
const MUTANTS: readonly (readonly [unit: string, right: string, wrong: string, broken: keyof typeof HOLDS])[] = [
  ['perf-lab-runner.service', `Requires=${FIREWALL}`, `Wants=${FIREWALL}`, 'no job starts where the firewall did not'],
  ['perf-lab-runner.service', 'perf-lab-quiet.service perf-lab-firewall.service', 'perf-lab-quiet.service', 'no job starts where the firewall did not'],
  ['perf-lab-metal-runner.service', `Requires=${FIREWALL} perf-lab-reset.service`, `Requires=${FIREWALL}`, 'no job of an agent starts as the user of the job before'],
  [FIREWALL, 'Before=network-pre.target docker.service', 'Before=network-pre.target', 'the firewall is there before network, containers and jobs'],
  [FIREWALL, 'RemainAfterExit=yes', 'RemainAfterExit=no', 'the firewall stays what it was made to be'],
  ['perf-lab-quiet.service', 'Before=perf-lab-runner.service', 'Before=', 'settings are quiet before a job'],
  ['perf-lab-metal-runner.service', 'NoNewPrivileges=yes\n', '', 'a job gains no rights'],
  ['perf-lab-metal-runner.service', 'User=lab-runner\n', '', 'an agent\'s job is the unprivileged user\'s, and a machine takes one alone'],
  ['perf-lab-watchdog.service', 'CapabilityBoundingSet=\n', '', 'the watchdog always comes back, as nobody in particular, without a capability, small'],
  ['perf-lab-watchdog.service', 'MemoryMax=200M', 'MemoryMax=200G', 'the watchdog always comes back, as nobody in particular, without a capability, small'],
];

describe.skipIf(reason)('systemd reads in the units that', { timeout: 120_000 }, () => {
  let units: ReadonlyMap<string, Unit>;
  beforeAll(() => { units = readBySystemd(); }, 120_000);
  const holds = (sentence: string, in_ = units): boolean => (HOLDS[sentence]!(in_) as boolean[]).every(Boolean);

  it.each(Object.keys(HOLDS))('%s', sentence => { expect((HOLDS[sentence]!(units) as boolean[]).indexOf(false)).toBe(-1); });

  it.each(MUTANTS.filter((_, place) => isNightly || [1, 3, 7].includes(place)).map(([unit, right, wrong, broken]) => [unit, right.trim(), wrong || 'nothing', broken, right, wrong] as const))('%s: %s → %s: not any more %s', (unit, _, __, broken, right, wrong) => {
    const changed = readBySystemd(folder => {
      const file = join(folder, unit), text = readFileSync(file, 'utf8');
      expect(text).toContain(right);
      writeFileSync(file, text.replace(right, wrong));
      if (unit === 'perf-lab-quiet.service') writeFileSync(join(folder, 'perf-lab-runner.service'), readFileSync(join(folder, 'perf-lab-runner.service'), 'utf8').replace(' perf-lab-quiet.service', ''));
    });
    expect([holds(broken), holds(broken, changed)]).toEqual([true, false]);
  });
});
