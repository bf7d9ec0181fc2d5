import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { cancel } from '../src/cancel.ts';
import { MINUTES } from '../src/process/job-results.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BASE, BOT, HEAD } from './fake/state.ts';
import { remark } from './support/oracle.ts';
import { Job, ownComments, testClient } from './support/lab.ts';
import { Journey, summary } from './support/request.ts';
import { zip } from './support/zip.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const only = (): string => { expect(ownComments(fake)).toHaveLength(1); return ownComments(fake)[0]!; };
const done = async () => (await Journey.accepted(fake)).journal().runner({ comparison: summary({ regressed: 1, unchanged: 3 }), report: '**1 regressed, no change found in 3**\n\n### What moved\n\n| cell |\n|---|\n| `x` |\n' });

describe('status', () => {
  it('tells_building_with_the_estimate_and_measuring_with_the_expected_end', async () => {
    const journey = await Journey.accepted(fake);
    expect(await journey.status('plan')).toBe(0);
    expect(only()).toContain('- estimate: 15 to 30 minutes for 2 cells, at most 0.10 in the subscription\'s currency');
    expect(await journey.status('waiting')).toBe(0);
    expect(only()).toContain('### perf-lab: waiting');
    expect(only()).toContain('- nobody holds `azure-d4s` or waits for it');
    expect(only()).not.toContain('@alice');
    expect(await journey.status('measuring')).toBe(0);
    expect(only()).toContain('expected end: 10:15 UTC to 10:30 UTC');
    expect(fake.state.checks).toMatchObject([{ status: 'in_progress', output: { title: 'measuring', summary: expect.stringContaining('[The run: log and files](https://github.com/example/library/actions/runs/900)') } }]);
  });
  it('posts_a_plan_over_budget_with_its_cost_and_a_smaller_suite', async () => {
    const journey = await Journey.accepted(fake);
    journey.job.problems('perf-lab: budget: this may take 300 minutes and about 0.95 in machine time; a request may take 120 minutes. Try /benchmark quick: 20 minutes.\n');
    expect(await journey.status('problems')).toBe(46);
    expect(only()).toContain("this may take 300 minutes and about 0.95 in machine time; a request may take 120 minutes. Try /benchmark quick: 20 minutes.`");
    expect(fake.state.checks).toMatchObject([{ conclusion: 'neutral' }]);
    expect(await journey.publish()).toBe(0);
    expect(only()).toContain('stage=refused');
  });
  it('posts_every_problem_that_the_plan_found_as_code_with_the_flag_that_was_typed', async () => {
    const journey = await Journey.accepted(fake, { text: '/benchmark --workload prims --runtime net99.0' });
    journey.job.problems('perf-lab: runtime: \'net99.0\' is not known. Did you mean net9.0?\nperf-lab: workload: @org/team <img src=x>\nperf-lab: prims: is neither a workload nor a suite. Did you mean primes?\nperf-lab: --machine: \'x\' is not one\n');
    expect(await journey.status('problems')).toBe(46);
    expect(only()).toContain('- `--runtime`: `runtime: \'net99.0\' is not known. Did you mean net9.0?`\n- `--workload`: `workload: @org/team <img src=x>`\n- `--workload`: `prims: is neither a workload nor a suite. Did you mean primes?`\n- `--machine: \'x\' is not one`');
    expect(fake.state.reactions.map(r => r.content)).toEqual(['eyes', 'confused']);
  });
  it('keeps_quiet_after_the_end', async () => {
    const journey = await done();
    await journey.publish();
    const last = only();
    await journey.status('measuring');
    expect(only()).toBe(last);
  });
  it('refuses_a_request_that_the_gate_did_not_write', async () => {
    const journey = await Journey.accepted(fake);
    journey.job.env['PERF_LAB_REQUEST'] += '.';
    await expect(journey.status('measuring')).rejects.toThrow('is not what the gate says of it');
  });
  it('wrong_use_ends_with_2', async () => { expect(await (await Journey.accepted(fake)).status('x')).toBe(2); });
});

describe('publish', () => {
  it('says_the_verdict_in_comment_check_summary_and_reaction', async () => {
    const journey = await done();
    expect(await journey.publish()).toBe(0);
    expect(only()).toContain('### perf-lab: 1 regressed, no change found in 3\n\n### What moved');
    expect(only()).toContain('\n\n@alice, the answer to [the command](https://github.com/example/library/pull/5#issuecomment-1001) `/benchmark pr` on `azure-d4s`: head [`aaaaaaaaaaaa`](https://github.com/example/library/commit/');
    expect(only()).toContain('### What moved');
    expect(fake.state.checks).toMatchObject([{ status: 'completed', conclusion: 'neutral', output: { title: '1 regressed, no change found in 3' } }]);
    expect(fake.state.reactions.map(r => r.content)).toEqual(['eyes', 'rocket']);
    expect(only().match(/1 regressed/g)).toHaveLength(1);
    expect(only()).toContain(`([compare](https://github.com/example/library/compare/${BASE}...${HEAD}))`);
    expect(journey.job.read('summary')).toContain('### What moved');
    expect(journey.job.outputs['ending']).toBe('done');
  });
  it('gives_the_runner_the_plan_and_never_the_token', async () => {
    const journey = await done();
    process.env['PERF_LAB_TOKEN'] = 'the-token';
    try { await journey.publish(); } finally { delete process.env['PERF_LAB_TOKEN']; }
    expect(journey.job.read('called')).toContain(`--plan\n${journey.job.path('plan.json')}\n--json`);
    expect(journey.job.read('called-env')).not.toContain('the-token');
  });
  it('sends_no_token_to_the_artifact_store', async () => {
    await (await done()).publish();
    expect(fake.storage.seen.map(call => call.authorization)).toEqual([undefined]);
  });
  it.each([['nothing got slower', { unchanged: 4 }, '', 'success'], ['a gate and a regression', { regressed: 1 }, 'regression', 'failure'], ['a gate of both and more bytes', { allocatesMore: 1, unchanged: 3 }, 'regression, allocations', 'failure'], ['more bytes without a gate', { allocatesMore: 1, unchanged: 3 }, 'regression', 'neutral'], ['a regression without a gate', { regressed: 1 }, '', 'neutral'], ['a failed cell', { unchanged: 3, failed: 1 }, '', 'neutral'], ['nothing decided', { undecided: 4 }, '', 'neutral']])('concludes: %s', async (_, counts, gate, conclusion) => {
    const journey = (await Journey.accepted(fake)).journal().runner({ comparison: summary(counts), code: 'failed' in counts ? 1 : 0 });
    journey.job.env['PERF_LAB_FAIL_ON'] = gate;
    await journey.publish();
    expect(fake.state.checks[0]!.conclusion).toBe(conclusion);
    const { summary: told } = fake.state.checks[0]!.output!;
    expect(told).toMatch(/^\[The run: log and files\]\(.*\/actions\/runs\/900\)\n<!-- perf-lab:state stage=(done|failed) [^\n]* -->\n\n/);
    expect(/\n\nNeutral: [A-Z]/.test(told)).toBe(conclusion === 'neutral');
  });
  it.each<[string, () => void]>([
    ['is gone', () => { fake.state.comments.shift(); }],
    ['is of somebody else now', () => { fake.state.comments[0]!.user = { id: 99, login: 'alice', type: 'User' }; }],
    ['has a strange name', () => { fake.state.comments[0]!.user = { id: 42, login: 'x@org/team', type: 'User' }; }],
  ])('mentions_nobody_when_the_command_%s', async (_, change) => {
    const journey = await done();
    change();
    await journey.publish();
    expect(only()).toContain('\nThe answer to [the command](');
    expect(only()).not.toContain('@');
  });
  it('offers_rerun_in_words_that_work', async () => {
    await (await done()).publish();
    expect(only()).toContain('`/benchmark rerun` repeats it');
    fake.reset();
    fake.state.permissions.set('alice', 'admin');
    fake.state.pulls.get(5)!.head.repo!.id = 666;
    const journey = (await Journey.accepted(fake, { text: `/benchmark ${HEAD}` })).journal().runner();
    await journey.publish();
    expect(only()).toContain(`\`/benchmark rerun ${HEAD}\` repeats it`);
  });
  it('twice_changes_nothing', async () => {
    const journey = await done();
    await journey.publish();
    const before = JSON.stringify([fake.state.comments, fake.state.checks, fake.state.reactions]);
    await journey.publish();
    expect(JSON.stringify([fake.state.comments, fake.state.checks, fake.state.reactions])).toBe(before);
  });
  it('in_two_runs_at_once_leaves_one_comment', async () => {
    const journey = await done();
    await Promise.all([journey.publish(), journey.publish()]);
    only();
  });
  it('marks_a_head_that_moved', async () => {
    const journey = await done();
    fake.state.pulls.get(5)!.head.sha = 'd'.repeat(40);
    await journey.publish();
    expect(only()).toMatch(/\*\*Measured \[`a{12}`\]\(.*\); head is now \[`d{12}`\]\(.*\/commit\/d{40}\)\.\*\*/);
  });
  it('marks_a_pull_request_that_was_closed', async () => {
    const journey = await done();
    fake.state.pulls.get(5)!.state = 'closed';
    await journey.publish();
    expect(only()).toContain('was closed meanwhile');
    expect(only()).not.toContain('/benchmark rerun');
  });
  it('minimises_older_finished_comments_of_ours_and_nothing_else', async () => {
    await (await done()).publish();
    const second = await done();
    await second.publish();
    expect(fake.state.comments.filter(c => c.minimised).map(c => c.user.id)).toEqual([BOT.id]);
    expect(fake.state.comments.filter(c => c.user.id === BOT.id)).toMatchObject([{ minimised: true }, {}]);
  });
  it('leaves_the_last_verdict_in_sight_where_a_later_request_has_none', async () => {
    await (await done()).publish();
    const second = await Journey.accepted(fake);
    second.job.env['PERF_LAB_RESULT_BUILD_HEAD'] = 'failure';
    await second.publish();
    expect(fake.state.comments.filter(c => c.minimised)).toEqual([]);
  });
});

describe('endings', () => {
  it('build_failure_of_head_shows_the_last_lines_as_text', async () => {
    const journey = (await Journey.accepted(fake)).results({ BUILD_HEAD: 'failure', LAB_UP: 'skipped', MEASURE: 'skipped' }).buildLog('head', 'x.cs(1,1): error CS1002: ; expected @org/team\n</details>```');
    await journey.publish();
    expect(only()).toContain('### perf-lab: head does not build');
    expect(only()).toContain('Nothing was measured. The other commit, base, builds.');
    expect(only()).toContain('````text\nx.cs(1,1): error CS1002: ; expected @org/team\n</details>```\n````');
    expect(fake.state.checks).toMatchObject([{ conclusion: 'neutral' }]);
  });
  it.each([[{ BUILD_BASE: 'failure', BUILD_HEAD: 'failure' }, 'neither base nor head builds'], [{ BUILD_BASE: 'failure' }, 'base does not build'], [{ PLAN: 'failure' }, 'failed while planning'], [{ BASES: 'failure', LAB_UP: 'skipped', MEASURE: '' }, 'failed while making the base of the containers'], [{ TOOLS: 'failure', PLAN: 'skipped' }, 'failed while building perf-lab']])('build_failure_of_%j', async (results, title) => {
    await (await Journey.accepted(fake)).results({ ...results, LAB_UP: 'skipped', MEASURE: 'skipped' }).buildLog('base', 'error').buildLog('head', 'error').publish();
    expect(only()).toContain(`### perf-lab: ${title}`);
  });
  it('cancelled_before_anything_was_measured', async () => {
    await (await Journey.accepted(fake)).results({ BUILD_BASE: 'cancelled', BUILD_HEAD: 'cancelled', LAB_UP: 'skipped', MEASURE: 'skipped' }).publish();
    expect(only()).toContain('### perf-lab: cancelled');
  });
  it.each([
    ['where perf-lab itself is built', { TOOLS: 'cancelled', PLAN: 'skipped', BUILD_BASE: 'skipped', BUILD_HEAD: 'skipped', LAB_UP: 'skipped', MEASURE: '' }, 'building perf-lab'],
    ['in line for the machine', { LAB_UP: 'cancelled', MEASURE: '' }, 'waiting for the machine or starting it'],
  ])('cancelled_while_it_stands: %s', async (_, results, what) => {
    await (await Journey.accepted(fake)).results(results).publish();
    expect(only()).toContain(`Cancelled while ${what}.`);
    expect(only()).toContain('stage=cancelled');
  });
  it('cancelled_while_measuring_shows_what_was_measured', async () => {
    await (await done()).results({ MEASURE: 'cancelled' }).publish();
    expect(only()).toContain('### perf-lab: cancelled; measured until then: 1 regressed, no change found in 3');
  });
  it.each<[string, string, number, string]>([
    ['TOOLS', 'plan', 25, 'building perf-lab'], ['PLAN', 'plan', 25, 'planning'], ['BUILD_BASE', 'build-base / build', 60, 'building base'], ['BUILD_HEAD', 'build-head / build', 60, 'building head'], ['BASES', 'bases', 20, 'making the base of the containers'], ['COMPLETE', 'complete', 10, 'completing the plan'],
    ['LAB_UP', 'machine / lab-up', 60, 'starting the machine'], ['MEASURE', 'machine / measure', 360, 'measuring'],
  ])('job_that_ran_out_of_time_says_so_and_is_not_cancelled: %s', async (result, name, minutes, what) => {
    const started = Date.parse('2026-11-20T10:00:00Z');
    const after = (seconds: number): string => new Date(started + seconds * 1000).toISOString().replace('.000', '');
    const lasted = async (seconds: number): Promise<string> => {
      fake.reset();
      fake.state.jobs = [
        { run: 900, name: 'benchmark / publish', conclusion: null, started_at: after(0), completed_at: null },
        { run: 900, name: `benchmark / ${name}`, conclusion: 'cancelled', started_at: after(0), completed_at: after(seconds) },
      ];
      await (await Journey.accepted(fake)).results({ [result]: 'cancelled' }).buildLog(result === 'BUILD_BASE' ? 'base' : 'head', 'restoring for an hour').publish();
      return only();
    };
    const late = await lasted(minutes * 60 + 2);
    expect(late).toContain(`### perf-lab: out of time while ${what}`);
    expect(late).toContain(`GitHub ends this job after ${minutes} minutes.`);
    expect(late).toContain('stage=failed');
    expect(late).not.toMatch(/cancel/i);
    expect(late.includes('restoring for an hour')).toBe(result.startsWith('BUILD'));
    expect(fake.state.checks).toMatchObject([{ conclusion: 'neutral' }]);
    expect(await lasted(minutes * 60 - 1)).toContain(`Cancelled while ${result === 'LAB_UP' ? 'waiting for the machine or starting it' : what}.`);
  });
  it('limits_of_the_jobs_are_those_of_the_workflow_files', () => {
    const jobs = (file: string): Record<string, { 'timeout-minutes': number }> => (parse(fs.readFileSync(new URL(`../../workflows/${file}.yml`, import.meta.url), 'utf8')) as { jobs: Record<string, { 'timeout-minutes': number }> }).jobs;
    const [run, build, machine] = ['benchmark-run', 'benchmark-build', 'benchmark-machine'].map(jobs);
    const minutes = (job: { 'timeout-minutes': number } | undefined): number => job!['timeout-minutes'];
    expect(MINUTES).toEqual({ 'tools': minutes(run!['plan']), 'plan': minutes(run!['plan']), 'build-base': minutes(build!['build']), 'build-head': minutes(build!['build']), 'bases': minutes(run!['bases']), 'complete': minutes(run!['complete']), 'lab-up': minutes(machine!['lab-up']), 'measure': minutes(machine!['measure']) });
    for (const call of ['build-base', 'build-head', 'machine']) expect(run).toHaveProperty(call);    // the names before the slash
  });
  it('partly_measured', async () => {
    await (await done()).results({ MEASURE: 'failure' }).publish();
    expect(only()).toContain('### perf-lab: partly measured: 1 regressed, no change found in 3');
    expect(fake.state.reactions.at(-1)!.content).toBe('confused');
  });
  it('machine_that_did_not_start', async () => {
    await (await Journey.accepted(fake)).results({ LAB_UP: 'failure', MEASURE: 'skipped' }).publish();
    expect(only()).toContain('### perf-lab: failed while starting the machine');
  });
  it('journal_that_the_runner_refuses', async () => {
    await (await Journey.accepted(fake)).journal().runner({ comparison: '', code: 1, stderr: 'record 7: wrong crc @org/team' }).publish();
    expect(only()).toContain('`perf-lab compare` ended with 1');
    expect(only()).toContain('```text\nrecord 7: wrong crc @org/team\n```');
  });
  it('report_of_100_000_characters_is_cut_by_the_runner_and_complete_in_the_files', async () => {
    const journey = (await Journey.accepted(fake)).journal().runner({ report: 'x'.repeat(100_000), short: '**4 undecided**\n\nLeft out: All cells.\n' });
    await journey.publish();
    expect(journey.job.read('called')).toContain('--format\nmarkdown\n--max-chars\n56000\n');
    expect(only()).toContain('Left out: All cells.');
    expect(journey.job.read('report.md')).toHaveLength(100_000);
    expect(journey.job.read('summary')).toContain('x'.repeat(100_000));
  });
  it('page_with_the_pictures_is_with_the_files', async () => {
    const journey = (await Journey.accepted(fake)).journal().runner({ page: '<!doctype html>\n<title>rounds</title>\n' });
    await journey.publish();
    expect(journey.job.read('report.html')).toContain('<title>rounds</title>');
  });
  it('page_that_can_not_be_made_costs_nobody_the_verdict', async () => {
    const journey = (await Journey.accepted(fake)).journal().runner({ page: null });
    await journey.publish();
    expect(fs.existsSync(journey.job.path('report.html'))).toBe(false);
    expect(only()).toContain('1 regressed');
  });
  it('report_that_is_too_long_all_the_same_is_replaced_by_a_sentence', async () => {
    await (await Journey.accepted(fake)).journal().runner({ report: '\u{1f600}'.repeat(40_000), short: 'x'.repeat(65_000) }).publish();
    expect(only().length).toBeLessThanOrEqual(60_000);
    expect(only()).toContain('The report is too long to be shown here.');
    expect(only()).toContain('`/benchmark rerun` repeats it');
  });
  it('cancel_cancels_the_run_and_ended_ones_are_fine', async () => {
    const journey = await Journey.accepted(fake);
    const env = { ...journey.job.env, GITHUB_RUN_ID: '901', PERF_LAB_RUN_TO_CANCEL: '900' };
    expect([await cancel(testClient(fake), env), fake.state.runs[0]!.cancelled]).toEqual([0, true]);
    fake.state.runs[0]!.status = 'completed';
    expect(await cancel(testClient(fake), env)).toBe(0);
  });
});

describe('F. artifact and comment', () => {
  const refused = async (journey: Journey): Promise<string> => { await journey.runner().publish(); expect(fs.existsSync(journey.job.path('called'))).toBe(false); return only(); };
  it('archive_that_is_hostile_is_named_and_never_judged', async () => { expect(await refused((await Journey.accepted(fake)).journal('x', { name: '../samples.ndjson' }))).toContain('The journal was refused: `the archive holds "../samples.ndjson", which does not belong there`'); });
  it('artifact_of_another_run_is_not_taken', async () => {
    expect(await refused((await Journey.accepted(fake)).uploaded('samples', 'SAMPLES', zip([]), { run: 899 }))).toContain('is not samples of this run');
  });
  it('artifact_with_another_digest_is_refused', async () => {
    const journey = (await Journey.accepted(fake)).journal();
    journey.job.env['PERF_LAB_SAMPLES_DIGEST'] = 'sha256:' + '0'.repeat(64);
    expect(await refused(journey)).toContain('another digest');
  });
  it('answer_about_the_artifact_that_is_none_is_named_by_its_member', async () => {
    const journey = (await Journey.accepted(fake)).journal().runner();
    fake.fault = call => (/\/artifacts\/\d+$/.test(call.path) ? { status: 200, json: { id: 'x', name: 'samples', expired: false } } : undefined);
    const failed = journey.publish().finally(() => { fake.fault = undefined; });
    await expect(failed).rejects.toThrow("GitHub's answer about the artifact: id: Invalid input: expected number, received string; size_in_bytes: missing; workflow_run: missing");
  });
  it('artifact_that_is_too_large_is_not_downloaded', async () => {
    expect(await refused((await Journey.accepted(fake)).uploaded('samples', 'SAMPLES', zip([]), { size: 100 << 20 }))).toContain('more than 67108864');
    expect(fake.storage.seen).toEqual([]);
  });
  it.each(['@org/team', '&#64;user', '&commat;user', '<img src=https://example.org>', '[x](javascript:alert(1))', 'a|b\nc', '```', '</details>', '<!-- perf-lab:v1 pr=5 req=1 -->', 'fixes #1', 'GH-1', 'owner/repo#1', 'x'.repeat(65_537), '\u202egpj', 'a\u200db'])('text_of_a_build_is_harmless: %j', async text => {
    await (await Journey.accepted(fake)).results({ BUILD_HEAD: 'failure' }).buildLog('head', text).publish();
    const active = remark(only()).filter(what => !/^html <!-- perf-lab:|^link https:\/\/github\.com\/(example\/library\/|alice$)/.test(what));
    expect(active).toEqual([]);
    expect(only().match(/<!-- perf-lab:v1/g)).toHaveLength(1);
  });
  it('foreign_comment_with_our_marker_is_not_touched', async () => {
    const journey = await done();
    fake.state.comments.push({ ...fake.state.comments[1]!, id: 5000, user: { id: 43, login: 'mallory' } });
    await journey.publish();
    expect(fake.state.comments.find(c => c.id === 5000)!.body).toContain('stage=accepted');
  });
  it.each<[string, () => void]>([
    ['deleted', () => { fake.state.comments = fake.state.comments.filter(c => c.user.id !== BOT.id); }],
    ['minimised', () => { fake.state.comments.find(c => c.user.id === BOT.id)!.minimised = true; }],
    ['edited by a maintainer', () => { fake.state.comments.find(c => c.user.id === BOT.id)!.body = 'gone'; }],
  ])('our_comment_%s_gives_a_new_one', async (_, change) => {
    const journey = await done();
    change();
    await journey.publish();
    const verdicts = fake.state.comments.filter(c => c.body.includes('### perf-lab: 1 regressed'));
    expect(verdicts).toMatchObject([{ user: BOT }]);
    expect(verdicts[0]!.minimised).toBeUndefined();
  });
  it('locked_conversation_leaves_the_result_in_the_summary', async () => {
    const journey = await done();
    fake.state.comments = fake.state.comments.filter(c => c.user.id !== BOT.id);
    fake.state.pulls.get(5)!.locked = true;
    expect(await journey.publish()).toBe(0);
    expect(journey.job.read('summary')).toContain('What moved');
    expect(fake.state.checks).toMatchObject([{ status: 'completed' }]);
  });
});

describe('a whole request', () => {
  it('takes_at_most_45_calls', async () => {
    const journey = await done();
    await journey.status('plan');
    await journey.status('waiting');
    await journey.status('measuring');
    await journey.publish();
    fs.mkdirSync(new URL('../out/', import.meta.url), { recursive: true });
    fs.writeFileSync(new URL('../out/calls.txt', import.meta.url), fake.calls().join('\n'));
    expect(fake.seen.length).toBeLessThanOrEqual(45 - 9 + 2);    // the runner's part: token, list, register, five polls, remove; published twice here
  });
});
