import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { comment, MALLORY, ownComments, runGate } from './support/lab.ts';
import { expectRefusal } from './support/refusal.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

describe('verbs', () => {
  it('help_and_status_are_answered_in_place', async () => {
    expect((await runGate(fake, comment(fake, '/benchmark help'))).outputs).toEqual({ decision: 'done' });
    expect(ownComments(fake)[0]).toContain('machines: `azure-d4s`, `ryzen`; without one: `azure-d4s`');
    await runGate(fake, comment(fake, '/benchmark'));
    await runGate(fake, comment(fake, '/benchmark status'));
    expect(ownComments(fake).at(-1)).toContain('- [accepted](');
  });
  it('cancel_names_the_run_that_is_under_way', async () => {
    await runGate(fake, comment(fake, '/benchmark'));
    const { outputs } = await runGate(fake, comment(fake, '/benchmark cancel'), { env: { GITHUB_RUN_ID: '901' } });
    expect(outputs).toEqual({ 'decision': 'cancel', 'run-to-cancel': '900' });
  });
  it('cancel_without_a_run_is_refused', async () => { await expectRefusal(fake, 'nothing-to-cancel', comment(fake, '/benchmark cancel')); });
  it('cancel_by_somebody_who_may_not_write_is_refused', async () => { await expectRefusal(fake, 'not-authorised', comment(fake, '/benchmark cancel', { user: MALLORY })); });
  it('rerun_repeats_the_words_at_the_head_of_now', async () => {
    await runGate(fake, comment(fake, '/benchmark quick --pgo off'));
    fake.state.runs[0]!.status = 'completed';
    const { request } = await runGate(fake, comment(fake, '/benchmark rerun'), { env: { GITHUB_RUN_ID: '901' } });
    expect(request.words).toMatchObject({ suite: 'quick', pgo: ['off'] });
  });
  it('rerun_without_an_earlier_request_is_refused', async () => { await expectRefusal(fake, 'nothing-to-rerun', comment(fake, '/benchmark rerun')); });
});
