import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32c, makeJournal } from '../flow/made-journal.ts';
import { repository } from '../rules/files.ts';

const folders = ['.perf-lab/runner/artifacts/bin/PerfLab.Runner/release', 'runner/PerfLab.Runner/bin/Release/net10.0', 'runner/PerfLab.Runner/bin/Debug/net10.0'];

/** perf-lab as it was built last. */
export function perfLab(root: string, ...words: string[]): string {
  const built = folders.map(folder => join(repository, folder, 'perf-lab.dll')).filter(existsSync).sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
  if (built === undefined) throw new Error('the runner is not built: ./perf-lab test builds it');
  return execFileSync('dotnet', ['exec', built, ...words], { cwd: root, env: { ...process.env, PERF_LAB_ROOT: root, PERF_LAB_PROGRAM: './perf-lab' }, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
}

const hostile = '</title><script>alert(1)</script> \u202Egnp.exe שלום "quoted" & more';

interface Cell { readonly name: string; readonly workload?: string; readonly effect: number }

/** A plan as far as a journal needs it: two arms, 13 rounds. */
function plan(cells: readonly Cell[], names: readonly [string, string], commits: readonly [string, string] | null): string {
  const made = cells.map(({ name, workload }, index) => ({
    id: `c${String(index + 1).padStart(3, '0')}`, workload: workload ?? 'json-round-trip', dimensions: { runtime: 'net10.0.14' }, parameters: { documents: name, limit: '6' },
    arms: names.map((id, arm) => ({ id, dimensions: commits === null ? { pgo: arm === 0 ? 'off' : 'on' } : { source: commits[arm]! } })),
    metrics: [{ name: 'throughput', unit: 'doc/s', better: 'higher', primary: true }],
  }));
  const confirm = Array.from({ length: 13 }, (_, round) => made.map(cell => ({ cell: cell.id, round, order: round % 2 === 0 ? [...names] : [...names].reverse() }))).flat();
  return JSON.stringify({ plan: { hash: `sha256:${'5'.repeat(64)}`, seed: 7, policy: { 'screen-rounds': 0, 'keep-p': 0.1, 'confirm-rounds': 13, 'family-error': 0.01, margin: 0.01, interval: 0.95, 'too-noisy': 0.05 }, screen: [], confirm, cells: made } });
}

const headed = (journal: string, session: string, started: string, cpu: string): string => {
  const [first, ...rest] = journal.split('\n');
  const header = { ...(JSON.parse(first!) as Record<string, unknown>), session, started, machine: { cpu: { model: cpu, online: '0-3' }, instance: { size: 'Standard_D4s_v5' } } };
  delete (header as { crc?: string }).crc;
  return [seal(header), ...rest.map(line => line.includes('"kind":"launch"') ? seal(without({ ...(JSON.parse(line) as Record<string, unknown>), started })) : line)].join('\n');
};
const without = (record: Record<string, unknown>): Record<string, unknown> => { delete record['crc']; return record; };
const seal = (record: object): string => { const line = JSON.stringify(record); return `${line.slice(0, -1)},"crc":"${crc32c(Buffer.from(line.slice(0, -1)))}"}`; };

/** A session of four cells: one slower, one faster, one unchanged, one with a hostile name; and its report. */
export function madeReport(root: string): string {
  const folder = join(root, 'session');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, 'perf-lab.yaml'), 'schema: perf-lab/config/1\n');
  const cells: Cell[] = [
    { name: 'large', effect: -0.08 }, { name: 'small', effect: 0.31 }, { name: 'same', effect: 0 }, { name: hostile, effect: 0.02 },
    ...Array.from({ length: 8 }, (_, index) => ({ name: `more-${index}`, effect: 0 })),
  ];
  const effects = Object.fromEntries(cells.map(({ effect }, index) => [`c${String(index + 1).padStart(3, '0')}`, effect]));
  writeFileSync(join(folder, 'samples.ndjson'), headed(makeJournal({ plan: plan(cells, ['base', 'head'], null), effects, noise: 0.006 }), 'made', '2026-03-01T12:00:00Z', 'AMD EPYC 7763'));
  perfLab(root, 'compare', folder, '--out', folder);
  return pathToFileURL(join(folder, 'report.html')).href;
}

/** A history of weeks, in which one series becomes slower after the middle, and an A/A run; and its site. */
export function madeSite(root: string, weeks = 40): string {
  const journals = join(root, 'journals');
  mkdirSync(journals, { recursive: true });
  writeFileSync(join(root, 'perf-lab.yaml'), 'schema: perf-lab/config/1\nmachines:\n  azure: { kind: azure, size: Standard_D4s_v5, policy: azure, price-per-hour: 0.19 }\n');
  const commit = (week: number): string => crc32c(Buffer.from(`commit ${week}`)).padEnd(40, '0123456789abcdef');
  for (let week = 0; week < weeks; week++) {
    const started = new Date(Date.UTC(2026, 0, 5 + 7 * week, 3)).toISOString();
    const cells: Cell[] = [
      { name: 'large', effect: week < weeks / 2 ? 0.002 : -0.06 }, { name: 'small', effect: 0.05 }, { name: 'http', workload: 'http-loopback', effect: week < weeks / 4 ? 0 : 0.09 },
      { name: 'ping', workload: 'channel-actors', effect: 0 },
    ];
    const effects = Object.fromEntries(cells.map(({ effect }, index) => [`c${String(index + 1).padStart(3, '0')}`, effect + 0.004 * Math.sin(7 * week + index)]));
    const journal = makeJournal({ plan: plan(cells, ['anchor', 'head'], ['0'.repeat(40), commit(week)]), effects, noise: 0.006 });
    writeFileSync(join(journals, `w${week}.ndjson`), headed(journal, `week-${String(week).padStart(2, '0')}`, started, 'AMD EPYC 7763'));
  }
  perfLab(root, 'history', 'import', journals);
  const found = JSON.parse(perfLab(root, 'trend', '--json')) as { changes: { before: { commit: string }; after: { commit: string }; members: { values: Record<string, string> }[] }[] };
  // The experiment that confirms the first: what came before against what came after.
  const slower = found.changes.find(({ members }) => members[0]!.values['documents'] === 'large')!;
  const experiment = makeJournal({ plan: plan([{ name: 'large', effect: -0.06 }], ['base', 'head'], [slower.before.commit, slower.after.commit]), effects: { c001: -0.06 }, noise: 0.006 });
  writeFileSync(join(root, 'experiment.ndjson'), headed(experiment, 'experiment', new Date(Date.UTC(2026, 0, 6 + 7 * weeks, 3)).toISOString(), 'AMD EPYC 7763'));
  perfLab(root, 'history', 'import', join(root, 'experiment.ndjson'));
  perfLab(root, 'trend');
  perfLab(root, 'site', join(root, 'site'), '--repository', 'https://github.com/me/my-library', '--name', 'my-library');
  return pathToFileURL(join(root, 'site', 'index.html')).href;
}
