import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeJournal } from './made-journal.ts';
import { isNightly, itNightly } from './nightly.ts';
import { keep } from './pictures.ts';
import type { Request } from './request.ts';
import { requests } from './requests.ts';
import type { JobRecord, Result } from './step-runner.ts';

const run = requests();

/** Up to four of GitHub's own machines for a request of at most twenty minutes: sixty cells take three of them. */
const several = (checkout: string): void => {
  const file = join(checkout, 'perf-lab.yaml'), text = readFileSync(file, 'utf8');
  const changed = text.replace('runs-on: ubuntu-22.04 }', 'runs-on: ubuntu-22.04, count: 4 }').replace('minutes: 120', 'minutes: 20');
  if (changed.split('count: 4').length !== 2 || !changed.includes('minutes: 20')) throw new Error('perf-lab.yaml of the small repository has changed');
  writeFileSync(file, changed);
};
const nothing = (): void => {};

/** In place of each machine: the journal of its shard, whose figures come from a seed. `ends`: what became of some. */
const made = (effects: Record<string, number>, ends: Readonly<Record<number, Result>> = {}, seen: string[] = [], planned = 'benchmark.plan/plan.json') => (job: string, request: Request): JobRecord | Result | undefined => {
  const shard = Number(/\/fleet\/shard-([1-8])\/measure$/.exec(job)?.[1] ?? 0);
  if (shard === 0) return undefined;
  const now = Date.now();
  request.fake.state.jobs.push({ run: 900, name: job.replaceAll('/', ' / '), conclusion: ends[shard] ?? 'success', started_at: new Date(now - 600_000).toISOString(), completed_at: new Date(now).toISOString() });
  seen.push(/^- (.*machines (?:done|measure).*)$/m.exec(request.comment)?.[1] ?? '');
  if (ends[shard] !== undefined) return { result: ends[shard], outputs: {} };
  const plan = request.file(planned), place = shard - Number(planned.includes('spread') && shard > 2);    // the second did not come
  const { id, archive } = request.artifacts.upload(`samples-shard-${shard}`, 'samples.ndjson', Buffer.from(makeJournal({ plan, effects, noise: 0.004, shard: place, session: `made-${shard}` })), { overwrite: true })!;
  return { result: 'success', outputs: { id: String(id), archive } };
};

const kept = { c004: 0, c040: 0, c049: 0, c054: 0, c059: 0 };

// Which machine failed, was cancelled or lies: .github/perf-lab/test/fleet.test.ts has all of it without the workflow files.
describe('a request that is spread over several machines', () => {
  itNightly('is judged once, over all of them', async () => {
    const seen: string[] = [];
    const request = await run({ command: '/benchmark wide --machine github', prepare: several, change: nothing, before: made({ c005: -0.08, c017: -0.04, c033: -0.03, c048: 0.06, ...kept }, {}, seen) });
    expect(request.results, request.story).toEqual({ benchmark: 'success' });
    expect(request.comment, request.story).toContain('### perf-lab: 3 regressed, worst primes (limit 150): ');
    expect(request.runner.labels['benchmark/fleet/shard-1/measure']).toEqual(['ubuntu-22.04']);
    expect(Object.keys(request.runner.labels).filter(job => job.endsWith('/measure'))).toHaveLength(seen.length);
    expect(request.runner.log.map(({ job }) => job)).not.toContain('benchmark/publish');
    expect(request.runner.log.map(({ step }) => step)).toContain('The complete report and the raw files');
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.slice(0, 2)).toEqual([`${seen.length} machines measure at once`, `1 of ${seen.length} machines done, about 10 min left`]);
    keep('several-machines', request.comment, request);
  }, 300_000);

});

const left = !isNightly;
if (left) process.stdout.write('a spread request that breaks off, and one that is measured for real: left out, they take minutes (`./perf-lab test --all`)\n');

describe.skipIf(left)('a request that is spread and breaks off, or need not be', () => {
  it('names the machine that failed, and the rest stands', async () => {
    const request = await run({ command: '/benchmark wide --machine github', prepare: several, change: nothing, before: made({ ...kept }, { 2: 'failure' }) });
    expect(request.comment, request.story).toMatch(/### perf-lab: partly measured: .*failed/);
    expect(request.comment).toMatch(/Machine 2 of \d failed while measuring/);
    expect(request.comment).toMatch(/shard 2 of \d is missing/);
    expect(request.check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
    keep('one-machine-failed', request.comment, request);
  }, 300_000);

  it('that is cancelled while half of them run says what was measured', async () => {
    const request = await run({ command: '/benchmark wide --machine github', prepare: several, change: nothing, before: made({ ...kept }, { 2: 'cancelled', 3: 'cancelled' }) });
    expect(request.comment, request.story).toContain('### perf-lab: cancelled; measured until then: ');
    expect(request.comment).toContain('Cancelled while measuring.');
  }, 300_000);

  it('on machines of one\'s own is spread over those that come', async () => {
    const down: string[] = [];
    const own = (checkout: string): void => {
      several(checkout);
      const file = join(checkout, 'perf-lab.yaml');
      writeFileSync(file, readFileSync(file, 'utf8').replace('size: Standard_D4s_v5,', 'size: Standard_D4s_v5, count: 4,'));
    };
    const request = await run({ command: '/benchmark wide --machine bench', prepare: own, change: nothing, before: (job, one) => {
      const number = Number(/-([1-8])\/lab-(?:up|down)$/.exec(job)?.[1] ?? 0);
      if (job.endsWith('/lab-down')) { down.push(job); return 'success'; }
      // The second has no capacity: its job fails, which fails nothing else.
      if (number > 0) return number === 2 ? 'success' : { result: 'success', outputs: { label: `run-900-1-bench-${number}-${'a'.repeat(32)}` } };
      return made({ ...kept }, {}, [], 'benchmark.fleet.spread/plan.json')(job, one);
    } });
    expect(request.results, request.story).toEqual({ benchmark: 'success' });
    expect(request.comment, request.story).toContain('3 machines were asked for and 2 came, so they measured all of it');
    expect(request.comment).not.toContain('missing');
    expect(request.runner.labels['benchmark/fleet/shard-3/measure']).toEqual([expect.stringMatching(/^run-900-1-bench-3-/)]);
    expect(Object.keys(request.runner.labels).filter(job => job.endsWith('/measure'))).toEqual(['benchmark/fleet/shard-1/measure', 'benchmark/fleet/shard-3/measure']);
    expect(down).toEqual([1, 2, 3].map(number => `benchmark/fleet/shard-${number}/lab-down`));
    keep('fewer-machines', request.comment, request);
  }, 300_000);

  it('fits on one machine, and no other is asked', async () => {
    const request = await run({ command: '/benchmark --machine github', prepare: several, change: nothing, before: job => (/\/machine\/measure$/.test(job) ? 'failure' : undefined) });
    expect(Object.keys(request.runner.labels).filter(job => job.endsWith('/measure'))).toEqual(['benchmark/machine/measure']);
  }, 300_000);
});

/** Each shard measures on this machine, one after another, through the same steps as on GitHub's. */
it.skipIf(left)('a request that is spread is measured for real and ends in a verdict', async () => {
  const twice = (checkout: string): void => {
    const script = join(checkout, 'workloads/primes/run.sh');
    writeFileSync(script, readFileSync(script, 'utf8').replace('  sweep "$limit"\n', '  sweep "$limit"\n  sweep "$limit"\n'));
  };
  const request = await run({
    command: '/benchmark four --machine github --rounds 0+13', change: twice,
    prepare: checkout => {
      several(checkout);
      const file = join(checkout, 'perf-lab.yaml');
      writeFileSync(file, readFileSync(file, 'utf8').replace('suites:\n', 'suites:\n  four: { workloads: [primes], set: { limit: ["110", "120", "130", "140"] } }\n').replace('minutes: 20', 'minutes: 1'));
    },
  });
  expect(request.results, request.story).toEqual({ benchmark: 'success' });
  expect(request.comment, request.story).toContain('### perf-lab: 4 regressed, worst ');
  expect(request.comment).toMatch(/`primes \/ limit 1\d0` \|[^\n]*\| 2 \|/);    // by name, and which machine measured it
  keep('several-machines-measured', request.comment, request);
}, 900_000);
