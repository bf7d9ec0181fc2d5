import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { store } from './hosted.ts';
import { makeJournal } from './made-journal.ts';
import { keep, keepCalls } from './pictures.ts';
import { Request, type Asked } from './request.ts';

const runs: Request[] = [];
const run = async (asked: Asked): Promise<Request> => {
  const request = await Request.run(asked);
  runs.push(request);
  return request;
};
afterAll(async () => { await Promise.all(runs.map(request => request.end())); }, 60_000);

const script = (checkout: string): string => join(checkout, 'workloads/primes/run.sh');
/** Head does everything twice. */
const twice = (checkout: string): void => { writeFileSync(script(checkout), readFileSync(script(checkout), 'utf8').replace('  sweep "$limit"\n', '  sweep "$limit"\n  sweep "$limit"\n')); };
const machineStands = (job: string) => /lab-(up|down)$/.test(job) ? 'success' as const : undefined;

// Alone: it measures.
describe('a /benchmark comment', () => {
  it('is measured for real and ends in a verdict', async () => {
    const request = await run({ command: '/benchmark --rounds 0+13', change: twice, before: machineStands });
    expect(request.results, request.story).toEqual({ benchmark: 'success' });
    expect(request.comment).toContain('regressed');
    expect(request.comment).toContain(request.head);
    expect(request.fake.state.reactions.map(reaction => reaction.content)).toEqual(['eyes', 'rocket']);
    expect(request.check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
    expect(request.fake.seen.length).toBeLessThanOrEqual(40);
    keep('measured', request.comment, request);
    keepCalls(request.fake.calls());
  }, 110_000);
});

const nothing = (): void => {};

/** In place of the machine: a journal whose figures come from a seed. */
const made = (effects: Record<string, number>, noise: number, more: (request: Request) => void = nothing) => (job: string, request: Request) => {
  if (!job.endsWith('/measure')) return machineStands(job);
  store(request.fake, 'samples', 'samples.ndjson', Buffer.from(makeJournal({ plan: request.file('benchmark.plan/plan.json'), seed: 7, effects, noise })));
  more(request);
  return 'success' as const;
};

describe.concurrent('the last word', () => {
  it('of sixty cells fits one comment', async () => {
    const request = await run({ command: '/benchmark wide', change: twice, before: made({ c005: -0.08, c017: -0.04, c033: -0.03, c048: 0.06 }, 0.004) });
    expect(request.comment, request.story).toContain('### perf-lab: 3 regressed, 1 improved');
    expect(request.comment.length).toBeLessThanOrEqual(60_000);
    expect(request.check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
    keep('sixty-cells', request.comment, request);
  }, 110_000);

  it('of no change is green', async () => {
    const request = await run({ command: '/benchmark', change: nothing, before: made({}, 0.002) });
    expect(request.comment, request.story).toContain('### perf-lab: 1 unchanged');
    expect(request.check).toMatchObject({ conclusion: 'success' });
    keep('no-change', request.comment, request);
  }, 110_000);

  it('of a head that does not build quotes the build', async () => {
    const request = await run({ command: '/benchmark', change: checkout => { rmSync(join(checkout, 'workloads'), { recursive: true }); }, before: machineStands });
    expect(request.comment, request.story).toContain('building head');
    expect(request.comment).toContain('does not exist');
    keep('build-failure', request.comment, request);
  }, 110_000);

  it('of a cancelled run says so', async () => {
    const request = await run({ command: '/benchmark', change: twice, before: job => job.endsWith('/measure') ? 'cancelled' : machineStands(job) });
    expect(request.comment, request.story).toContain('Cancelled while measuring');
    expect(request.check).toMatchObject({ conclusion: 'neutral' });
    keep('cancelled', request.comment, request);
  }, 110_000);

  it('of a run whose head moved names both commits', async () => {
    const moved = 'e'.repeat(40);
    const request = await run({ command: '/benchmark', change: twice, before: made({ c001: -0.5 }, 0.004, ({ fake }) => { fake.state.pulls.get(5)!.head.sha = moved; }) });
    expect(request.comment, request.story).toContain(`Measured \`${request.head}\`; head is now \`${moved}\``);
    keep('head-moved', request.comment, request);
  }, 110_000);

  it('of a request that can not be planned is every problem', async () => {
    const request = await run({ command: '/benchmark --workload prims --machine bench', change: twice });
    expect(request.comment, request.story).toContain('Did you mean primes?');
    expect(request.results['benchmark']).toBe('failure');
    keep('refused', request.comment, request);
  }, 110_000);
});
