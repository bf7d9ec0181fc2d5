import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BASE, BOT, HEAD, newRun, WRITTEN, type Pull } from './fake/state.ts';
import { stateLine, type Stage } from '../src/thread/state.ts';
import { ALICE, comment, MALLORY, ownComments, runGate } from './support/lab.ts';
import { expectRefusal } from './support/refusal.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

describe('the gate', () => {
  it('turns_a_command_into_a_request_a_comment_and_a_check', async () => {
    const { code, outputs, request } = await runGate(fake, comment(fake, '/benchmark pr --runtime net8.0,net10.0 --pgo on'));
    expect(code).toBe(0);
    expect(request).toEqual({
      schema: 'perf-lab/request/1', repository: 'example/library', pullRequest: 5, commentId: 1001, requesterId: 42, base: BASE, head: HEAD, word: '/benchmark',
      words: { suite: 'pr', workloads: [], runtimes: ['net8.0', 'net10.0'], pgo: ['on'], gc: [], frameworks: [], filters: [], categories: [], machine: null, rounds: null, sessions: null, warmUp: null, sdk: null, within: null }, snippet: null,
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
  it.each([
    ['perf-lab.yaml', 'azure-d4s', 'azure'], ['examples/library/perf-lab.yaml', 'hosted', 'hosted'], ['tests/fixtures/formats/perf-lab.yaml', 'azure-d4s', 'azure'],
  ])('accepts_a_bare_command_by_the_rules_of_this_very_repository: %s', async (file, machine, kind) => {
    const { code, outputs, request } = await runGate(fake, comment(fake, '/benchmark'), { config: fs.readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8') });
    expect([code, outputs['decision'], outputs['machine'], outputs['machine-kind'], request.words.suite]).toEqual([0, 'run', machine, kind, 'pr']);
  });
});

const pull = (): Pull => fake.state.pulls.get(5)!;

describe('A. command and authorisation', () => {
  it.each(['read', 'triage', 'none'])('user_with_permission_%s_is_refused', async permission => {
    fake.state.permissions.set('alice', permission === 'triage' ? 'read' : permission);    // the API reports triage as read
    await expectRefusal(fake, 'not-authorised', comment(fake, '/benchmark'));
  });
  it('collaborator_who_may_only_read_is_refused', async () => {
    const event = comment(fake, '/benchmark', { user: MALLORY });
    event.comment.author_association = 'COLLABORATOR';
    await expectRefusal(fake, 'not-authorised', event);
  });
  it('user_unknown_to_the_repository_is_refused', async () => {
    fake.state.permissions.clear();
    await expectRefusal(fake, 'not-authorised', comment(fake, '/benchmark'));
  });
  it('organisation_admin_whose_association_is_none_is_accepted', async () => {
    fake.state.permissions.set('alice', 'admin');
    expect((await runGate(fake, comment(fake, '/benchmark'))).outputs['decision']).toBe('run');
  });
  it('user_whose_login_another_user_took_is_decided_by_id', async () => {
    const event = comment(fake, '/benchmark');
    fake.state.users[0]!.id = 99;
    await expectRefusal(fake, 'requester-changed', event);
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
    await expectRefusal(fake, 'comment-edited', event);
  });
  it('comment_that_differs_from_the_event_is_refused', async () => {
    const event = comment(fake, '/benchmark');
    fake.state.comments[0]!.body = '/benchmark quick';
    await expectRefusal(fake, 'comment-differs', event);
  });
  it('comment_of_another_pull_request_is_refused', async () => {
    const event = comment(fake, '/benchmark', { issue: 6 });
    event.issue.number = 5;
    await expectRefusal(fake, 'comment-differs', event);
  });
  it('deleted_comment_is_refused', async () => {
    const event = comment(fake, '/benchmark');
    fake.state.comments = [];
    await expectRefusal(fake, 'comment-gone', event);
  });
  it('closed_pull_request_is_refused', async () => { pull().state = 'closed'; await expectRefusal(fake, 'pull-request-closed', comment(fake, '/benchmark')); });
  it('draft_pull_request_is_refused', async () => { pull().draft = true; await expectRefusal(fake, 'pull-request-draft', comment(fake, '/benchmark')); });

  it('wrong_form_gets_the_help', async () => { expect(await expectRefusal(fake, 'command-form', comment(fake, '/benchmark\n/benchmark quick'))).toContain('/benchmark cancel | status | help'); });
  it('wrong_words_get_every_problem_the_nearest_name_and_the_help', async () => {
    const reply = await expectRefusal(fake, 'command-words', comment(fake, '/benchmark --runtmie net8.0 --rounds 7'));
    expect(reply).toContain('did you mean `--runtime`?');
    expect(reply).toContain('not S+C');
    expect(reply).toContain('suites: `quick`, `pr`; without one: `pr`');
  });
  it('unknown_suite_and_machine_get_the_nearest_name', async () => {
    const reply = await expectRefusal(fake, 'unknown-name', comment(fake, '/benchmark quik --machine ryzn'));
    expect(reply).toContain('Did you mean `quick`?');
    expect(reply).toContain('Did you mean `ryzen`?');
  });
  it('injection_never_reaches_reply_or_log_raw', async () => {
    const reply = await expectRefusal(fake, 'command-words', comment(fake, '/benchmark ::error::@org/team <!--x ##[group]'));
    expect(reply).not.toMatch(/^::|^##\[/m);
    expect(reply.match(/<!--/g)).toHaveLength(1);
    expect(reply).toContain('`::error::@org/team`');
  });

  /** What the gate of an earlier run left: a comment of ours, and its run. */
  const earlier = (run: number, { stage = 'done', by = ALICE, workflow = 3, at = WRITTEN, issue = 5, event = 'issue_comment' } = {}): void => {
    const id = ++fake.state.lastId;
    const state = stateLine({ stage: stage as Stage, run, attempt: 1, requester: by.id, base: BASE, head: 'd'.repeat(40), machine: 'azure-d4s', command: '/benchmark quick' });
    fake.state.comments.push({ id, node_id: `IC_${id}`, issue, body: `<!-- perf-lab:v1 pr=${issue} req=${run} -->\n${state}\ntext`, user: BOT, created_at: at, updated_at: at });
    fake.state.runs.push({ ...newRun(run), workflow_id: workflow, event, status: 'completed', actor: { id: by.id, login: by.login } });
  };
  it('accepted_requests_meet_the_limit_of_their_author', async () => {
    for (let i = 0; i < 10; i++) earlier(100 + i, { issue: 6 });
    expect(await expectRefusal(fake, 'user-limit', comment(fake, '/benchmark'))).toContain('10 of your requests were accepted');
  });
  it('accepted_requests_of_many_people_meet_the_limit_of_the_pull_request', async () => {
    for (let i = 0; i < 20; i++) earlier(100 + i, { by: { id: 100 + i, login: `u${i}`, type: 'User' } });
    await expectRefusal(fake, 'pull-request-limit', comment(fake, '/benchmark'));
  });
  it('a_request_that_is_run_again_meets_the_limit_of_the_pull_request_as_often_as_it_was_run', async () => {
    for (let i = 0; i < 18; i++) earlier(100 + i, { by: { id: 100 + i, login: `u${i}`, type: 'User' } });
    const event = comment(fake, '/benchmark');
    expect((await runGate(fake, event, { env: { GITHUB_RUN_ATTEMPT: '2' } })).code).toBe(0);
    expect((await runGate(fake, event, { env: { GITHUB_RUN_ATTEMPT: '3' } })).outputs['code']).toBe('pull-request-limit');
  });
  it.each<[string, object]>([['refused_by_the_plan', { stage: 'refused' }], ['of_yesterday', { at: '2026-11-19T09:00:00Z' }], ['claimed_by_another_workflow', { workflow: 4 }], ['claimed_by_a_run_of_another_event', { event: 'push' }]])('thirty_requests_%s_do_not_count', async (_, how) => {
    for (let i = 0; i < 30; i++) earlier(100 + i, how);
    expect((await runGate(fake, comment(fake, '/benchmark'))).code).toBe(0);
  });
  it('a_run_that_another_person_started_does_not_count_as_mine', async () => {
    for (let i = 0; i < 10; i++) { earlier(100 + i); fake.state.runs.at(-1)!.actor.id = 43; }
    expect((await runGate(fake, comment(fake, '/benchmark'))).code).toBe(0);
  });
  it('twenty_comments_of_strangers_block_nobody', async () => {
    for (let i = 0; i < 20; i++) {
      const user = { id: 200 + i, login: `stranger${i}`, type: 'User' };
      expect((await runGate(fake, comment(fake, '/benchmark', { user }))).outputs['code']).toBe('not-authorised');
    }
    expect((await runGate(fake, comment(fake, '/benchmark'))).outputs['decision']).toBe('run');
  });
  it('ten_typing_mistakes_and_then_the_right_command_is_accepted', async () => {
    for (let i = 0; i < 10; i++) expect((await runGate(fake, comment(fake, `/benchmark quik --rounds ${i}`))).outputs['decision']).toBe('refused');
    expect((await runGate(fake, comment(fake, '/benchmark quick'))).outputs['decision']).toBe('run');
    expect(ownComments(fake)).toHaveLength(2);    // the last refusal, and the request
  });
  it('says_how_many_requests_hold_the_machine_or_wait_for_it', async () => {
    for (let i = 0; i < 99; i++) { earlier(100 + i, { stage: i === 0 ? 'measuring' : 'waiting', issue: 6, by: { id: 300 + i, login: `u${i}`, type: 'User' } }); fake.state.runs.at(-1)!.status = i === 0 ? 'in_progress' : 'pending'; }
    earlier(500, { stage: 'waiting', issue: 6 });    // its run has ended: it died
    earlier(501, { stage: 'building', issue: 6 });
    fake.state.runs.at(-1)!.status = 'in_progress';
    await runGate(fake, comment(fake, '/benchmark'));
    expect(ownComments(fake).at(-1)).toContain('- 99 requests before this one hold `azure-d4s` or wait for it');
  });
  it('marker_written_by_another_workflow_is_not_believed', async () => {
    earlier(700, { workflow: 4, stage: 'measuring' });
    fake.state.runs.at(-1)!.status = 'in_progress';
    fake.state.comments.at(-1)!.body = fake.state.comments.at(-1)!.body.replace('d'.repeat(40), HEAD);    // the very request that comes now
    expect((await runGate(fake, comment(fake, '/benchmark quick'))).outputs['decision']).toBe('run');
  });
  it('two_requests_in_one_second_become_one', async () => {
    const events = [comment(fake, '/benchmark'), comment(fake, '/benchmark pr')];
    const ends = await Promise.all(events.map(async (event, i) => await runGate(fake, event, { env: { GITHUB_RUN_ID: String(900 + i) } })));
    expect(ends.map(({ outputs }) => outputs['decision']).sort()).toEqual(['refused', 'run']);
    expect(ends.find(({ code }) => code !== 0)!.outputs['code']).toBe('already-running');
    expect(ownComments(fake).filter(body => body.includes(' req='))).toHaveLength(1);
    expect(fake.state.checks).toHaveLength(1);
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
    const reply = await expectRefusal(fake, 'already-running', comment(fake, '/benchmark pr'), { env: { GITHUB_RUN_ID: '901' } });
    expect(reply).toContain('#issuecomment-1003)');
  });
  it('same_request_after_a_run_that_died_is_accepted', async () => {
    await runGate(fake, comment(fake, '/benchmark'));
    fake.state.runs[0]!.status = 'completed';
    expect((await runGate(fake, comment(fake, '/benchmark'), { env: { GITHUB_RUN_ID: '901' } })).code).toBe(0);
  });
  it('a_second_reply_to_one_person_takes_the_place_of_the_first', async () => {
    await expectRefusal(fake, 'command-words', comment(fake, '/benchmark x y'));
    await expectRefusal(fake, 'command-words', comment(fake, '/benchmark x z'));
  });
});
