import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { staleTrend } from '../src/trend/last-success.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { testClient } from './support/lab.ts';

let fake: FakeGitHub;
const at = { owner: 'example', repo: 'library', runId: 900, runAttempt: 1, apiUrl: '', serverUrl: 'https://github.com' };
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

const day = (number: number): string => `2026-03-${String(number).padStart(2, '0')}T03:00:00Z`;
const on = (number: number): Promise<string | null> => staleTrend(testClient(fake), at, Date.parse(day(number)));
const workflow = (more: Partial<NonNullable<FakeGitHub['state']['trendWorkflow']>>): void => { fake.state.trendWorkflow = { state: 'active', created_at: day(1), successes: [], ...more }; };

it('a_repository_without_a_weekly_trend_is_not_warned', async () => { expect(await on(28)).toBeNull(); });

it.each([[11, null], [12, 'the weekly trend last succeeded 10 days ago.'], [23, 'the weekly trend last succeeded 21 days ago.']])('a_last_success_on_the_2nd_is_told_on_the_%i_as %s', async (today, told) => {
  workflow({ successes: [day(1), day(2)] });
  expect(await on(today)).toBe(told);
});

it('a_trend_that_never_succeeded_is_told_by_its_age', async () => {
  workflow({});
  expect([await on(5), await on(15)]).toEqual([null, 'the weekly trend has not succeeded once in 14 days.']);
});

it.each([
  ['disabled_inactivity', ' GitHub has switched it off: a schedule ends after 60 days without a commit.'], ['disabled_manually', ' Somebody has switched it off (Actions, trend, Enable workflow).'],
  ['disabled_fork', ' It is switched off, as all are in a new fork (Actions, Enable workflow).'], ['disabled_later', ' GitHub calls its state `disabled_later`.'], ['x](y)', ' GitHub calls its state `unknown`.'],
  ['](x)_y', ' GitHub calls its state `unknown`.'],
])('a_schedule_that_was_switched_off_is_told_by_who_did_it: %s', async (state, why) => {
  workflow({ successes: [day(1)], state });
  expect(await on(20)).toBe(`the weekly trend last succeeded 19 days ago.${why}`);
});

it('a_file_that_was_taken_away_is_not_missed', async () => {
  workflow({ successes: [day(1)], state: 'deleted' });
  expect(await on(20)).toBeNull();
});

it('a_token_that_may_not_ask_costs_nothing', async () => {
  fake.fault = () => ({ status: 403, json: { message: 'Resource not accessible by integration' } });
  expect(await on(20)).toBeNull();
});

it('an_answer_that_is_none_is_told', async () => {
  fake.fault = () => ({ status: 422, json: { message: 'no such thing' } });
  await expect(on(20)).rejects.toThrow('no such thing');
});
