import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { trend } from '../src/trend.ts';
import { chooseExperiment } from '../src/trend/experiment.ts';
import type { Trend } from '../src/trend/trend-file.ts';
import { pushCommit, putBlob } from './fake/git-routes.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BOT } from './fake/state.ts';
import { CONFIG, Job, testClient } from './support/lab.ts';
import { summary } from './support/request.ts';
import { zip } from './support/zip.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
const ANCHOR = '1'.repeat(40), BEFORE = '2'.repeat(40), AFTER = '3'.repeat(40), HEAD = '4'.repeat(40);
beforeEach(() => { fake.reset(); fake.state.history = [ANCHOR, BEFORE, AFTER, HEAD]; });

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const job = (env: Record<string, string> = {}): Job => new Job(fake, { GITHUB_SHA: HEAD, GITHUB_REF: 'refs/heads/main', PERF_LAB_ANCHOR: ANCHOR, ...env });

describe('start', () => {
  const start = async (env: Record<string, string> = {}) => {
    const at = job(env);
    return { code: await trend('start', testClient(fake), at.env), outputs: at.outputs, summary: at.read('summary') };
  };

  it('says_what_is_measured', async () => {
    const { code, outputs } = await start();
    expect([code, outputs]).toEqual([0, { head: HEAD, anchor: ANCHOR, aa: 'on', suite: 'pr', machine: 'azure-d4s', 'machine-kind': 'azure' }]);
    expect((await start({ PERF_LAB_SUITE: 'quick', PERF_LAB_MACHINE: 'ryzen' })).outputs).toMatchObject({ suite: 'quick', machine: 'ryzen', 'machine-kind': 'metal' });
    expect((await start({ PERF_LAB_NEXT_ANCHOR: BEFORE, PERF_LAB_AA: 'off' })).outputs).toMatchObject({ 'anchor': ANCHOR, 'next-anchor': BEFORE, 'aa': 'off' });
  });

  it.each([
    ['no anchor', { PERF_LAB_ANCHOR: '' }, 'is no full commit of 40 digits'], ['a short anchor', { PERF_LAB_ANCHOR: '1111111' }, 'is no full commit of 40 digits'], ['an option as anchor', { PERF_LAB_ANCHOR: '--upload-pack=x' }, 'is no full commit'],
    ['more in front of the anchor', { PERF_LAB_ANCHOR: `x${ANCHOR}` }, 'is no full commit'], ['more behind the anchor', { PERF_LAB_ANCHOR: `${ANCHOR}x` }, 'is no full commit'],
    ['head as anchor', { PERF_LAB_ANCHOR: HEAD }, 'nothing would be compared'], ['an anchor after head', { GITHUB_SHA: ANCHOR, PERF_LAB_ANCHOR: HEAD }, '`444444444444` is not before the default branch'],
    ['an anchor of nowhere', { PERF_LAB_ANCHOR: '9'.repeat(40) }, 'no such commit'],
    ['an anchor to come that is short', { PERF_LAB_NEXT_ANCHOR: '2222222' }, '`next-anchor` is `2222222`, which is no full commit'], ['an option as anchor to come', { PERF_LAB_NEXT_ANCHOR: '--upload-pack=x' }, 'is no full commit'],
    ['the anchor as the one to come', { PERF_LAB_NEXT_ANCHOR: ANCHOR }, 'is the anchor already'], ['head as the anchor to come', { PERF_LAB_NEXT_ANCHOR: HEAD }, '`next-anchor` is head itself'],
    ['an anchor to come of nowhere', { PERF_LAB_NEXT_ANCHOR: '9'.repeat(40) }, 'no such commit'], ['a word that is neither on nor off', { PERF_LAB_AA: 'no`' }, 'it can be `on` or `off`'],
    ['another branch', { GITHUB_REF: 'refs/heads/`$(id)`' }, 'this run was started on `refs/heads/\'$(id)\'`. Start it there.'],
    ['a suite that is not there', { PERF_LAB_SUITE: 'quik' }, 'Did you mean `quick`'], ['a machine that is not there', { PERF_LAB_MACHINE: 'moon' }, 'is no machine of this lab'],
  ])('with_%s_is_refused_with_a_sentence', async (_, env, told) => {
    const { code, outputs, summary } = await start(env);
    expect([code, outputs]).toEqual([1, {}]);
    expect(summary).toContain(told);
  });

  it('without_any_anchor_nothing_is_said_of_the_one_to_come', async () => { expect((await start({ PERF_LAB_ANCHOR: '' })).summary).not.toContain('next-anchor'); });

  it('names_the_image_of_a_hosted_machine', async () => {
    const at = job({ PERF_LAB_MACHINE: 'hosted' });
    at.env['PERF_LAB_CONFIG'] = at.write('perf-lab.yaml', CONFIG.replace('ryzen: { kind: metal }', 'hosted: { kind: hosted }'));
    expect(await trend('start', testClient(fake), at.env)).toBe(0);
    expect(at.outputs).toMatchObject({ 'machine': 'hosted', 'machine-kind': 'hosted', 'machine-runs-on': 'ubuntu-24.04' });
  });
  it('needs_its_perf_lab_yaml', async () => { await expect(start({ PERF_LAB_CONFIG: '' })).rejects.toThrow('PERF_LAB_CONFIG is not set'); });
  it('says_in_the_log_what_is_wrong', async () => {
    const written: string[] = [], write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { written.push(String(text)); return true; });
    await start({ PERF_LAB_ANCHOR: HEAD, PERF_LAB_MACHINE: 'moon' });
    write.mockRestore();
    expect(written).toEqual([expect.stringMatching(/^perf-lab: `anchor` is head itself/), expect.stringMatching(/^perf-lab: `moon` is no machine/)]);
  });

  it('knows_its_steps', async () => { expect(await trend('stat', testClient(fake), job().env)).toBe(2); });
});

const place = (commit: string | null) => ({ session: 's', started: '2026-03-02T03:00:00Z', commit });
const change = (id: string, more: Partial<Trend['changes'][number]> = {}): Trend['changes'][number] => ({
  id: id.repeat(12), status: 'due', machine: 'm', cpu: 'c', executor: 'docker', before: place('2'.repeat(12)), after: place('3'.repeat(12)), confirm: './perf-lab run …', experiment: null, recoveredBy: null,
  members: [{ workload: 'primes', values: { limit: '300' }, metric: 't', unit: '1/s', change: 0.08, pValue: 0.004, series: 'f'.repeat(64) }], ...more,
});
const trendOf = (...changes: Trend['changes']): Trend => ({ schema: 'perf-lab/trend/1', series: 1, sessions: 12, newest: place(HEAD), changes, environment: [], stopped: [], warnings: [] });

/** A runner that answers each command with a file, and keeps what it was called with. */
function runnerOf(at: Job, answers: { plan?: number; trend?: Trend } = {}): string {
  at.write('trend.answer', JSON.stringify(answers.trend ?? trendOf()));
  at.write('comparison.answer', summary({ unchanged: 1 }));
  const file = at.write('runner', `#!/bin/sh
printf '%s\\n' "$*" >>'${at.path('called')}'
case $1 in
  plan) echo '{"plan":1}'; echo "nothing of that name" >&2; exit ${answers.plan ?? 0} ;;
  trend) cat '${at.path('trend.answer')}' ;;
  compare) cat '${at.path('comparison.answer')}' ;;
  report) echo '**no change found in 1**' ;;
  *) echo done ;;
esac
`);
  fs.chmodSync(file, 0o755);
  return file;
}

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

describe('publish', () => {
  /** As the job finds its folder: the history of `look`, plans, results. */
  const ready = (more: Record<string, string> = {}, found = trendOf(change('a', { status: 'confirmed', confirm: null, experiment: { session: 'e', change: 0.08, low: 0.07, high: 0.09, pValue: 1e-8, rounds: 28, verdict: 'regressed' } }))): Job => {
    const at = job({ PERF_LAB_HEAD: HEAD, PERF_LAB_SUITE: 'pr', PERF_LAB_MACHINE: 'azure-d4s', PERF_LAB_RESULT_MEASURE: 'success', ...more });
    fs.mkdirSync(at.path('trend/bundle/2026'), { recursive: true });
    fs.mkdirSync(at.path('trend/weekly'));
    at.write('trend/bundle/2026/20260302-030000-2d711642b726b044.ndjson', 'x');
    at.write('trend/bundle/trend.json', JSON.stringify(found));
    at.write('trend/weekly/samples.ndjson', 'y');
    Object.assign(at.env, { PERF_LAB_OUT: at.path('trend'), PERF_LAB_RUNNER: runnerOf(at, { trend: found }), PERF_LAB_PLAN: at.write('plan.json', '{}'), PERF_LAB_PLAN_DIGEST: sha256('{}'), ...more });
    return at;
  };
  const run = (at: Job): Promise<number> => trend('publish', testClient(fake), at.env);
  const seen = (): unknown => [fake.state.issues.map(({ title, body, state }) => [title, body.replace(/data=[0-9a-f]+/, ''), state]), [...fake.state.git.trees.get(fake.state.git.commits.get(fake.state.git.refs.get('heads/perf-lab-data')!)!.tree)!.keys()]];
  const titles = (): string[] => fake.state.issues.map(({ title }) => title);

  it('keeps_files_and_tells_and_the_same_again_changes_nothing', async () => {
    fake.state.jobs.push({ run: 900, name: 'trend / weekly / measure', conclusion: 'success', started_at: '2026-03-02T03:00:00Z', completed_at: '2026-03-02T04:00:00Z' });
    expect(await run(ready())).toBe(0);
    const after = seen();
    expect(titles()).toEqual(['perf-lab: primes is 8.0 % slower since 2026-03-02', 'perf-lab: weekly performance']);
    expect(fake.state.issues[1]!.body).toContain('- Cost: 60 minutes of machine time, 0.19 in the subscription\'s currency.');
    expect(fake.state.issues[1]!.body).toContain('Last success: 2026-03-02');
    expect(await run(ready())).toBe(0);
    expect(seen()).toEqual(after);
  });

  it('that_broke_off_at_any_call_is_finished_by_running_it_again', async () => {
    await run(ready());
    const whole = seen(), writes = fake.seen.flatMap(({ method }, index) => (method === 'GET' ? [] : [index]));
    for (const broken of writes) {    // the call itself, and with it everything that an earlier one has done
      fake.reset();
      fake.state.history = [ANCHOR, BEFORE, AFTER, HEAD];
      fake.fault = (_, index) => (index >= broken ? { status: 401, json: { message: 'Bad credentials' } } : undefined);
      await expect(run(ready())).rejects.toThrow('Bad credentials');
      fake.fault = undefined;
      expect([broken, await run(ready()), seen()]).toEqual([broken, 0, whole]);
    }
    expect(writes.length).toBeGreaterThan(6);
  });

  it('without_issues_keeps_the_session_says_it_in_the_job_and_is_red', async () => {
    fake.state.hasIssues = false;
    const at = ready();
    expect(await run(at)).toBe(1);
    expect(fake.state.git.refs.has('heads/perf-lab-data')).toBe(true);
    expect(at.read('summary')).toContain('has its issues switched off');
  });

  it.each([['PERF_LAB_RESULT_START', 'Failed while reading what to measure'], ['PERF_LAB_RESULT_BUILD_HEAD', 'Failed while building head'], ['PERF_LAB_RESULT_LAB_UP', 'Failed while starting the machine']])('of_a_run_with_%s_failed_says_so_and_is_red', async (result, told) => {
    const at = ready({ [result]: 'failure' });
    fs.rmSync(at.path('trend'), { recursive: true });
    expect(await run(at)).toBe(1);
    expect(titles()).toEqual(['perf-lab: weekly performance']);
    expect(fake.state.issues[0]!.body).toContain(told);
    expect(fake.state.issues[0]!.body).toContain('Last success: none yet');
  });

  it('of_a_failed_run_keeps_what_the_last_good_one_remembered', async () => {
    await run(ready());
    const at = ready({ PERF_LAB_RESULT_TOOLS: 'failure' });
    fs.rmSync(at.path('trend'), { recursive: true });
    await run(at);
    expect(fake.state.issues[1]!.body).toContain('success=2026-03-02 issues=aaaaaaaaaaaa:11');
  });

  it('finds_its_issues_when_somebody_deleted_the_summary', async () => {
    await run(ready());
    fake.state.issues[1]!.deleted = true;
    await run(ready());
    expect(titles()).toEqual(['perf-lab: primes is 8.0 % slower since 2026-03-02', 'perf-lab: weekly performance', 'perf-lab: weekly performance']);
  });

  const commitOf = (): string => fake.state.git.refs.get('heads/perf-lab-data')!;
  const filesOnBranch = () => fake.state.git.trees.get(fake.state.git.commits.get(commitOf())!.tree)!;
  const issuesOnBranch = (): string => fake.state.git.blobs.get(filesOnBranch().get('issues.txt')!.sha)!.toString();
  /** A person deletes what the last run filed: GitHub answers 410 for each from then on, and lists none of them. */
  const deleteAll = (): void => { for (const issue of fake.state.issues) issue.deleted = true; };
  const WEEKLY = 'perf-lab: weekly performance', CHANGE = 'perf-lab: primes is 8.0 % slower since 2026-03-02';

  it('files_nothing_again_that_people_deleted_together_with_the_summary', async () => {
    await run(ready());
    deleteAll();
    expect(await run(ready())).toBe(0);
    expect(titles()).toEqual([CHANGE, WEEKLY, WEEKLY]);
    expect(fake.state.issues[2]!.body).toContain('issues=aaaaaaaaaaaa:11');
    expect(fake.state.issues[2]!.body).toContain('its issue was deleted, left so');
    expect(issuesOnBranch().split('\n').slice(1)).toEqual(['aaaaaaaaaaaa 11', '']);
  });

  it('of_a_run_that_failed_in_between_still_knows_what_people_deleted', async () => {
    await run(ready());
    deleteAll();
    const failed = ready({ PERF_LAB_RESULT_TOOLS: 'failure' });
    fs.rmSync(failed.path('trend'), { recursive: true });
    await run(failed);
    expect(fake.state.issues[2]!.body).toContain('issues=aaaaaaaaaaaa:11');
    await run(ready());
    expect(titles()).toEqual([CHANGE, WEEKLY, WEEKLY]);
  });

  it('believes_no_numbers_that_a_stranger_left_on_the_branch', async () => {
    const forged = putBlob(fake.state, Buffer.from('aaaaaaaaaaaa 999\n'));
    pushCommit(fake.state, 'perf-lab-data', new Map([['issues.txt', { sha: forged, mode: '100644' }]]), { parent: null });
    await run(ready());
    expect(titles()).toEqual([CHANGE, WEEKLY]);
    expect(issuesOnBranch()).not.toContain('999');
  });

  it('overwrites_a_strangers_numbers_before_the_newest_commit_is_ours_again', async () => {
    const forged = putBlob(fake.state, Buffer.from('aaaaaaaaaaaa 999\n'));
    pushCommit(fake.state, 'perf-lab-data', new Map([['issues.txt', { sha: forged, mode: '100644' }]]), { parent: null });
    fake.fault = ({ method, path }) => (method === 'GET' && path.endsWith('/issues') ? { status: 401, json: { message: 'Bad credentials' } } : undefined);
    await expect(run(ready())).rejects.toThrow('Bad credentials');
    expect(issuesOnBranch()).not.toContain('999');
  });

  it('leaves_nothing_that_was_pushed_while_it_filed_under_a_commit_of_its_own_and_tells_it_next_time', async () => {
    let pushed = false;
    fake.fault = ({ method, path }) => {
      if (method === 'POST' && path.endsWith('/issues') && !pushed) {
        pushed = true;
        const files = new Map(filesOnBranch()), parent = commitOf();
        for (const name of ['trend.json', 'issues.txt']) files.set(name, { sha: putBlob(fake.state, Buffer.from('forged')), mode: '100644' });
        pushCommit(fake.state, 'perf-lab-data', files, { parent });
      }
      return undefined;
    };
    await run(ready());
    expect(pushed).toBe(true);
    for (const name of ['trend.json', 'issues.txt']) expect(fake.state.git.blobs.get(filesOnBranch().get(name)!.sha)!.toString()).not.toBe('forged');
    await run(ready());
    expect(fake.state.issues[1]!.body).toContain('1 commit on `perf-lab-data` since the last run is not of this workflow');
  });

  it.each(['', 'aaaaaaaaaaaa 0', 'aaaaaaaaaaaa 999 ', ' aaaaaaaaaaaa 999', 'aaaaaaaaaaaa 12345678901', 'AAAAAAAAAAAA 999', 'aaaaaaaaaaaa:999'])('takes_no_line_for_a_number_that_is_none: %j', async line => {
    pushCommit(fake.state, 'perf-lab-data', new Map([['issues.txt', { sha: putBlob(fake.state, Buffer.from(`#\n${line}\n`)), mode: '100644' }]]), { parent: null, author: BOT.id, verified: true });
    await run(ready());
    expect(titles()).toEqual([CHANGE, WEEKLY]);
  });

  it('does_not_open_a_summary_that_a_person_closed_and_keeps_what_they_wrote_there', async () => {
    await run(ready());
    Object.assign(fake.state.issues[1]!, { state: 'closed', body: `${fake.state.issues[1]!.body}\nours` });
    await run(ready({}, trendOf()));
    expect(fake.state.issues[1]).toMatchObject({ state: 'closed', body: expect.stringMatching(/Nothing, in 1 series[^]*end -->\nours$/) });
  });

  it('lets_an_experiment_count_only_by_its_plan', async () => {
    const archive = zip([{ name: 'samples.ndjson', data: Buffer.from('z') }]);
    fake.state.artifacts.push({ id: 77, name: 'confirm-samples', run: 900, zip: archive });
    const plan = '{"confirm":1}';
    const confirm = (digest: string) => ({ PERF_LAB_CONFIRM_PLAN_DIGEST: sha256(plan), PERF_LAB_CONFIRM_SAMPLES_ID: '77', PERF_LAB_CONFIRM_SAMPLES_DIGEST: digest });
    const at = ready(confirm(createHash('sha256').update(archive).digest('hex')));
    at.env['PERF_LAB_CONFIRM_PLAN'] = at.write('confirm-plan.json', plan);
    await run(at);
    expect(at.read('called')).toContain('trend/confirm/samples.ndjson');
    expect(at.read('called')).toMatch(/^history import \S+trend\/bundle \S+weekly\/samples\.ndjson \S+confirm\/samples\.ndjson$/m);
    expect(fake.state.issues.at(-1)!.body).not.toContain('does not count');
    expect(at.read('called')).toMatch(/compare \S+confirm\/samples\.ndjson --plan \S+confirm-plan\.json/);
    const other = ready(confirm('0'.repeat(64)));
    other.env['PERF_LAB_CONFIRM_PLAN'] = other.write('confirm-plan.json', plan);
    await run(other);
    expect(other.read('called')).not.toContain('confirm/samples.ndjson');
    expect(fake.state.issues.at(-1)!.body).toContain('The experiment of this run does not count');
  });

  it('keeps_the_session_of_head_against_itself_by_its_plan_only_and_a_failed_one_makes_the_run_red', async () => {
    const archive = zip([{ name: 'samples.ndjson', data: Buffer.from('z') }]), plan = '{"aa":1}';
    fake.state.artifacts.push({ id: 78, name: 'aa-samples', run: 900, zip: archive });
    const aa = (digest: string) => ({ PERF_LAB_AA_PLAN_DIGEST: sha256(plan), PERF_LAB_AA_SAMPLES_ID: '78', PERF_LAB_AA_SAMPLES_DIGEST: digest });
    const at = ready(aa(createHash('sha256').update(archive).digest('hex')));
    at.env['PERF_LAB_AA_PLAN'] = at.write('aa-plan.json', plan);
    expect(await run(at)).toBe(0);
    expect(at.read('called')).toMatch(/compare \S+aa\/samples\.ndjson --plan \S+aa-plan\.json/);
    expect(at.read('called')).toMatch(/history import \S+bundle \S+weekly\/samples\.ndjson \S+aa\/samples\.ndjson/);
    const other = ready(aa('0'.repeat(64)));
    other.env['PERF_LAB_AA_PLAN'] = other.write('aa-plan.json', plan);
    await run(other);
    expect(other.read('called')).not.toContain('aa/samples.ndjson');
    expect(fake.state.issues.at(-1)!.body).toContain('The session of head against itself does not count');
    expect(await run(ready({ PERF_LAB_RESULT_AA: 'failure' }))).toBe(1);
    expect(fake.state.issues.at(-1)!.body).toContain('Failed while measuring head against itself');
  });

  it('says_how_far_the_anchor_to_come_is_and_when_it_can_take_over', async () => {
    const next = { from: ANCHOR.slice(0, 12), to: BEFORE.slice(0, 12), series: 3, needed: 5 };
    await run(ready({}, { ...trendOf(), nextAnchor: { ...next, ready: 2, fewest: 4 } }));
    expect(fake.state.issues.at(-1)!.body).toMatch(/The anchor to come is \[`2{12}`\]\(\S+\/commit\/2{12}\): 2 of 3 series measured both in 5 sessions or more \(the fewest: 4\)/);
    await run(ready({}, { ...trendOf(), nextAnchor: { ...next, ready: 3, fewest: 5 } }));
    expect(fake.state.issues.at(-1)!.body).toContain('can take over**: all 3 series');
    await run(ready({}, { ...trendOf(), nextAnchor: { ...next, to: '<b>`x', ready: 3, fewest: 5 } }));
    expect(fake.state.issues.at(-1)!.body).toContain('The anchor to come, `<b>\'x`, can');
  });

  it('takes_no_forged_plan', async () => {
    await expect(run(ready({ PERF_LAB_PLAN_DIGEST: '0'.repeat(64) }))).rejects.toThrow('refused');
  });

  const body = (): string => fake.state.issues.find(({ title }) => title === 'perf-lab: weekly performance')!.body;
  const ran = (name: string, minutes: number, more: object = {}): void => {
    fake.state.jobs.push({ run: 900, name, conclusion: 'success', started_at: '2026-03-02T03:00:00Z', completed_at: new Date(Date.parse('2026-03-02T03:00:00Z') + minutes * 60_000).toISOString(), ...more });
  };
  it('costs_the_minutes_in_which_a_machine_was_held', async () => {
    ran('trend / weekly / measure', 40);
    ran('measure', 19.5);
    for (const other of ['remeasure', 'measure / x', 'trend / measured', 'build']) ran(other, 600);
    ran('trend / measure', 600, { completed_at: null });
    ran('trend / measure', -600);
    await run(ready());
    expect(body()).toContain('- Cost: 60 minutes of machine time, 0.19 in the subscription\'s currency.');
  });
  it.each<[string, Record<string, string>]>([['a machine without a price', { PERF_LAB_MACHINE: 'ryzen' }], ['no machine', { PERF_LAB_MACHINE: '' }], ['a machine that is not there', { PERF_LAB_MACHINE: 'moon' }], ['no perf-lab.yaml', { PERF_LAB_CONFIG: '/nowhere' }], ['no name of it', { PERF_LAB_CONFIG: '' }]])('costs_minutes_alone_with_%s', async (_, env) => {
    ran('measure', 60);
    await run(ready(env));
    expect(body()).toContain('- Cost: 60 minutes of machine time.\n');
  });
  it('costs_nothing_when_nothing_was_measured', async () => {
    await run(ready());
    expect(body()).not.toContain('- Cost:');
    expect(body()).toContain('suite `pr` on `azure-d4s`');
  });
  it.each([['confirmed', 'confirmed it'], ['recovered', 'confirmed it'], ['not-confirmed', 'did not find it'], ['environment', 'did not find it, and the machine changed there'], ['due', 'says nothing about it: no values']] as const)('tells_what_the_experiment_came_to: %s', async (status, told) => {
    await run(ready({ PERF_LAB_CHANGE: 'a'.repeat(12) }, trendOf(change('a', { status }))));
    expect(body()).toContain(`This run measured the commits around the change \`aaaaaaaaaaaa\` against each other, and ${told}`);
  });
  it.each(['b'.repeat(12), ''])('tells_of_no_experiment_with_a_change_that_is_not_there: %j', async id => {
    await run(ready({ PERF_LAB_CHANGE: id }));
    expect(body()).not.toContain('This run measured');
  });
  it('names_the_program_that_reproduces', async () => {
    await run(ready({ PERF_LAB_PROGRAM: 'lab/perf-lab' }));
    expect(fake.state.issues[0]!.body).toContain('\nlab/perf-lab run primes ');
  });
  it('tells_each_note_once_and_what_a_stranger_did_first', async () => {
    await run(ready());
    const at = ready();
    at.write('trend/notes.json', JSON.stringify(['A note.', 'A note.', 'Another.']));
    const commit = fake.state.git.commits.get(fake.state.git.refs.get('heads/perf-lab-data')!)!;
    pushCommit(fake.state, 'perf-lab-data', fake.state.git.trees.get(commit.tree)!, { parent: fake.state.git.refs.get('heads/perf-lab-data')! });
    await run(at);
    expect(body()).toMatch(/### The history\n\n- 1 commit on `perf-lab-data` since the last run is not of this workflow: .*\n- A note\.\n- Another\.\n\n/);
  });
  it('without_a_journal_is_red_and_says_where_the_reason_is', async () => {
    const at = ready();
    fs.rmSync(at.path('trend/weekly/samples.ndjson'));
    expect(await run(at)).toBe(1);
    expect(body()).toContain('- No journal of this week can be used; the log of the job `look` says why.');
    const failed = ready({ PERF_LAB_RESULT_MEASURE: 'failure' });
    fs.rmSync(failed.path('trend/weekly/samples.ndjson'));
    await run(failed);
    expect(body()).not.toContain('No journal of this week');
    expect(body()).toContain('Last success: none yet');
  });
  it('of_a_week_that_failed_and_was_measured_is_red', async () => {
    expect(await run(ready({ PERF_LAB_RESULT_CONFIRM: 'failure' }))).toBe(1);
    expect(body()).toContain('### no change found in 1');
    expect(body()).toContain('Last success: none yet');
  });
  it('is_of_the_day_of_the_newest_session', async () => {
    await run(ready({}, { ...trendOf(), newest: null }));
    expect(body()).toContain(`- Last success: ${new Date().toISOString().slice(0, 10)}.`);
  });
  it('says_in_the_log_what_became_of_each_change', async () => {
    const written: string[] = [], write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { written.push(String(text)); return true; });
    await run(ready({}, trendOf(change('a', { status: 'confirmed' }), change('b', { status: 'recovered' }))));
    write.mockRestore();
    expect(written).toEqual(expect.arrayContaining(['perf-lab: change aaaaaaaaaaaa: filed, issue 11\n', 'perf-lab: change bbbbbbbbbbbb: over-before\n']));
  });
  it('says_nothing_of_the_history_when_there_is_nothing_to_say', async () => {
    await run(ready());
    expect(body()).not.toContain('### The history\n\n- ');
    const failed = ready({ PERF_LAB_RESULT_TOOLS: 'failure' });
    fs.rmSync(failed.path('trend'), { recursive: true });
    await run(failed);
    expect(body()).not.toContain('### The history\n\n- ');
  });
  it('names_no_commits_where_none_were_chosen', async () => {
    await run(ready({ PERF_LAB_HEAD: '' }));
    expect(body()).not.toContain('against the anchor [');
  });
  it('of_a_journal_that_can_not_be_judged_is_red', async () => {
    const at = ready();
    at.write('comparison.answer', '');
    expect(await run(at)).toBe(1);
    expect(body()).toContain('- No journal of this week can be used; the log of the job `look` says why.');
  });
  it('ends_where_its_issues_can_not_be_read_and_says_what_failed_in_the_log', async () => {
    fake.fault = call => (call.method === 'GET' && call.path.endsWith('/issues') ? { status: 403, json: { message: 'not for you' } } : undefined);
    await expect(run(ready())).rejects.toMatchObject({ status: 403 });
    fake.fault = undefined;
    const written: string[] = [], write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { written.push(String(text)); return true; });
    await run(ready({ PERF_LAB_RESULT_CONFIRM: 'failure' }));
    write.mockRestore();
    expect(written.at(-1)).toMatch(/^perf-lab: Failed while measuring the commits around a change; the log of /);
  });
  it('takes_no_experiment_without_a_plan_of_one', async () => {
    const at = ready({ PERF_LAB_CONFIRM_SAMPLES_ID: '77', PERF_LAB_CONFIRM_SAMPLES_DIGEST: '0'.repeat(64) });
    await run(at);
    expect(body()).not.toContain('does not count');
    expect(fake.seen.some(({ path }) => path.includes('/artifacts/'))).toBe(false);
  });
});

describe('look', () => {
  const ready = (more: Record<string, string> = {}, found = trendOf()): Job => {
    const at = job({ PERF_LAB_HEAD: HEAD, PERF_LAB_REPOSITORY: '.', ...more });
    Object.assign(at.env, { PERF_LAB_OUT: at.path('trend'), PERF_LAB_RUNNER: runnerOf(at, { trend: found }), PERF_LAB_PLAN: at.write('plan.json', '{}'), PERF_LAB_PLAN_DIGEST: sha256('{}') });
    return at;
  };
  const here = process.cwd();
  afterEach(() => { process.chdir(here); });
  const run = async (at: Job): Promise<number> => {
    process.chdir(at.folder);    // the plan is left where the job works
    return await trend('look', testClient(fake), at.env);
  };

  it('says_which_change_is_confirmed_and_leaves_its_plan', async () => {
    const at = ready({}, trendOf(change('a')));
    expect(await run(at)).toBe(0);
    expect(at.outputs).toEqual({ confirm: 'planned', before: BEFORE, after: AFTER, change: 'a'.repeat(12) });
    expect(at.read('confirm-plan.json')).toBe('{"plan":1}\n');
    expect(JSON.parse(at.read('trend/notes.json'))).toEqual(['The session of this run does not count: there is no journal']);
  });
  it('confirms_nothing_when_nothing_is_due', async () => {
    const at = ready();
    const written: string[] = [], write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { written.push(String(text)); return true; });
    await run(at);
    write.mockRestore();
    expect([at.outputs, at.read('called')]).toEqual([{ confirm: 'none' }, `trend --json\nhistory export ${at.path('trend/bundle')}\n`]);    // neither a plan nor a journal
    expect(written).toEqual(['perf-lab: The session of this run does not count: there is no journal\n']);
  });
  it('takes_the_session_of_this_run_into_the_history', async () => {
    const archive = zip([{ name: 'samples.ndjson', data: Buffer.from('z') }]);
    fake.state.artifacts.push({ id: 77, name: 'samples', run: 900, zip: archive });
    const at = ready({ PERF_LAB_SAMPLES_ID: '77', PERF_LAB_SAMPLES_DIGEST: createHash('sha256').update(archive).digest('hex') });
    await run(at);
    expect(at.read('called')).toContain(`history import ${at.path('trend/weekly/samples.ndjson')}\n`);
    expect(JSON.parse(at.read('trend/notes.json'))).toEqual([]);
  });
  it('keeps_what_can_not_be_confirmed_for_the_summary', async () => {
    const at = ready({}, trendOf(change('a', { after: place('e'.repeat(12)) })));
    await run(at);
    expect(JSON.parse(at.read('trend/notes.json'))).toEqual([expect.any(String), 'The change `aaaaaaaaaaaa` can\'t be confirmed: a commit of it is not on the default branch any more.']);
  });
  it.each(['PERF_LAB_HEAD', 'PERF_LAB_REPOSITORY', 'PERF_LAB_OUT', 'PERF_LAB_RUNNER'])('needs_%s', async name => {
    const at = ready();
    at.env[name] = '';
    await expect(run(at)).rejects.toThrow(`${name} is not set`);
  });
});
