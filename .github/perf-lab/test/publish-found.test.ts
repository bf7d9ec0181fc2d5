import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BOT } from './fake/state.ts';
import { Job, ownComments } from './support/lab.ts';
import { Journey, sha256, summary } from './support/request.ts';
import { zip } from './support/zip.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const last = (): string => ownComments(fake).at(-1)!;
const uploads = (): string[] => fake.calls().filter(call => call.includes('artifact'));

/** A plan of two shards, and what the job of each machine said of itself. */
function spread(journey: Journey, calls: Record<string, unknown>): Journey {
  const plan = JSON.stringify({ schema: 'perf-lab/plan/1', plan: { cells: [{}, {}], shards: [['c000'], ['c001']], estimate: { leastSeconds: 60, mostSeconds: 120, longestShard: { leastSeconds: 30, mostSeconds: 60 } } } });
  Object.assign(journey.job.env, { PERF_LAB_PLAN: journey.job.write('plan.json', plan), PERF_LAB_PLAN_DIGEST: sha256(plan), PERF_LAB_SHARDS: JSON.stringify(calls) });
  return journey;
}

function uploaded(number: number, shard = number): unknown {
  const archive = zip([{ name: 'samples.ndjson', data: Buffer.from(`{"kind":"session","shard":${shard}}\n`) }]), id = ++fake.state.lastId;
  fake.state.artifacts.push({ id, name: `samples-shard-${number}`, run: 900, zip: archive });
  return { result: 'success', outputs: { id: String(id), archive: sha256(archive), result: 'success' } };
}

describe('what is published', () => {
  it('stands_in_the_comment_of_its_own_request', async () => {
    const first = await Journey.accepted(fake), second = await Journey.accepted(fake, { text: '/benchmark quick' });
    const [own, other] = fake.state.comments.filter(({ user }) => user.id === BOT.id).map(({ id }) => id).reverse();
    const before = fake.state.comments.find(({ id }) => id === other)!.body;
    await second.journal().runner({ comparison: summary({ unchanged: 2 }), report: '**no change found in 2**\n' }).publish();
    expect(fake.state.comments.find(({ id }) => id === own)!.body).toContain('### perf-lab: no change found in 2');
    expect(fake.state.comments.find(({ id }) => id === other)!.body).toBe(before);
    expect(first.job.outputs['status-comment']).toBe(String(other));
  });
  it('is_that_the_plan_was_refused_when_it_was', async () => {
    const journey = await Journey.accepted(fake), { job } = journey;
    job.problems('one');
    await journey.status('problems');
    job.write('output', '');    // what the earlier jobs said
    const summary = job.read('summary');
    expect([await journey.publish(), job.outputs]).toEqual([0, { ending: 'refused' }]);
    expect(job.read('summary')).toBe(summary);    // nor is the job's summary of anything that was measured
  });
  it.each<[string, Record<string, number>, string | null]>([
    ['green', { unchanged: 3 }, null], ['neutral', { regressed: 1 }, 'Something regressed, and this workflow lets that pass (`fail-on: regression` makes it fail).'],
  ])('is_in_the_check_what_is_in_the_comment_and_why_it_is_neutral: %s', async (_, counts, why) => {
    await (await Journey.accepted(fake)).journal().runner({ comparison: summary(counts), report: '**the answer**\n' }).publish();
    const [, said] = (fake.state.checks[0] as unknown as { output: { summary: string } }).output.summary.split(/\n\n(.*)/s);
    expect(said!.split('### perf-lab')[0]).toBe(`${why === null ? '' : `Neutral: ${why}\n\n`}${last().split('### perf-lab')[0]!.replace(/^<!-- perf-lab:v1 .*\n/, '')}`);
  });
});

describe('the runner', () => {
  it('gets_the_one_journal_of_one_machine', async () => {
    const journey = (await Journey.accepted(fake)).journal().runner();
    await journey.publish();
    expect(journey.job.read('called').split('\n').slice(0, 3)).toEqual(['compare', expect.stringMatching(/\/samples\.ndjson$/), '--plan']);
  });
  const explained = (journey: Journey): Journey => {
    journey.artifact('explanation', zip([{ name: 'explanation.json', data: Buffer.from('{}') }]));
    Object.assign(journey.job.env, { PERF_LAB_EXPLANATION_ID: String(fake.state.lastId), PERF_LAB_EXPLANATION_DIGEST: sha256(fake.state.artifacts.at(-1)!.zip) });
    return journey;
  };
  it('gets_no_explanation_without_a_journal', async () => {
    const journey = explained(await Journey.accepted(fake)).runner();
    await journey.publish();
    expect([uploads(), journey.job.read('explanation.json')]).toEqual([[], '']);
  });
  it('gets_no_explanation_of_one_machine_for_what_several_measured', async () => {
    const journey = explained(spread(await Journey.accepted(fake), { 'shard-1': uploaded(1), 'shard-2': uploaded(2) })).runner();
    await journey.publish();
    expect([last().includes('1 regressed'), journey.job.read('explanation.json')]).toEqual([true, '']);
  });
  it('judges_what_there_is_and_the_comment_says_all_that_is_missing', async () => {
    const journey = spread(await Journey.accepted(fake), { spread: { result: 'success', outputs: { shards: '[1,2]' } }, 'shard-1': uploaded(1), 'shard-2': uploaded(2, 1) }).runner();
    journey.job.env['PERF_LAB_MACHINES'] = '3';
    await journey.publish();
    expect(last()).toContain('3 machines were asked for and 2 came, so they measured all of it; the log of the run says what kept the others. Machine 2: The journal was refused: it says it is shard `1`.\n');
  });
});

it('a_page_that_the_runner_can_not_make_costs_nobody_the_verdict', async () => {
  const journey = (await Journey.accepted(fake)).journal().runner({ page: null, code: 1 });
  expect(await journey.publish()).toBe(0);
  expect([last().includes('1 regressed'), journey.job.read('report.html')]).toEqual([true, '']);
});

it.each([[403, 'not for you'], [500, 'not now']])('a_comment_that_can_not_be_written_fails_the_job: %i', async (status, message) => {
  const journey = (await Journey.accepted(fake)).journal().runner();
  fake.fault = call => (call.method !== 'GET' && call.path.includes('/comments') ? { status, json: { message } } : undefined);
  await expect(journey.publish()).rejects.toMatchObject({ status });
  expect(journey.job.read('summary')).toContain('1 regressed');    // what was measured is not lost with it
});

describe('before anything is measured', () => {
  it.each<[string, Record<string, string>, string]>([
    ['tools', { TOOLS: 'failure', PLAN: 'skipped', LAB_UP: 'skipped', MEASURE: 'skipped' }, 'failed while building perf-lab'],
    ['the plan', { PLAN: 'failure', LAB_UP: 'skipped', MEASURE: 'skipped' }, 'failed while planning'],
    ['a build', { BUILD_HEAD: 'failure', LAB_UP: 'skipped', MEASURE: 'skipped' }, 'head does not build'],
  ])('no_journal_is_looked_for: %s', async (_, results, title) => {
    const journey = (await Journey.accepted(fake)).results(results).journal().buildLog('head', 'error').runner();
    await journey.publish();
    expect(last()).toContain(`### perf-lab: ${title}\n`);
    expect(journey.job.read('called')).toBe('');
    expect(uploads()).toEqual(results['BUILD_HEAD'] === undefined ? [] : ['GET /actions/artifacts/:id', 'GET /actions/artifacts/:id/zip']);    // the log of the build
  });
  it('a_build_that_fails_is_no_failure_of_the_machines_that_waited_for_it', async () => {
    const journey = (await Journey.accepted(fake)).results({ BUILD_HEAD: 'failure', LAB_UP: 'skipped', MEASURE: '' }).buildLog('head', 'error');
    spread(journey, { 'shard-1': { result: 'skipped', outputs: {} }, 'shard-2': { result: 'skipped', outputs: {} } });
    await journey.publish();
    expect(last()).toContain('Nothing was measured. The other commit, base, builds.');
    expect(last()).not.toContain('Machine');
  });
});

describe('what the verdict stands on', () => {
  const judged = { comparison: summary({ unchanged: 2 }), report: '**no change found in 2**\n' };
  it('is_the_journal_that_was_judged_with_its_plan_beside_it', async () => {
    const journey = (await Journey.accepted(fake)).journal('{"kind":"session"}\n'), { env } = journey.job;
    env['PERF_LAB_OUT'] = journey.job.path('report');
    await journey.runner(judged).publish();
    expect(journey.job.outputs['journals']).toBe(sha256('{"kind":"session"}\n'));
    const [kept, plan] = [join(env['PERF_LAB_OUT'], 'plan.json'), env['PERF_LAB_PLAN']!].map(file => readFileSync(file, 'utf8'));
    expect(kept).toBe(plan);
  });
  it('is_every_machine\'s_journal', async () => {
    const journey = spread(await Journey.accepted(fake), { 'shard-1': uploaded(1), 'shard-2': uploaded(2) });
    await journey.runner(judged).publish();
    expect(journey.job.outputs['journals']).toBe([1, 2].map(shard => sha256(`{"kind":"session","shard":${shard}}\n`)).join('.'));
  });
  it.each([
    ['that_could_not_be_judged', (journey: Journey) => journey.journal().runner({ comparison: '', code: 2 })],
    ['that_was_refused', (journey: Journey) => journey.uploaded('samples', 'SAMPLES', Buffer.from('no archive')).runner(judged)],
    ['that_nobody_uploaded', (journey: Journey) => journey.runner(judged)],
  ])('is_nothing_where_there_is_a_journal_%s', async (_, has) => {
    const journey = has(await Journey.accepted(fake));
    await journey.publish();
    expect(journey.job.outputs['journals']).toBeUndefined();
  });
});
