import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtRunner, dotnetRoot, engine } from './hosted.ts';
import { makeJournal } from './made-journal.ts';
import { isNightly, itNightly } from './nightly.ts';
import { keep } from './pictures.ts';
import type { Request } from './request.ts';
import { requests } from './requests.ts';
import type { JobRecord, Result } from './step-runner.ts';

const run = requests();

const script = (checkout: string): string => join(checkout, 'workloads/primes/run.sh');
/** Head does everything twice. */
const twice = (checkout: string): void => { writeFileSync(script(checkout), readFileSync(script(checkout), 'utf8').replace('  sweep "$limit"\n', '  sweep "$limit"\n  sweep "$limit"\n')); };
/** A .NET workload; only built, never run. */
const addProgram = (checkout: string): void => {
  const folder = join(checkout, 'workloads/calc');
  mkdirSync(folder);
  writeFileSync(join(folder, 'workload.yaml'), readFileSync(join(folder, '../primes/workload.yaml'), 'utf8').replace('name: primes', 'name: calc').replace('kind: none', 'kind: dotnet, project: Calc.csproj, runtimes: [net10.0]').replace('./run.sh', './Calc'));
  writeFileSync(join(folder, 'Calc.csproj'), '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>\n');
  writeFileSync(join(folder, 'Program.cs'), 'System.Console.WriteLine(6 * 7);\n');
};
const breakProgram = (checkout: string): void => { writeFileSync(join(checkout, 'workloads/calc/Program.cs'), 'System.Console.WriteLine(6 * 7)\n'); };
const machineStands = (job: string) => /lab-(up|down)$/.test(job) ? 'success' as const : undefined;

// Alone: it measures. The same with a .NET workload and a published runner: itself.test.ts.
describe('a /benchmark comment', () => {
  it('is measured for real and ends in a verdict', async () => {
    const request = await run({ command: '/benchmark --rounds 0+13', change: twice, before: machineStands });
    expect(request.results, request.story).toEqual({ benchmark: 'success' });
    expect(request.comment).toMatch(/### perf-lab: .+ is [0-9.]+( %|x) slower/);
    expect(request.comment).toContain(request.head);
    expect(request.comment).toContain('@alice, the answer to [the command]');
    expect(request.comment).toContain(`[report.html](https://github.com/example/library/actions/runs/900/artifacts/${request.fake.state.artifacts.find(({ name }) => name === 'report.html')!.id})`);
    expect(request.runner.log.map(({ job }) => job)).not.toContain('benchmark/publish');    // benchmark-machine.yml did, beside lab-down
    expect(request.comment).toContain(`executor: \`${engine()['DOCKER_HOST'] === undefined ? 'process' : 'docker'}\``);
    expect(request.fake.state.reactions.map(reaction => reaction.content)).toEqual(['eyes', 'rocket']);
    expect(request.check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
    expect(request.fake.seen.length).toBeLessThanOrEqual(45);
    // The folder that people download is a session: what it says can be checked, and what it stands on is vouched for.
    const report = join(request.folder, 'benchmark.machine.publish/report');
    expect(request.attestations.kept).toEqual([['plan.json', 'samples.ndjson'].map(name => ({ name, digest: createHash('sha256').update(readFileSync(join(report, name))).digest('hex') }))]);
    expect(execFileSync(join(builtRunner(), 'perf-lab'), ['verify', report], { encoding: 'utf8', env: { ...process.env, DOTNET_ROOT: dotnetRoot() } })).toContain('verified: nothing contradicts it');
    expect(request.runner.labels['benchmark/machine/measure']).toEqual(['']);    // lab-up's own, which stood in here
  }, 240_000);
});

const nothing = (): void => {};

/** In place of the machine: a journal whose figures come from a seed. */
const made = (effects: Record<string, number>, noise: number, more: (request: Request) => Result | void = nothing) => (job: string, request: Request): Result | JobRecord | undefined => {
  if (!job.endsWith('/measure')) return machineStands(job);
  return { result: more(request) ?? 'success', outputs: request.measured(makeJournal({ plan: request.file('benchmark.plan/plan.json'), effects, noise })) };
};

/** What the screen of that journal would have kept although nothing changed there. */
const kept = { c004: 0, c040: 0, c049: 0, c054: 0, c059: 0 };

describe.concurrent('the last word', () => {
  itNightly('of sixty cells fits one comment', async () => {
    const request = await run({ command: '/benchmark wide', change: twice, before: made({ c005: -0.08, c017: -0.04, c033: -0.03, c048: 0.06, ...kept }, 0.004) });
    expect(request.comment, request.story).toContain('### perf-lab: 3 regressed, worst primes (limit 150): ');
    expect(request.comment.length).toBeLessThanOrEqual(60_000);
    expect(request.check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
    keep('sixty-cells', request.comment, request);
  }, 300_000);

  itNightly('of no change is green, and a private repository gets it without an attestation', async () => {
    const request = await run({ command: '/benchmark', change: nothing, isPrivate: true, before: made({}, 0.002) });
    expect([request.results, request.attestations.kept, request.attestations.said], request.story).toEqual([{ benchmark: 'success' }, [], [expect.stringContaining('Feature not available for user-owned private repositories')]]);
    expect(request.comment, request.story).toContain('### perf-lab: no change found in 1');
    expect(request.check).toMatchObject({ conclusion: 'success' });
    keep('no-change', request.comment, request);
  }, 300_000);

  itNightly('of a head that does not build quotes the build', async () => {
    const request = await run({ command: '/benchmark --workload calc --runtime net10.0', prepare: addProgram, change: breakProgram, before: machineStands });
    expect(request.comment, request.story).toContain('### perf-lab: head does not build');
    expect(request.comment).toContain(' head/workloads/calc/Program.cs(1,32): error CS1002');
    keep('build-failure', request.comment, request);
  }, 300_000);

  itNightly('of a head with a link out of its tree does not build', async () => {
    const request = await run({ command: '/benchmark', change: checkout => { symlinkSync('/etc/passwd', join(checkout, 'workloads/primes/data')); }, before: machineStands });
    expect(request.comment, request.story).toContain('### perf-lab: head does not build');
    expect(request.comment).toContain('head/workloads/primes/data is a link');
  }, 300_000);

  itNightly('of a cancelled run says so', async () => {
    const request = await run({ command: '/benchmark', change: twice, before: job => job.endsWith('/measure') ? 'cancelled' : machineStands(job) });
    expect(request.comment, request.story).toContain('Cancelled while measuring');
    expect(request.check).toMatchObject({ conclusion: 'neutral' });
    keep('cancelled', request.comment, request);
  }, 300_000);

  itNightly('of a run that is cancelled before it is planned, or in line for the machine, says where it stood', async () => {
    const stood = async (where: string): Promise<string> => (await run({ command: '/benchmark', change: twice, before: job => job.endsWith(where) ? 'cancelled' : machineStands(job) })).comment;
    expect(await stood('benchmark/plan')).toContain('Cancelled while building perf-lab.');
    expect(await stood('benchmark/machine')).toContain('Cancelled while waiting for the machine or starting it.');
  }, 300_000);

  itNightly('of a run whose head moved names both commits', async () => {
    const moved = 'e'.repeat(40);
    const request = await run({ command: '/benchmark', change: twice, before: made({ c001: -0.5 }, 0.004, ({ fake }) => { fake.state.pulls.get(5)!.head.sha = moved; }) });
    expect(request.comment, request.story).toMatch(new RegExp(`Measured .*/commit/${request.head}.*head is now .*/commit/${moved}`));
    keep('head-moved', request.comment, request);
  }, 300_000);

  itNightly('of a measurement that broke off is what was measured until then', async () => {
    const request = await run({ command: '/benchmark', change: nothing, before: made({}, 0.002, () => 'failure') });
    expect(request.comment, request.story).toContain('### perf-lab: partly measured: no change found in 1');
    keep('partly-measured', request.comment, request);
  }, 300_000);

  itNightly('of a machine that stands ready needs nobody to start it', async () => {
    let started = '';
    const request = await run({ command: '/benchmark --machine shed', change: nothing, before: (job, one) => {
      if (/lab-(up|down)$/.test(job)) started += job;
      if (job.endsWith('/measure')) keep('measuring', one.comment, one);
      return made({}, 0.002)(job, one);
    } });
    expect(request.comment, request.story).toContain('### perf-lab: no change found in 1');
    expect(started).toBe('');
    expect(request.runner.labels['benchmark/machine/measure']).toEqual(['perf-lab-shed']);
  }, 300_000);

  itNightly('of one of GitHub\'s own machines needs no lab', async () => {
    let started = '';
    const request = await run({ command: '/benchmark --machine github', change: nothing, before: (job, one) => {
      if (/lab-(up|down)$/.test(job)) started += job;
      return made({}, 0.002)(job, one);
    } });
    expect(request.comment, request.story).toContain('### perf-lab: no change found in 1');
    expect(started).toBe('');
    expect(request.runner.labels['benchmark/machine/measure']).toEqual(['ubuntu-22.04']);
    expect(Object.keys(request.runner.labels)).toEqual(['gate', 'plan', 'bases', 'build-base/build', 'build-head/build', 'machine/status-measuring', 'machine/measure', 'machine/publish', 'machine/attest'].map(job => `benchmark/${job}`));
  }, 300_000);
});

/** Refused by the gate, or by the plan: the reply says it, nothing ran, and no job is red. */
describe.concurrent('a refusal', () => {
  it.each([
    ['wrong-command', '/benchmark --runtmie net8.0 --rounds 7', 'did you mean `--runtime`?'],
    ['refused', '/benchmark --workload prims --machine bench', 'Did you mean primes?'],
    ...isNightly ? [
      ['over-budget', '/benchmark wide --rounds 100+900', 'Try /benchmark pr: 29 minutes'],
      ['help', '/benchmark help', 'suites: `pr`, `wide`; without one: `pr`'],
    ] as const : [],
  ] as const)('%s is told in the thread', async (name, command, told) => {
    const request = await run({ command, change: twice });
    expect(request.results, request.story).toEqual({ benchmark: 'success' });
    expect(request.comment).toContain(told);
    expect(request.runner.log.map(({ job }) => job)).not.toContain('benchmark/build-head/build');
    expect(request.check === undefined || request.check.conclusion === 'neutral').toBe(true);
    keep(name, request.comment, request);
  }, 300_000);
});
