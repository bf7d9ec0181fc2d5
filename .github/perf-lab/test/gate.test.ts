import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BASE, BASE_TIP, BOT, HEAD, type Pull } from './fake/state.ts';
import { EXIT_CODES, type RefusalCode } from '../src/gate/refusal.ts';
import { comment, CONFIG, MALLORY, ownComments, runGate, testClient } from './support/lab.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

describe('the gate', () => {
  it('turns_a_command_into_a_request_a_comment_and_a_check', async () => {
    const { code, outputs, request } = await runGate(fake, comment(fake, '/benchmark pr --runtime net8.0,net10.0 --pgo on'));
    expect(code).toBe(0);
    expect(request).toEqual({
      schema: 'perf-lab/request/1', repository: 'example/library', pullRequest: 5, commentId: 1001, requesterId: 42, base: BASE, head: HEAD,
      words: { suite: 'pr', workloads: [], runtimes: ['net8.0', 'net10.0'], pgo: ['on'], gc: [], frameworks: [], machine: null, rounds: null },
    });
    expect(outputs).toMatchObject({ decision: 'run', head: HEAD, base: BASE, 'pull-request': '5', 'comment-id': '1001', 'requester-id': '42', machine: 'azure-d4s', 'machine-kind': 'azure' });
    expect(fake.state.reactions).toEqual([{ comment: 1001, content: 'eyes', user: 7 }]);
    expect(ownComments(fake)).toHaveLength(1);
    expect(ownComments(fake)[0]).toMatch(/^<!-- perf-lab:v1 pr=5 req=1001 -->\n<!-- perf-lab:state stage=accepted run=900 attempt=1 by=42 /);
    expect(fake.state.checks).toMatchObject([{ name: 'perf-lab', head_sha: HEAD, external_id: '1001', status: 'queued' }]);
  });

  it('reacts_before_it_does_anything_else', async () => {
    await runGate(fake, comment(fake, '/benchmark'));
    expect(fake.calls()[0]).toBe('POST /issues/comments/:id/reactions');
  });
});

/** The whole of a refusal: exit code, outputs, one reply, no request, no check. Returns the reply. */
async function expectRefusal(code: RefusalCode, event: unknown, more: Parameters<typeof runGate>[2] = {}): Promise<string> {
  const result = await runGate(fake, event, more);
  expect(result.outputs).toEqual({ decision: 'refused', code });
  expect(result.code).toBe(EXIT_CODES[code]);
  expect(result.request).toBeNull();
  expect(fake.state.checks).toEqual([]);
  const replies = ownComments(fake).filter(body => body.includes(' reply='));
  expect(replies).toHaveLength(1);
  return replies[0]!;
}

const pull = (): Pull => fake.state.pulls.get(5)!;
const fork = (): void => { pull().head.repo = { id: 666, pushed_at: '2026-11-20T09:00:00Z' }; };

describe('A. command and authorisation', () => {
  it.each(['read', 'triage', 'none'])('user_with_permission_%s_is_refused', async permission => {
    fake.state.permissions.set('alice', permission === 'triage' ? 'read' : permission);    // the API reports triage as read
    await expectRefusal('not-authorised', comment(fake, '/benchmark'));
  });
  it('collaborator_who_may_only_read_is_refused', async () => {
    const event = comment(fake, '/benchmark', { user: MALLORY });
    event.comment.author_association = 'COLLABORATOR';
    await expectRefusal('not-authorised', event);
  });
  it('user_unknown_to_the_repository_is_refused', async () => {
    fake.state.permissions.clear();
    await expectRefusal('not-authorised', comment(fake, '/benchmark'));
  });
  it('organisation_admin_whose_association_is_none_is_accepted', async () => {
    fake.state.permissions.set('alice', 'admin');
    expect((await runGate(fake, comment(fake, '/benchmark'))).outputs['decision']).toBe('run');
  });
  it('user_whose_login_another_user_took_is_decided_by_id', async () => {
    const event = comment(fake, '/benchmark');
    fake.state.users[0]!.id = 99;
    await expectRefusal('requester-changed', event);
  });
  it.each([
    ['issue_instead_of_a_pull_request', (event: any) => { delete event.issue.pull_request; }],
    ['edited_comment_event', (event: any) => { event.action = 'edited'; }],
    ['deleted_comment_event', (event: any) => { event.action = 'deleted'; }],
    ['comment_of_a_bot', (event: any) => { event.comment.user.type = 'Bot'; }],
    ['our_own_comment', (event: any) => { event.comment.user.id = BOT.id; }],
    ['other_text', (event: any) => { event.comment.body = 'I like /benchmark'; }],
  ])('%s_is_ignored_without_a_call', async (_, change) => {
    const event = comment(fake, '/benchmark');
    change(event);
    const { code, outputs } = await runGate(fake, event);
    expect([code, outputs, fake.seen]).toEqual([0, { decision: 'ignored' }, []]);
  });
  it('event_of_another_kind_is_ignored', async () => {
    expect((await runGate(fake, { zen: 'x' }, { env: { GITHUB_EVENT_NAME: 'push' } })).outputs).toEqual({ decision: 'ignored' });
  });
  it('comment_edited_since_is_refused', async () => {
    const event = comment(fake, '/benchmark');
    fake.state.comments[0]!.updated_at = '2026-11-20T10:00:01Z';
    await expectRefusal('comment-edited', event);
  });
  it('comment_that_differs_from_the_event_is_refused', async () => {
    const event = comment(fake, '/benchmark');
    fake.state.comments[0]!.body = '/benchmark quick';
    await expectRefusal('comment-differs', event);
  });
  it('comment_of_another_pull_request_is_refused', async () => {
    const event = comment(fake, '/benchmark', { issue: 6 });
    event.issue.number = 5;
    await expectRefusal('comment-differs', event);
  });
  it('deleted_comment_is_refused', async () => {
    const event = comment(fake, '/benchmark');
    fake.state.comments = [];
    await expectRefusal('comment-gone', event);
  });
  it('closed_pull_request_is_refused', async () => { pull().state = 'closed'; await expectRefusal('pull-request-closed', comment(fake, '/benchmark')); });
  it('draft_pull_request_is_refused', async () => { pull().draft = true; await expectRefusal('pull-request-draft', comment(fake, '/benchmark')); });

  it('wrong_form_gets_the_help', async () => { expect(await expectRefusal('command-form', comment(fake, '/benchmark\n/benchmark quick'))).toContain('/benchmark cancel | status | rerun | help'); });
  it('wrong_words_get_every_problem_the_nearest_name_and_the_help', async () => {
    const reply = await expectRefusal('command-words', comment(fake, '/benchmark --runtmie net8.0 --rounds 7'));
    expect(reply).toContain('did you mean `--runtime`?');
    expect(reply).toContain('not S+C');
    expect(reply).toContain('suites: `quick`, `pr`; without one: `pr`');
  });
  it('unknown_suite_and_machine_get_the_nearest_name', async () => {
    const reply = await expectRefusal('unknown-name', comment(fake, '/benchmark quik --machine ryzn'));
    expect(reply).toContain('Did you mean `quick`?');
    expect(reply).toContain('Did you mean `ryzen`?');
  });
  it('injection_never_reaches_reply_or_log_raw', async () => {
    const reply = await expectRefusal('command-words', comment(fake, '/benchmark ::error::@org/team <!--x ##[group]'));
    expect(reply).not.toMatch(/^::|^##\[/m);
    expect(reply.match(/<!--/g)).toHaveLength(1);
    expect(reply).toContain('`::error::@org/team`');
  });

  it('fifty_requests_in_a_minute_meet_the_limit', async () => {
    for (let i = 0; i < 10; i++) comment(fake, '/benchmark quick');
    expect(await expectRefusal('user-limit', comment(fake, '/benchmark'))).toContain('10 times');
  });
  it('requests_of_many_people_meet_the_limit_of_the_pull_request', async () => {
    for (let i = 0; i < 20; i++) comment(fake, '/benchmark quick', { user: { id: 100 + i, login: `u${i}`, type: 'User' } });
    await expectRefusal('pull-request-limit', comment(fake, '/benchmark'));
  });
  it('help_status_talk_and_yesterday_do_not_count', async () => {
    for (let i = 0; i < 30; i++) comment(fake, ['/benchmark help', '/benchmark status', 'hello', '/benchmark quick'][i % 4]!, { at: i % 4 === 3 ? '2026-11-18T10:00:00Z' : '2026-11-20T08:00:00Z' });
    expect((await runGate(fake, comment(fake, '/benchmark'))).code).toBe(0);
  });
  it('same_event_twice_is_one_comment_and_one_check', async () => {
    const event = comment(fake, '/benchmark');
    await runGate(fake, event);
    const { code } = await runGate(fake, event);
    expect([code, ownComments(fake).length, fake.state.checks.length, fake.state.reactions.length]).toEqual([0, 1, 1, 1]);
  });
  it('same_request_while_it_runs_is_led_to_the_first', async () => {
    await runGate(fake, comment(fake, '/benchmark'));
    fake.state.checks = [];
    const reply = await expectRefusal('already-running', comment(fake, '/benchmark pr'), { env: { GITHUB_RUN_ID: '901' } });
    expect(reply).toContain('#issuecomment-1003)');
  });
  it('same_request_after_a_run_that_died_is_accepted', async () => {
    await runGate(fake, comment(fake, '/benchmark'));
    fake.state.runs[0]!.status = 'completed';
    fake.state.runs.push({ id: 901, workflow_id: 3, event: 'issue_comment', status: 'in_progress' });
    expect((await runGate(fake, comment(fake, '/benchmark'), { env: { GITHUB_RUN_ID: '901' } })).code).toBe(0);
  });
  it('a_second_reply_to_one_person_takes_the_place_of_the_first', async () => {
    await expectRefusal('command-words', comment(fake, '/benchmark x y'));
    await expectRefusal('command-words', comment(fake, '/benchmark x z'));
  });
});

describe('B. which code is measured', () => {
  it('push_between_comment_and_gate_is_refused', async () => {
    pull().head.repo!.pushed_at = '2026-11-20T10:00:05Z';
    expect(await expectRefusal('branch-moved', comment(fake, '/benchmark'))).toContain(HEAD);
  });
  it('push_in_the_very_second_of_the_comment_is_refused', async () => {
    pull().head.repo!.pushed_at = '2026-11-20T10:00:00Z';
    await expectRefusal('branch-moved', comment(fake, '/benchmark'));
  });
  it('push_before_a_command_that_names_the_commit_is_accepted', async () => {
    pull().head.repo!.pushed_at = '2026-11-20T10:00:05Z';
    expect((await runGate(fake, comment(fake, `/benchmark ${HEAD}`))).request.head).toBe(HEAD);
  });
  it('fork_without_a_commit_is_refused', async () => {
    fork();
    fake.state.permissions.set('alice', 'admin');
    await expectRefusal('fork-needs-sha', comment(fake, '/benchmark'));
  });
  it('fork_with_the_commit_by_an_admin_is_accepted', async () => {
    fork();
    fake.state.permissions.set('alice', 'admin');
    expect((await runGate(fake, comment(fake, `/benchmark ${HEAD}`))).code).toBe(0);
  });
  it('fork_by_a_writer_is_refused_unless_the_lab_allows_it', async () => {
    fork();
    await expectRefusal('fork-needs-permission', comment(fake, `/benchmark ${HEAD}`));
    expect((await runGate(fake, comment(fake, `/benchmark ${HEAD}`), { config: CONFIG.replace('fork-permission: admin', 'fork-permission: write') })).code).toBe(0);
  });
  it.each([['of_another_pull_request', 'd'.repeat(40)], ['of_another_repository_of_the_network', 'e'.repeat(40)], ['that_is_a_branch_name_of_40_hex_digits', 'f'.repeat(40)]])('commit_%s_is_refused', async (_, sha) => {
    fake.state.commits.set(sha, HEAD);
    await expectRefusal('sha-is-not-head', comment(fake, `/benchmark ${sha}`));
  });
  it('short_commit_is_accepted_when_it_means_the_head_alone', async () => {
    expect((await runGate(fake, comment(fake, `/benchmark ${HEAD.slice(0, 12)}`))).request.head).toBe(HEAD);
  });
  it('short_commit_that_is_ambiguous_is_refused', async () => {
    fake.state.commits.set(HEAD.slice(0, 12), null);
    await expectRefusal('sha-ambiguous', comment(fake, `/benchmark ${HEAD.slice(0, 12)}`));
  });
  it('short_commit_that_is_a_branch_name_is_refused', async () => {
    fake.state.commits.set(HEAD.slice(0, 12), 'd'.repeat(40));
    await expectRefusal('sha-ambiguous', comment(fake, `/benchmark ${HEAD.slice(0, 12)}`));
  });
  it('short_commit_does_not_excuse_a_push_after_the_comment', async () => {
    pull().head.repo!.pushed_at = '2026-11-20T10:00:05Z';    // two commits with the same 12 digits take a laptop minutes
    await expectRefusal('branch-moved', comment(fake, `/benchmark ${HEAD.slice(0, 12)}`));
  });
  it('commit_of_seven_digits_is_refused', async () => { expect(await expectRefusal('unknown-name', comment(fake, '/benchmark abcdef1'))).toContain('at least 12 digits'); });
  it('repository_with_sha_256_names_is_refused', async () => {
    pull().head.sha = 'a'.repeat(64);
    await expectRefusal('sha-is-not-head', comment(fake, '/benchmark'));
  });
  it('deleted_fork_is_refused', async () => { pull().head.repo = null; await expectRefusal('fork-deleted', comment(fake, '/benchmark')); });
  it('renamed_fork_is_told_by_its_id', async () => {
    fork();
    fake.state.permissions.set('alice', 'admin');
    await expectRefusal('fork-needs-sha', comment(fake, '/benchmark'));
  });
  it('base_branch_changed_after_the_comment_is_refused', async () => {
    fake.state.events.push(...Array.from({ length: 150 }, () => ({ issue: 5, event: 'labeled', created_at: '2026-11-20T10:00:01Z' })), { issue: 5, event: 'base_ref_changed', created_at: '2026-11-20T10:00:05Z' });
    await expectRefusal('base-changed', comment(fake, '/benchmark'));
  });
  it('base_branch_changed_before_the_comment_is_fine', async () => {
    fake.state.events.push({ issue: 5, event: 'base_ref_changed', created_at: '2026-11-20T09:59:59Z' });
    expect((await runGate(fake, comment(fake, '/benchmark'))).code).toBe(0);
  });
  it.each(['$(curl x)', '--upload-pack=x', 'refs/pull/1/head'])('branch_named_%s_is_never_used', async name => {
    Object.assign(pull().head, { ref: name, label: `alice:${name}` });
    const { job, request, outputs } = await runGate(fake, comment(fake, '/benchmark'));
    expect(JSON.stringify([request, outputs, fake.seen.map(call => [call.path, call.body]), job.env])).not.toContain(name);
  });
  it('unrelated_histories_are_refused_by_name', async () => {
    fake.state.mergeBases.delete(`${BASE_TIP}...${HEAD}`);
    await expectRefusal('unrelated-histories', comment(fake, '/benchmark'));
  });
  it.each(['.github/workflows/x.yml', 'infra/index.ts', 'runner/x.cs', 'workloads/x/workload.yaml', 'global.json', 'src/NuGet.Config', 'Directory.Build.props', 'perf-lab.yaml', '.gitmodules'])('change_of_%s_needs_an_admin', async filename => {
    fake.state.files = [{ filename: 'README.md' }, { filename }];
    expect(await expectRefusal('touches-lab', comment(fake, '/benchmark'))).toContain(`\`${filename}\``);
    fake.state.permissions.set('alice', 'admin');
    expect((await runGate(fake, comment(fake, '/benchmark'))).code).toBe(0);
  });
  it('file_renamed_away_from_the_lab_needs_an_admin', async () => {
    fake.state.files = [{ filename: 'x.txt', previous_filename: 'global.json' }];
    await expectRefusal('touches-lab', comment(fake, '/benchmark'));
  });
  it('list_of_files_that_was_cut_needs_an_admin', async () => {
    fake.state.files = Array.from({ length: 300 }, (_, i) => ({ filename: `src/${i}.cs` }));
    await expectRefusal('too-many-files', comment(fake, '/benchmark'));
  });
  it.each(['1970-01-01T00:00:00Z', '2099-01-01T00:00:00Z'])('date_of_a_commit_is_ignored_%s', async date => {
    Object.assign(pull().head, { commit: { author: { date } } });
    expect((await runGate(fake, comment(fake, '/benchmark'))).code).toBe(0);
  });
});

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
  it('cancel_without_a_run_is_refused', async () => { await expectRefusal('nothing-to-cancel', comment(fake, '/benchmark cancel')); });
  it('cancel_by_somebody_who_may_not_write_is_refused', async () => { await expectRefusal('not-authorised', comment(fake, '/benchmark cancel', { user: MALLORY })); });
  it('rerun_repeats_the_words_at_the_head_of_now', async () => {
    await runGate(fake, comment(fake, '/benchmark quick --pgo off'));
    fake.state.runs[0]!.status = 'completed';
    const { request } = await runGate(fake, comment(fake, '/benchmark rerun'), { env: { GITHUB_RUN_ID: '901' } });
    expect(request.words).toMatchObject({ suite: 'quick', pgo: ['off'] });
  });
  it('rerun_without_an_earlier_request_is_refused', async () => { await expectRefusal('nothing-to-rerun', comment(fake, '/benchmark rerun')); });
});

describe('bad input', () => {
  it('perf_lab_yaml_with_mistakes_is_named_by_line_and_field', async () => {
    const reply = await expectRefusal('lab-config', comment(fake, '/benchmark'), { config: CONFIG.replace('minutes: 120', 'minutes: soon') });
    expect(reply).toContain('perf-lab.yaml, line 9, github.budget.minutes:');
  });
  it('perf_lab_yaml_that_is_no_yaml_is_named_by_line', async () => {
    expect(await expectRefusal('lab-config', comment(fake, '/benchmark'), { config: 'schema: perf-lab/config/1\nsuites: {' })).toContain('perf-lab.yaml, line');
  });
  it('event_file_missing', async () => {
    await expect(runGate(fake, comment(fake, '/benchmark'), { env: { GITHUB_EVENT_PATH: '/nowhere/event.json' } })).rejects.toThrow('ENOENT');
  });
  it('event_file_truncated', async () => { await expect(runGate(fake, '{"action":"crea')).rejects.toThrow('is not JSON'); });
  it('event_file_of_another_event', async () => { await expect(runGate(fake, { action: 'created', pusher: {} })).rejects.toThrow('is not an issue_comment event: issue'); });
  it('event_file_of_20_MB', async () => { await expect(runGate(fake, ' '.repeat(20 << 20))).rejects.toThrow('refused unread'); });
  it('login_that_would_leave_the_path_stays_inside', async () => {
    const event = comment(fake, '/benchmark', { user: { id: 42, login: '../../../admin', type: 'User' } });
    await expectRefusal('not-authorised', event);
    expect(fake.seen.every(call => call.path.startsWith('/repos/example/library/'))).toBe(true);
  });
  it('token_that_is_refused_ends_the_job_without_a_decision', async () => {
    fake.fault = () => ({ status: 401, json: { message: 'Bad credentials' } });
    await expect(runGate(fake, comment(fake, '/benchmark'), { gh: testClient(fake) })).rejects.toThrow('Bad credentials');
  });
});
