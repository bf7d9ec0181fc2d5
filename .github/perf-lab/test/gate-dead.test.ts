import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { comment, Job, ownComments, runGate } from './support/lab.ts';
import { Journey } from './support/request.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

describe('a comment whose run is dead', () => {
  const dead = async (status = 'completed'): Promise<Journey> => {
    const journey = await Journey.accepted(fake);
    await journey.status('measuring');
    fake.state.runs[0]!.status = status;
    return journey;
  };
  const next = () => runGate(fake, comment(fake, '/benchmark --workload other'), { env: { GITHUB_RUN_ID: '901' } });
  it('is_ended_by_the_next_request_and_so_is_its_check', async () => {
    await dead();
    await next();
    const [first, second] = ownComments(fake);
    expect(first).toContain('stage=failed run=900 ');
    expect(first).toContain('### perf-lab: ended without an answer\n\n[Its run](https://github.com/example/library/actions/runs/900) is over');
    expect(second).toContain('### perf-lab: accepted');
    expect(fake.state.checks.map(({ status, output }) => [status, output!.title])).toEqual([['completed', 'ended without an answer'], ['queued', 'accepted']]);
  });
  it.each([['that_runs', () => dead('in_progress')], ['of_another_workflow', async () => { await dead(); fake.state.runs[0]!.workflow_id = 4; }]])('%s_is_left_alone', async (_, make) => {
    await make();
    await next();
    expect(ownComments(fake)[0]).toContain('### perf-lab: measuring');
  });
  it('that_can_not_be_ended_costs_the_next_request_nothing', async () => {
    await dead();
    fake.fault = call => (call.method === 'PATCH' ? { status: 422, json: { message: 'no' } } : undefined);
    expect((await next()).code).toBe(0);
  });
});
