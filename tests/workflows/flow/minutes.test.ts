import { join } from 'node:path';
import { expect } from 'vitest';
import { itNightly } from './nightly.ts';
import { edit } from './own-request.ts';
import { requests } from './requests.ts';

const run = requests();

/** Head does everything twice. */
const twice = (checkout: string): void => { edit(join(checkout, 'workloads/primes/run.sh'), '  sweep "$limit"\n', '  sweep "$limit"\n  sweep "$limit"\n'); };
/** Twenty rounds take more than forty seconds, whatever the machine. */
const slowly = (checkout: string): void => { edit(join(checkout, 'workloads/primes/workload.yaml'), 'measure: 0.2s', 'measure: 1s'); };
const machineStands = (job: string): 'success' | undefined => /lab-(up|down)$/.test(job) ? 'success' : undefined;

itNightly('a request with minutes measures until they are over, and says of the row how it ended', async () => {
  const request = await run({ command: '/benchmark --within 27s', prepare: slowly, change: twice, before: machineStands });
  expect(request.results, request.story).toEqual({ benchmark: 'success' });
  const { plan } = JSON.parse(request.file('benchmark.plan/plan.json')) as { plan: { policy: object; estimate: { mostSeconds: number }; shards?: unknown } };
  expect(plan).toMatchObject({ policy: { within: 0.45 }, estimate: { mostSeconds: expect.closeTo(27, 1) as number } });
  expect(plan.policy).not.toHaveProperty('repeats');
  expect(plan).not.toHaveProperty('shards');
  expect(request.comment, request.story).toMatch(/out of minutes after [0-9]+ rounds? \(--within 0\.45m\): more minutes would go on/);
  expect(request.comment).toMatch(/^\.\/perf-lab run primes .* --within 0\.45m /m);
  expect(request.comment).toContain('or until decided, within 0.45 min');
  expect(request.comment).toContain('`/benchmark pr --within 0.45m` on `bench`');
}, 300_000);

itNightly('minutes that a request has not, or in which no row has an answer, are refused in the thread', async () => {
  for (const [command, told] of [
    ['/benchmark --within 600m', 'budget: this may take 600 minutes and about 1.90 in machine time; a request may take 120 minutes. Ask for --within 120m or less.'],
    ['/benchmark --within 1s', '--within: 0.02 min are over before any row can have an answer'],
  ] as const) {
    const request = await run({ command, change: twice });
    expect(request.results, request.story).toEqual({ benchmark: 'success' });
    expect(request.comment).toContain(told);
    expect(request.runner.log.map(({ job }) => job)).not.toContain('benchmark/build-head/build');
  }
}, 300_000);
