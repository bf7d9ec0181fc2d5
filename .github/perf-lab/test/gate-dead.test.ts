import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Asked } from '../src/gate/asked.ts';
import { endDead } from '../src/gate/dead.ts';
import { ownComments as commentsOf } from '../src/thread/comments.ts';
import { WorkflowRuns } from '../src/thread/runs.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BOT } from './fake/state.ts';
import { comment, Job, ownComments, runGate, testClient } from './support/lab.ts';
import { Journey } from './support/request.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

/** What somebody says on standard error while it works. */
async function listening<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly told: string }> {
  const told: string[] = [], write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { told.push(String(text)); return true; });
  const result = await work();
  write.mockRestore();
  return { result, told: told.join('') };
}

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
    const { told } = await listening(next);
    expect(ownComments(fake)[0]).toContain('### perf-lab: measuring');
    expect(told).not.toContain('still says');
  });
  it('is_left_alone_by_that_very_run_whatever_GitHub_says_of_it', async () => {
    await dead();
    const gh = testClient(fake), at = { owner: 'example', repo: 'library', runId: 900, runAttempt: 2, apiUrl: fake.url, serverUrl: 'https://github.com', word: '/benchmark' };
    const thread = { gh, at, pullRequest: 5, me: BOT.id };
    await endDead({ gh, at, thread, runs: new WorkflowRuns(gh, at) } as unknown as Asked, await commentsOf(thread));
    expect(ownComments(fake)[0]).toContain('### perf-lab: measuring');
  });
  it('that_can_not_be_ended_costs_the_next_request_nothing', async () => {
    await dead();
    fake.fault = call => (call.method === 'PATCH' ? { status: 422, json: { message: 'no' } } : undefined);
    const { told, result } = await listening(next);
    expect(result.code).toBe(0);
    expect(told).toMatch(/the comment \d+ still says measuring, and its run is over: PATCH /);
  });
});
