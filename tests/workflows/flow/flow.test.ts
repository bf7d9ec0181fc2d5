import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { keep } from './pictures.ts';
import { Request, type Asked } from './request.ts';

const runs: Request[] = [];
const run = async (asked: Asked): Promise<Request> => {
  const request = await Request.run(asked);
  runs.push(request);
  return request;
};
afterAll(async () => { await Promise.all(runs.map(request => request.end())); });

const script = (checkout: string): string => join(checkout, 'workloads/primes/run.sh');
/** Head does everything twice. */
const twice = (checkout: string): void => { writeFileSync(script(checkout), readFileSync(script(checkout), 'utf8').replace('  sweep "$limit"\n', '  sweep "$limit"\n  sweep "$limit"\n')); };
const machineStands = (job: string) => /lab-(up|down)$/.test(job) ? 'success' as const : undefined;

describe.concurrent('a /benchmark comment', () => {
  it('is measured for real and ends in a verdict', async () => {
    const request = await run({ command: '/benchmark --rounds 0+13', change: twice, before: machineStands });
    expect(request.results, request.story).toEqual({ benchmark: 'success' });
    expect(request.comment).toContain('regressed');
    expect(request.comment).toContain(request.head);
    expect(request.fake.state.reactions.map(reaction => reaction.content)).toEqual(['eyes', 'rocket']);
    expect(request.check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
    expect(request.fake.seen.length).toBeLessThanOrEqual(40);
    keep('measured', request.comment, request);
  }, 110_000);

  it('whose head does not build says why', async () => {
    const request = await run({ command: '/benchmark', change: checkout => { rmSync(join(checkout, 'workloads'), { recursive: true }); }, before: machineStands });
    expect(request.comment, request.story).toContain('building head');
    expect(request.comment).toContain('does not exist');
    keep('build-failure', request.comment, request);
  }, 110_000);
});
