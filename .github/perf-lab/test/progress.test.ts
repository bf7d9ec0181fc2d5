import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BOT } from './fake/state.ts';
import { comment, Job, ownComments, runGate, testClient } from './support/lab.ts';
import { Journey } from './support/request.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const only = (): string => { expect(ownComments(fake)).toHaveLength(1); return ownComments(fake)[0]!; };

describe('progress', () => {
  it.each([['waiting', 'measuring'], ['plan', 'waiting'], ['plan', 'measuring']])('never_goes_back: %s after %s', async (late, early) => {
    const journey = await Journey.accepted(fake);
    await journey.status(early);
    const [told, check] = [only(), JSON.stringify(fake.state.checks)];
    expect(await journey.status(late)).toBe(0);
    expect([only(), JSON.stringify(fake.state.checks)]).toEqual([told, check]);
  });
  it('never_goes_back_in_a_new_comment_where_somebody_deleted_the_first', async () => {
    const journey = await Journey.accepted(fake);
    await journey.status('measuring');
    fake.state.comments = fake.state.comments.filter(({ user }) => user.id !== BOT.id);
    await journey.status('waiting');
    expect(ownComments(fake)).toEqual([]);
    expect(fake.state.checks).toMatchObject([{ output: { title: 'measuring' } }]);
  });
  it('begins_anew_in_another_attempt', async () => {
    const journey = await Journey.accepted(fake);
    await journey.status('measuring');
    journey.job.env['GITHUB_RUN_ATTEMPT'] = '2';
    await journey.status('plan');
    expect(only()).toContain('### perf-lab: building');
  });
});

it('a_comment_that_was_submitted_too_quickly_is_sent_again', async () => {
  let times = 0;
  fake.fault = call => (call.method === 'POST' && call.path.endsWith('/issues/5/comments') && times++ === 0 ? { status: 422, json: { message: 'Validation Failed', errors: [{ message: 'was submitted too quickly' }] } } : undefined);
  expect((await runGate(fake, comment(fake, '/benchmark'), { gh: testClient(fake) })).code).toBe(0);
  only();
  expect(fake.state.comments.filter(({ user }) => user.id === BOT.id)).toHaveLength(1);
});
