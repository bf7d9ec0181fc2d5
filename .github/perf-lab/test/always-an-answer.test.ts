import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BOT, HEAD, newRun } from './fake/state.ts';
import { comment, CONFIG, Job, ownComments, runGate, testClient } from './support/lab.ts';
import { expectRefusal } from './support/refusal.ts';
import { Journey, summary } from './support/request.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const only = (): string => { expect(ownComments(fake)).toHaveLength(1); return ownComments(fake)[0]!; };
const done = async (): Promise<Journey> => (await Journey.accepted(fake)).journal().runner({ comparison: summary({ unchanged: 3 }), report: '**no change found in 3**\n' });

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
  });
  it('is_no_excuse_for_a_token_that_may_not_comment', async () => {
    fake.state.pulls.get(5)!.locked = false;
    fake.fault = call => (call.method === 'POST' && call.path.endsWith('/issues/5/comments') ? { status: 403, json: { message: 'Resource not accessible by integration' } } : undefined);
    await expect(runGate(fake, comment(fake, '/benchmark'))).rejects.toMatchObject({ status: 403 });
    expect(fake.state.checks).toEqual([]);
  });
});

describe('a push since the comment', () => {
  const LATER = '2026-11-20T10:00:05Z', BEFORE = '2026-11-20T09:30:00Z', REF = 'refs/heads/feature';
  const pushed = (): void => { fake.state.pulls.get(5)!.head.repo!.pushed_at = LATER; };
  it('to_another_branch_is_none_of_this_pull_request', async () => {
    pushed();
    fake.state.activity = [{ ref: REF, after: HEAD, timestamp: BEFORE }, { ref: 'refs/heads/perf-lab-data', after: 'd'.repeat(40), timestamp: LATER }];
    expect((await runGate(fake, comment(fake, '/benchmark'))).request.head).toBe(HEAD);
  });
  it('is_not_asked_about_where_nothing_was_pushed', async () => {
    await runGate(fake, comment(fake, '/benchmark'));
    expect(fake.calls().filter(call => call.includes('/activity'))).toEqual([]);
  });
  it.each<[string, typeof fake.state.activity]>([
    ['to_this_branch', [{ ref: REF, after: HEAD, timestamp: LATER }]], ['in_the_very_second', [{ ref: REF, after: HEAD, timestamp: '2026-11-20T10:00:00Z' }]],
    ['that_the_list_does_not_know_yet', [{ ref: REF, after: 'e'.repeat(40), timestamp: BEFORE }]], ['of_a_branch_without_a_past', []],
  ])('%s_is_refused', async (_, activity) => {
    pushed();
    fake.state.activity = activity;
    await expectRefusal(fake, 'branch-moved', comment(fake, '/benchmark'));
  });
  it.each([403, 404, 422])('is_refused_where_GitHub_can_not_say: %i', async status => {
    pushed();
    fake.fault = call => (call.path.endsWith('/activity') ? { status, json: { message: 'no' } } : undefined);
    await expectRefusal(fake, 'branch-moved', comment(fake, '/benchmark'));
  });
  it('is_asked_about_by_the_full_name_of_the_branch_and_nothing_of_it_is_said', async () => {
    pushed();
    const pull = fake.state.pulls.get(5)!;
    pull.head.ref = '$(curl x)&ref=refs/heads/main@org';
    fake.state.activity = [{ ref: `refs/heads/${pull.head.ref}`, after: HEAD, timestamp: BEFORE }];
    const { request, outputs } = await runGate(fake, comment(fake, '/benchmark'));
    expect(fake.seen.find(call => call.path.endsWith('/activity'))!.query.getAll('ref')).toEqual([`refs/heads/${pull.head.ref}`]);
    expect(JSON.stringify([request, outputs, ownComments(fake)])).not.toContain('curl');
  });
  it('to_a_fork_is_refused_with_a_short_commit', async () => {
    pushed();
    fake.state.permissions.set('alice', 'admin');
    fake.state.pulls.get(5)!.head.repo!.id = 666;
    fake.state.activity = [{ ref: REF, after: HEAD, timestamp: BEFORE }];
    await expectRefusal(fake, 'branch-moved', comment(fake, `/benchmark ${HEAD.slice(0, 12)}`));
  });
});

// The names of GitHub's events: docs.github.com, "Issue event types".
it.each(['base_ref_changed', 'automatic_base_change_succeeded', 'base_ref_force_pushed'])('a_base_that_changed_since_the_comment_is_refused: %s', async event => {
  fake.state.events = [{ issue: 5, event, created_at: '2026-11-20T10:00:01Z' }];
  await expectRefusal(fake, 'base-changed', comment(fake, '/benchmark'));
  fake.reset();
  fake.state.events = [{ issue: 5, event, created_at: '2026-11-20T09:59:59Z' }];
  expect((await runGate(fake, comment(fake, '/benchmark'))).code).toBe(0);
});

describe('the share of a person', () => {
  const asked = (index: number) => comment(fake, '/benchmark', { at: `2026-11-20T09:${10 + index}:00Z` });
  /** Requests of alice that were accepted and are over, each by its own run. */
  async function accepted(count: number, attempts = 1): Promise<void> {
    for (let i = 0; i < count; i++) {
      const run = 2000 + i;
      fake.state.runs.push({ ...newRun(run), status: 'completed', run_attempt: attempts });
      await runGate(fake, asked(i), { env: { GITHUB_RUN_ID: String(run) } });
      fake.state.comments.at(-1)!.body = fake.state.comments.at(-1)!.body.replace('stage=accepted', 'stage=done').replace('attempt=1 ', `attempt=${attempts} `);
    }
  }
  it('holds_what_was_run_again', async () => {
    await accepted(5, 2);
    expect((await runGate(fake, comment(fake, '/benchmark'))).outputs['code']).toBe('user-limit');
  });
  it('holds_what_GitHub_says_was_run_again_and_not_what_a_comment_says', async () => {
    await accepted(5, 2);
    for (const run of fake.state.runs) run.run_attempt = 1;
    expect((await runGate(fake, comment(fake, '/benchmark'))).code).toBe(0);
  });
  it('holds_this_request_as_often_as_it_was_run', async () => {
    await accepted(8);
    const event = comment(fake, '/benchmark');
    expect((await runGate(fake, event, { env: { GITHUB_RUN_ATTEMPT: '2' } })).code).toBe(0);
    expect((await runGate(fake, event, { env: { GITHUB_RUN_ATTEMPT: '3' } })).outputs['code']).toBe('user-limit');
  });
  it('is_no_larger_for_fifteen_comments_within_one_second', async () => {
    const suites = Array.from({ length: 15 }, (_, i) => comment(fake, `/benchmark --workload w${i}`));
    fake.state.runs.push(...suites.map((_, i) => newRun(3000 + i)));
    const codes = await Promise.all(suites.map(async (event, i) => (await runGate(fake, event, { env: { GITHUB_RUN_ID: String(3000 + i) } })).code));
    expect(codes.filter(code => code === 0)).toHaveLength(10);
    expect(codes.filter(code => code === 39)).toHaveLength(5);
    expect(ownComments(fake).filter(body => body.includes(' req='))).toHaveLength(10);
  });
});

describe('a gate that GitHub does not let decide', () => {
  it.each([[500, 'Server Error'], [422, 'Server Error: Sorry, this diff is temporarily unavailable due to heavy server load.'], [503, 'Service Unavailable']])('says_so_once_with_a_way_to_go_on: %i', async (status, message) => {
    const event = comment(fake, '/benchmark');
    fake.fault = call => (call.path.includes('/compare/') ? { status, json: { message } } : undefined);
    await expect(runGate(fake, event)).rejects.toMatchObject({ status });
    expect(fake.state.reactions.map(({ content }) => content)).toEqual(['eyes', 'confused']);
    expect(only()).toContain('### perf-lab: failed before anything was started');
    expect(only()).toContain('Re-run [the failed job](https://github.com/example/library/actions/runs/900)');
    await expect(runGate(fake, event)).rejects.toMatchObject({ status });
    only();
    fake.fault = undefined;
    expect((await runGate(fake, event)).code).toBe(0);
    expect(only()).toContain('### perf-lab: accepted');    // and what failed before is not there any more
  });
  it('says_it_in_the_requests_own_comment_where_that_is_there', async () => {
    fake.fault = call => (call.path.includes('/check-runs') ? { status: 422, json: { message: 'no' } } : undefined);
    await expect(runGate(fake, comment(fake, '/benchmark'))).rejects.toMatchObject({ status: 422 });
    expect(only()).toContain('stage=failed');
    expect(fake.state.reactions.map(({ content }) => content)).toEqual(['eyes', 'confused']);
  });
});

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

it('a_request_for_one_of_GitHubs_own_machines_says_nothing_of_a_line', async () => {
  const config = CONFIG.replace('ryzen: { kind: metal }', 'github: { kind: hosted }');
  await runGate(fake, comment(fake, '/benchmark --machine github'), { config });
  expect(only()).not.toContain('waits for it');
});

describe('what only decorates the last word', () => {
  it.each(['/pulls/5', '/issues/comments/1001', '/actions/workflows/trend.yml', '/graphql'])('is_left_out_where_it_can_not_be_had: %s', async path => {
    const journey = await done();
    fake.fault = call => (call.path.endsWith(path) && call.method !== 'PATCH' ? { status: 401, json: { message: 'Bad credentials' } } : undefined);
    expect(await journey.publish()).toBe(0);
    expect(ownComments(fake).filter(body => body.includes('### perf-lab: no change found in 3'))).toHaveLength(1);
    expect(fake.state.checks).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
  });
  it('comes_after_the_summary_and_the_verdict', async () => {
    const journey = await done(), before = fake.seen.length;
    await journey.publish();
    const calls = fake.calls().slice(before);
    const first = (call: string): number => calls.indexOf(call);
    expect(first('PATCH /issues/comments/:id')).toBeLessThan(first('GET /pulls/:id'));
    expect(first('PATCH /check-runs/:id')).toBeLessThan(first('GET /pulls/:id'));
  });
  it('is_not_taken_off_again_by_the_same_attempt', async () => {
    const journey = await done();
    await journey.publish();
    const before = fake.seen.length;
    await journey.publish();    // another edit that mentions would notify once more
    expect(fake.seen.slice(before).filter(({ method, path }) => method !== 'GET' && path.includes('/comments/') && !path.endsWith('/reactions'))).toEqual([]);
  });
  it('a_summary_is_there_when_nothing_else_can_be_written', async () => {
    const journey = await done();
    fake.fault = call => (!call.path.includes('/artifacts') ? { status: 401, json: { message: 'Bad credentials' } } : undefined);
    await expect(journey.publish()).rejects.toMatchObject({ status: 401 });
    expect(journey.job.read('summary')).toContain('### perf-lab: no change found in 3');
  });
  it('a_comment_that_can_not_be_written_keeps_the_check_not_back', async () => {
    const journey = await done();
    fake.fault = call => (call.method === 'PATCH' && call.path.includes('/issues/comments/') ? { status: 422, json: { message: 'no' } } : undefined);
    await expect(journey.publish()).rejects.toMatchObject({ status: 422 });
    expect(fake.state.checks).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
  });
});

describe('files of the run that are gone', () => {
  const gone = (what: string): string => `A file of this run is gone or not as it was made (\`${what}\`), so nothing can be judged.`;
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
    expect(only()).toContain('### perf-lab: refused\n');
    expect(only()).toContain('the log of the job `plan` has it');
  });
  it('the_last_publisher_says_that_it_could_not_fetch_and_ends_red', async () => {
    const journey = await done(), { env } = journey.job;
    fake.fault = call => (call.path.endsWith('/zip') ? { status: 401, json: { message: 'Bad credentials' } } : undefined);
    await expect(journey.publish()).rejects.toMatchObject({ status: 401 });
    expect(only()).toContain('### perf-lab: accepted');
    env['PERF_LAB_LAST'] = 'true';
    expect(await journey.publish()).toBe(1);
    expect(only()).toContain('### perf-lab: no result');
    expect(only()).toContain('Re-run the failed job `publish` within a day');
    fake.fault = undefined;
    env['GITHUB_RUN_ATTEMPT'] = '2';
    expect(await journey.publish()).toBe(0);
    expect(only()).toContain('### perf-lab: no change found in 3');
  });
});

it('a_build_that_left_no_log_is_not_blamed_on_its_commit', async () => {
  await (await Journey.accepted(fake)).results({ BUILD_HEAD: 'failure', LAB_UP: 'skipped', MEASURE: 'skipped' }).publish();
  expect(only()).toContain('### perf-lab: failed while building head\n');
  expect(only()).toContain('it failed before or after it. Nothing was measured; the log of the run says why.');
});

it('of_two_builds_that_failed_the_one_without_a_log_is_not_blamed', async () => {
  await (await Journey.accepted(fake)).results({ BUILD_BASE: 'failure', BUILD_HEAD: 'failure', LAB_UP: 'skipped', MEASURE: 'skipped' }).buildLog('base', 'error CS1002').publish();
  expect(only()).toContain('### perf-lab: base does not build\n');
  expect(only()).toContain('error CS1002');
  expect(only()).not.toContain('head does not build');
});

it('a_comment_that_was_submitted_too_quickly_is_sent_again', async () => {
  let times = 0;
  fake.fault = call => (call.method === 'POST' && call.path.endsWith('/issues/5/comments') && times++ === 0 ? { status: 422, json: { message: 'Validation Failed', errors: [{ message: 'was submitted too quickly' }] } } : undefined);
  expect((await runGate(fake, comment(fake, '/benchmark'), { gh: testClient(fake) })).code).toBe(0);
  only();
  expect(fake.state.comments.filter(({ user }) => user.id === BOT.id)).toHaveLength(1);
});
