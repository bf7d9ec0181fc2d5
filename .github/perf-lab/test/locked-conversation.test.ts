import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { comment, Job, ownComments, runGate } from './support/lab.ts';
import { Journey, summary } from './support/request.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const done = async (): Promise<Journey> => (await Journey.accepted(fake)).journal().runner({ comparison: summary({ unchanged: 3 }), report: '**no change found in 3**\n' });

describe('a locked conversation', () => {
  beforeEach(() => { fake.state.pulls.get(5)!.locked = true; });
  it('is_measured_and_the_check_and_the_summary_tell_it', async () => {
    const journey = await done();
    expect(journey.job.outputs).toMatchObject({ decision: 'run' });
    expect(journey.job.outputs['status-comment']).toBeUndefined();
    expect(fake.state.checks[0]!.output!.summary).toContain('The conversation is locked, so this check and the summary of the run tell what comes of it.');
    for (const step of ['plan', 'waiting', 'measuring']) expect(await journey.status(step)).toBe(0);
    expect(fake.state.checks).toMatchObject([{ status: 'in_progress', output: { title: 'measuring' } }]);
    expect(await journey.publish()).toBe(0);
    expect(fake.state.checks).toMatchObject([{ status: 'completed', conclusion: 'success', output: { title: 'no change found in 3' } }]);
    expect(journey.job.read('summary')).toContain('no change found in 3');
    expect(ownComments(fake)).toEqual([]);
  });
  const check = (): string => JSON.stringify(fake.state.checks);
  it.each([['waiting', 'measuring'], ['plan', 'waiting'], ['plan', 'measuring']])('never_lets_the_check_go_back: %s after %s', async (late, early) => {
    const journey = await Journey.accepted(fake);
    await journey.status(early);
    const told = check();
    expect(await journey.status(late)).toBe(0);
    expect(check()).toBe(told);
    expect(JSON.parse(told)[0].output.title).toBe(early);
  });
  it('never_lets_the_check_go_back_from_the_verdict', async () => {
    const journey = await done();
    await journey.publish();
    const told = check();
    await journey.status('measuring');
    expect(check()).toBe(told);
  });
  it('lets_the_check_begin_anew_in_another_attempt_and_where_nobody_knows_which_check_it_was', async () => {
    const journey = await Journey.accepted(fake);
    await journey.status('measuring');
    delete journey.job.env['PERF_LAB_CHECK_RUN'];
    const told = check();
    await journey.status('waiting');
    expect(check()).toBe(told);
    journey.job.env['GITHUB_RUN_ATTEMPT'] = '2';
    await journey.status('waiting');
    expect(fake.state.checks).toMatchObject([{ status: 'in_progress', output: { title: 'waiting' } }]);
  });
  it('whose_check_is_gone_gets_another', async () => {
    const journey = await Journey.accepted(fake);
    fake.state.checks = [];
    expect(await journey.status('waiting')).toBe(0);
    expect(fake.state.checks).toMatchObject([{ output: { title: 'waiting' } }]);
  });
  it('is_told_of_a_plan_that_was_refused_by_check_and_summary', async () => {
    const journey = await Journey.accepted(fake);
    journey.job.problems('perf-lab: prims: is unknown\n');
    expect(await journey.status('problems')).toBe(46);
    expect(fake.state.checks).toMatchObject([{ status: 'completed', output: { title: 'refused: plan-problems' } }]);
    const told = check();
    journey.job.env['PERF_LAB_PLANNED'] = 'refused';
    expect(await journey.publish()).toBe(0);    // the last job of the run, which always runs
    expect(check()).toBe(told);
    expect(told).toContain('prims: is unknown');
  });
  it.each([['help', 'What each word does'], ['status', 'Nothing was asked for']])('is_answered_in_the_summary_of_the_run: %s', async (verb, text) => {
    expect((await runGate(fake, comment(fake, `/benchmark ${verb}`))).summary).toContain(text);
    expect(ownComments(fake)).toEqual([]);
  });
  it('is_no_excuse_for_a_token_that_may_not_comment', async () => {
    fake.state.pulls.get(5)!.locked = false;
    fake.fault = call => (call.method === 'POST' && call.path.endsWith('/issues/5/comments') ? { status: 403, json: { message: 'Resource not accessible by integration' } } : undefined);
    await expect(runGate(fake, comment(fake, '/benchmark'))).rejects.toMatchObject({ status: 403 });
    expect(fake.state.checks).toEqual([]);
  });
});
