import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JobResults } from '../src/process/job-results.ts';
import { lostFiles } from '../src/publish/lost.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { Job, ownComments } from './support/lab.ts';
import { Journey, summary } from './support/request.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const only = (): string => { expect(ownComments(fake)).toHaveLength(1); return ownComments(fake)[0]!; };
const done = async (): Promise<Journey> => (await Journey.accepted(fake)).journal().runner({ comparison: summary({ unchanged: 3 }), report: '**no change found in 3**\n' });

describe('files of the run that are gone', () => {
  const gone = (what: string): string => `A file of this run is gone or not as it was made (\`${what}\`), so nothing can be judged.`;
  it.each([['success', 'planned', ['tools', 'plan']], ['failure', 'planned', ['plan']], ['success', 'refused', ['tools']], ['skipped', '', []]])('are_those_that_were_made: tools %s, plan %s', (tools, planned, lost) => {
    expect(lostFiles({ PERF_LAB_RUNNER: '/nowhere/perf-lab', PERF_LAB_PLANNED: planned }, { tools } as JobResults)).toEqual(lost);
  });
  it('are_named_and_nothing_is_judged: tools', async () => {
    const journey = await done();
    journey.job.env['PERF_LAB_RUNNER'] = journey.job.path('nothing');
    expect(await journey.publish()).toBe(0);
    expect(only()).toContain(gone('tools'));
    expect(only()).toContain('### perf-lab: no result');
  });
  it.each(['gone', 'replaced'])('are_named_and_nothing_is_judged: a plan that is %s', async how => {
    const journey = await done();
    if (how === 'gone') journey.job.env['PERF_LAB_PLAN'] = journey.job.path('nothing');
    else journey.job.write('plan.json', '{}');
    expect(await journey.publish()).toBe(0);
    expect(only()).toContain(gone('plan'));
    expect(journey.job.read('called')).toBe('');
  });
  it('are_named_and_nothing_is_judged: the plan of several machines', async () => {
    const journey = await done();
    Object.assign(journey.job.env, { PERF_LAB_PLAN: journey.job.path('nothing'), PERF_LAB_SHARDS: '{}' });
    expect(await journey.publish()).toBe(0);
    expect(only()).toContain(gone('plan'));
  });
  const before = ['TOOLS', 'PLAN', 'BUILD_BASE', 'BUILD_HEAD', 'BASES', 'COMPLETE', 'LAB_UP'];
  it.each(before)('are_not_missed_where_nothing_was_measured: %s', async job => {
    const journey = (await Journey.accepted(fake)).results({ MEASURE: 'skipped', [job]: 'failure' });
    journey.job.env['PERF_LAB_PLAN'] = journey.job.path('nothing');
    expect(await journey.publish()).toBe(0);
    expect(only()).toMatch(/### perf-lab: failed while /);
    expect(only()).not.toContain('gone');
  });
  it('are_named_all', async () => {
    const journey = await done();
    Object.assign(journey.job.env, { PERF_LAB_RUNNER: journey.job.path('nothing'), PERF_LAB_PLAN: journey.job.path('nothing') });
    await journey.publish();
    expect(only()).toContain('Files of this run are gone or not as they were made (`tools`, `plan`), so nothing can be judged.');
  });
  it('are_told_after_what_went_wrong', async () => {
    const journey = (await done()).results({ MEASURE: 'failure' });
    journey.job.env['PERF_LAB_RUNNER'] = journey.job.path('nothing');
    await journey.publish();
    expect(only()).toMatch(/### perf-lab: failed while measuring[^]*Failed while measuring; the log of the run says why\.\nA file of this run/);
  });
  it('of_a_plan_that_was_refused_are_not_missed', async () => {
    const journey = (await Journey.accepted(fake)).results({ BUILD_BASE: 'skipped', BUILD_HEAD: 'skipped', LAB_UP: 'skipped', MEASURE: 'skipped' });
    journey.job.env['PERF_LAB_PLANNED'] = 'refused';
    expect(await journey.publish()).toBe(0);
    expect(only()).toMatch(/state stage=failed .*-->\n### perf-lab: refused\n/);
    expect(only()).toContain('the log of the job `plan` has it');
  });
  it('the_last_publisher_says_that_it_could_not_fetch_and_ends_red', async () => {
    const journey = await done(), { env } = journey.job;
    fake.fault = call => (call.path.endsWith('/zip') ? { status: 401, json: { message: 'Bad credentials' } } : undefined);
    await expect(journey.publish()).rejects.toMatchObject({ status: 401 });
    expect(only()).toContain('### perf-lab: accepted');
    env['PERF_LAB_LAST'] = 'true';
    expect(await journey.publish()).toBe(1);
    expect(only()).toMatch(/state stage=failed .*-->\n### perf-lab: no result\n\nWhat there is to publish could not be fetched or judged: /);
    expect(only()).toMatch(/[^\n]* Re-run the failed job `publish` within a day, while the files are kept\.\n\n/);
    fake.fault = undefined;
    env['GITHUB_RUN_ATTEMPT'] = '2';
    expect(await journey.publish()).toBe(0);
    expect(only()).toContain('### perf-lab: no change found in 3');
  });
  it('the_last_publisher_says_first_what_went_wrong', async () => {
    const journey = (await done()).results({ MEASURE: 'failure' });
    journey.job.env['PERF_LAB_LAST'] = 'true';
    fake.fault = call => (call.path.endsWith('/zip') ? { status: 401, json: { message: 'Bad credentials' } } : undefined);
    expect(await journey.publish()).toBe(1);
    expect(only()).toMatch(/### perf-lab: failed while measuring[^]*says why\.\nWhat there is to publish could not be fetched/);
  });
});

it('a_build_that_left_no_log_is_not_blamed_on_its_commit', async () => {
  await (await Journey.accepted(fake)).results({ BUILD_HEAD: 'failure', LAB_UP: 'skipped', MEASURE: 'skipped' }).publish();
  expect(only()).toContain('### perf-lab: failed while building head\n');
  expect(only()).toContain('it failed before or after it. Nothing was measured; the log of the run says why.');
});

it('a_build_out_of_time_is_called_so_without_a_log_too', async () => {
  const [started_at, completed_at] = ['2026-11-20T10:00:00Z', '2026-11-20T11:00:02Z'];
  fake.state.jobs = [{ run: 900, name: 'benchmark / build-head / build', conclusion: 'cancelled', started_at, completed_at }];
  await (await Journey.accepted(fake)).results({ BUILD_HEAD: 'cancelled', LAB_UP: 'skipped', MEASURE: 'skipped' }).publish();
  expect(only()).toContain('### perf-lab: out of time while building head\n');
});

it('a_build_that_was_cancelled_is_called_so_where_nobody_can_say_how_long_it_ran', async () => {
  fake.fault = call => (call.path.endsWith('/jobs') ? { status: 401, json: { message: 'Bad credentials' } } : undefined);
  await (await Journey.accepted(fake)).results({ BUILD_HEAD: 'cancelled', LAB_UP: 'skipped', MEASURE: 'skipped' }).publish();
  expect(only()).toContain('### perf-lab: cancelled\n\nCancelled while building head.');
});

it('of_two_builds_that_failed_the_one_without_a_log_is_not_blamed', async () => {
  await (await Journey.accepted(fake)).results({ BUILD_BASE: 'failure', BUILD_HEAD: 'failure', LAB_UP: 'skipped', MEASURE: 'skipped' }).buildLog('base', 'error CS1002').publish();
  expect(only()).toContain('### perf-lab: base does not build\n');
  expect(only()).toContain('error CS1002');
  expect(only()).not.toContain('head does not build');
});
