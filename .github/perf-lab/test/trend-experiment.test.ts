import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chooseExperiment } from '../src/trend/experiment.ts';
import type { Trend } from '../src/history/trend-file.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { Job, testClient } from './support/lab.ts';
import { AFTER, ANCHOR, BEFORE, HEAD, change, jobOf, place, runnerOf, trendOf } from './support/trend-steps.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); fake.state.history = [ANCHOR, BEFORE, AFTER, HEAD]; });

const job = (env: Record<string, string> = {}): Job => jobOf(fake, env);

describe('the experiment', () => {
  const choose = async (found: Trend, answers: { plan?: number } = {}) => {
    const at = job();
    const choice = await chooseExperiment({ gh: testClient(fake), at: { owner: 'example', repo: 'library', runId: 900, runAttempt: 1, apiUrl: fake.url, serverUrl: 'https://github.com' }, head: HEAD, trend: found, runner: runnerOf(at, answers), root: at.folder, plan: at.path('confirm-plan.json') });
    return { ...choice, called: at.read('called'), plan: at.read('confirm-plan.json') };
  };

  it('is_of_the_clearest_change_that_is_due_with_whole_commits', async () => {
    const { experiment, called, plan } = await choose(trendOf(change('a'), change('b', { members: [{ ...change('b').members[0]!, pValue: 0.001 }] }), change('c', { status: 'watched', members: [{ ...change('c').members[0]!, pValue: 0.0001 }] })));
    expect(experiment).toEqual({ change: 'b'.repeat(12), before: BEFORE, after: AFTER });
    expect(called).toBe(`plan primes --base source=${BEFORE} --head source=${AFTER} --set limit=300 --rounds 0+28 --checkouts .\n`);
    expect(plan).toBe('{"plan":1}\n');
  });

  it.each([['is gone', 'e'.repeat(12)], ['is a build', 'sha256:abc'], ['is an option', '--help'], ['is not said', null]])('never_builds_a_commit_that_%s', async (_, commit) => {
    const { experiment, called } = await choose(trendOf(change('a', { after: place(commit) })));
    expect([experiment, called]).toEqual([null, '']);
  });

  it('is_of_a_change_that_has_a_command', async () => { expect((await choose(trendOf(change('a', { confirm: null })))).experiment).toBeNull(); });
  it('may_end_at_head_itself', async () => { expect((await choose(trendOf(change('a', { after: place(HEAD) })))).experiment).toMatchObject({ after: HEAD }); });
  it.each(['x'.repeat(12), '2'.repeat(11), '2'.repeat(41), '!222222222222', '222222222222!'])('asks_for_no_commit_that_is_none: %s', async commit => {
    const { experiment, notes } = await choose(trendOf(change('a', { before: place(commit) })));
    expect([experiment, notes, fake.seen.filter(({ path }) => path.includes(commit))]).toEqual([null, ['The change `aaaaaaaaaaaa` can\'t be confirmed: a commit of it is not on the default branch any more.'], []]);
  });
  it('takes_the_next_change_when_one_has_no_words', async () => {
    const { experiment, notes } = await choose(trendOf(change('a', { members: [{ ...change('a').members[0]!, workload: '--out' }] }), change('b', { members: [{ ...change('b').members[0]!, pValue: 0.009 }] })));
    expect([experiment?.change, notes.length]).toEqual(['b'.repeat(12), 1]);
  });
  it.each([[404, true], [422, true], [403, false], [500, false]])('is_not_of_a_commit_that_GitHub_answers_with_%i', async (status, isGone) => {
    fake.fault = call => (call.path.includes('/commits/') ? { status, json: { message: 'no such thing' } } : undefined);
    if (isGone) expect((await choose(trendOf(change('a')))).experiment).toBeNull();
    else await expect(choose(trendOf(change('a')))).rejects.toThrow('no such thing');
  });
  it('is_not_of_another_commit_than_the_one_that_was_named', async () => {
    fake.fault = call => (call.path.endsWith(`/commits/${'2'.repeat(12)}`) ? { status: 200, json: { sha: AFTER } } : undefined);
    expect((await choose(trendOf(change('a')))).experiment).toBeNull();
  });

  it('is_of_the_commit_whose_name_begins_as_it_was_kept', async () => {
    const whole = `${'2'.repeat(12)}${'5'.repeat(28)}`;
    fake.state.history = [ANCHOR, whole, AFTER, HEAD];
    expect((await choose(trendOf(change('a')))).experiment).toMatchObject({ before: whole });
  });
  it('is_not_of_a_commit_of_another_length_nor_of_one_that_GitHub_can_not_compare', async () => {
    fake.state.history = [ANCHOR, '2'.repeat(64), AFTER, HEAD];
    expect((await choose(trendOf(change('a')))).experiment).toBeNull();
    fake.state.history = [ANCHOR, BEFORE, AFTER, HEAD];
    fake.fault = call => (call.path.includes('/compare/') ? { status: 404, json: { message: 'Not Found' } } : undefined);
    expect((await choose(trendOf(change('a')))).notes).toEqual(['The change `aaaaaaaaaaaa` can\'t be confirmed: a commit of it is not on the default branch any more.']);
  });
  it('never_builds_a_commit_that_is_not_before_head', async () => {
    fake.state.history = [ANCHOR, BEFORE, HEAD, AFTER];
    expect((await choose(trendOf(change('a')))).experiment).toBeNull();
  });

  it('that_can_not_be_planned_is_said_and_the_next_is_taken', async () => {
    const { experiment, notes } = await choose(trendOf(change('a')), { plan: 2 });
    expect([experiment, notes]).toEqual([null, ['The change `aaaaaaaaaaaa` can\'t be planned: `nothing of that name`.']]);
  });
});
