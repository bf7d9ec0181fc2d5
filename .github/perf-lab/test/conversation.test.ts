import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHECK_NAME, setCheck, stateOfCheck, type CheckContent, type CheckOf } from '../src/thread/check.ts';
import type { OwnComment, Thread } from '../src/thread/comments.ts';
import { minimiseOlder } from '../src/thread/minimise.ts';
import { markerLine, type Marker } from '../src/thread/marker.ts';
import { react } from '../src/thread/reactions.ts';
import { reply } from '../src/thread/reply.ts';
import { newestOf, recentRequests, requestsAmong, requestsInLine, unfinished, type KnownRequest } from '../src/thread/requests.ts';
import { WorkflowRuns } from '../src/thread/runs.ts';
import { STAGES, stateLine, type State } from '../src/thread/state.ts';
import { whoAmI } from '../src/thread/who-am-i.ts';
import { startFakeGitHub, type Answer, type FakeGitHub } from './fake/server.ts';
import { BASE, BOT, HEAD, newRun, NOW } from './fake/state.ts';
import { MALLORY, testClient } from './support/lab.ts';

let fake: FakeGitHub;
let thread: Thread;
let notes: string[];
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => {
  fake.reset();
  notes = [];
  thread = { gh: testClient(fake), at: { owner: 'example', repo: 'library', runId: 900, runAttempt: 2, apiUrl: '', serverUrl: 'https://github.com' }, pullRequest: 5, me: BOT.id };
});

const note = (text: string): void => { notes.push(text); };
const refusal = (status: number, message = 'told'): Answer => ({ status, json: { message } });
const state = (more: Partial<State> = {}): State => ({ stage: 'waiting', run: 901, attempt: 1, requester: 42, base: BASE, head: HEAD, machine: 'm', command: 'c', ...more });
const bodyOf = (marker: Marker, said: State | null): string => `${markerLine(marker)}\n${said === null ? 'text' : stateLine(said)}`;
const own = (id: number, marker: Marker, said: State | null): OwnComment => ({ id, nodeId: `IC_${id}`, body: bodyOf(marker, said), marker, createdAt: NOW });
const request = (id: number, said: State | null = state()): OwnComment => own(id, { pullRequest: 5, request: id }, said);
const known = (id: number, more: Partial<State> = {}): KnownRequest => ({ comment: request(id, state(more)), state: state(more) });

function stands({ id, body }: OwnComment, { issue = 5, user = BOT, updated_at = new Date(NOW).toISOString() } = {}): void {
  fake.state.comments.push({ id, node_id: `IC_${id}`, issue, body, user, created_at: new Date(NOW).toISOString(), updated_at });
}

describe('the runs of this workflow', () => {
  const runs = (): WorkflowRuns => new WorkflowRuns(thread.gh, thread.at);
  it.each<[string, () => void, { isUnderWay: boolean; attempts: number } | null]>([
    ['one under way', () => {}, { isUnderWay: true, attempts: 1 }], ['one that waits', () => { fake.state.runs[1]!.status = 'queued'; }, { isUnderWay: true, attempts: 1 }], ['one that ended', () => { fake.state.runs[1]!.status = 'completed'; }, { isUnderWay: false, attempts: 1 }],
    ['one of another event', () => { fake.state.runs[1]!.event = 'push'; }, null], ['one of another person', () => { fake.state.runs[1]!.actor.id = 43; }, null], ['one of nobody', () => { fake.state.runs[1]!.actor = null as never; }, null],
    ['one of another workflow', () => { fake.state.runs[1]!.workflow_id = 4; }, null], ['one that was deleted', () => { fake.state.runs.pop(); }, null],
  ])('tell_whether_a_comment_is_believed: %s', async (_, change, expected) => {
    change();
    expect(await runs().of(state())).toEqual(expected);
  });
  it('are_asked_about_once', async () => {
    const one = runs();
    for (let i = 0; i < 3; i++) await one.of(state());
    expect(fake.calls()).toEqual(Array(2).fill('GET /actions/runs/:id'));
  });
  it('are_an_error_where_GitHub_does_not_say', async () => {
    fake.fault = () => refusal(403);
    await expect(runs().of(state())).rejects.toThrow('told');
    fake.fault = undefined;
    fake.state.runs.shift();
    await expect(runs().of(state())).rejects.toThrow('GitHub does not know the run 900 that this job belongs to; re-run this job');
  });
  it('are_under_way_until_they_are_completed', async () => {
    fake.state.runs.push({ ...newRun(902), status: 'completed' }, { ...newRun(903), status: 'queued' }, { ...newRun(904), workflow_id: 4 });
    expect([...(await runs().underWay())!].sort()).toEqual([900, 901, 903]);
    expect(fake.seen.at(-1)!.path).toContain('/workflows/3/runs');
    expect(fake.seen.at(-1)!.query.get('event')).toBe('issue_comment');
  });
  it('are_read_until_the_five_hundredth', async () => {
    fake.state.runs = [...Array.from({ length: 650 }, (_, i) => newRun(1000 + i)), newRun(900)];
    expect((await runs().underWay())!.size).toBe(500);
    expect(fake.seen).toHaveLength(6);
  });
  it.each<[number, boolean]>([[403, true], [404, true], [401, false], [422, false]])('may_not_be_looked_at_or_something_is_wrong: %i', async (status, isHidden) => {
    fake.fault = call => (call.path.endsWith('/runs') ? refusal(status) : undefined);
    if (isHidden) expect(await runs().underWay()).toBeNull();
    else await expect(runs().underWay()).rejects.toMatchObject({ status });
  });

  const inLine = (requests: readonly KnownRequest[]): Promise<number | null> => requestsInLine(requests, 'm', runs(), 900);
  it('hold_the_machine_or_wait_for_it', async () => {
    fake.state.runs.push(newRun(902), { ...newRun(903), status: 'completed' });
    expect(await inLine([])).toBe(0);
    expect(await inLine([known(1), known(2, { run: 902, stage: 'measuring' }), known(3, { run: 902 })])).toBe(2);
    expect(await inLine([known(1, { machine: 'other' }), known(2, { run: 900 }), known(3, { run: 903 }), known(4, { run: 999 })])).toBe(0);
    for (const stage of STAGES) expect(await inLine([known(1, { stage })]), stage).toBe(stage === 'waiting' || stage === 'measuring' ? 1 : 0);
    fake.fault = call => (call.path.endsWith('/runs') ? refusal(403) : undefined);
    expect(await inLine([known(1)])).toBeNull();
  });
  it('tell_the_newest_request_that_is_believed', async () => {
    fake.state.runs.push({ ...newRun(902), workflow_id: 4 });
    expect(await newestOf([known(3, { run: 902 }), known(2), known(1, { run: 900 })], runs())).toEqual(known(2));
    expect(await newestOf([known(3, { run: 902 })], runs())).toBeNull();
  });
});

describe('requests', () => {
  it('are_comments_with_a_state_the_newest_first', () => {
    expect(requestsAmong([request(1), request(2, null), own(3, { pullRequest: 5, replyTo: 42, comment: 1 }, state()), request(4, state({ run: 7 }))])).toEqual([known(4, { run: 7 }), known(1)]);
  });
  it('are_unfinished_until_their_end', () => { expect(unfinished(STAGES.map((stage, i) => known(i, { stage }))).map(one => one.state.stage)).toEqual(['accepted', 'building', 'waiting', 'measuring']); });
  it('are_recent_for_five_days_and_on_the_pull_request_that_they_name', async () => {
    const days = (count: number): string => new Date(NOW - count * 86_400_000).toISOString();
    stands(request(2));
    stands(request(1), { updated_at: days(4.9) });
    stands(request(3), { updated_at: days(5.1) });
    stands(own(4, { pullRequest: 6, request: 4 }, state()));
    stands(own(5, { pullRequest: 6, request: 5 }, state()), { issue: 6 });
    stands(request(6), { user: MALLORY });
    stands(request(7), { issue: 15 });
    const found = await recentRequests(thread, NOW);
    expect(found.map(({ comment }) => comment.id)).toEqual([5, 2, 1]);
    expect(Object.fromEntries(fake.seen[0]!.query)).toEqual({ since: days(5), sort: 'updated', direction: 'desc', per_page: '100', page: '1' });
  });
  it('are_read_until_the_thousandth_comment', async () => {
    for (let i = 1; i <= 1150; i++) stands(request(i));
    expect(await recentRequests(thread, NOW)).toHaveLength(1000);
    expect(fake.seen).toHaveLength(10);
  });
});

describe('a check', () => {
  const of = (): CheckOf => ({ gh: thread.gh, at: thread.at, head: HEAD, request: 7 });
  const content: CheckContent = { status: 'in_progress', title: 'measuring', summary: 'text', url: 'https://github.com/run' };
  const stood = (id: number, more: object = {}): void => { fake.state.checks.push({ id, name: CHECK_NAME, head_sha: HEAD, external_id: '7', status: 'queued', ...more }); };
  const output = { title: 'measuring', summary: '[The run: log and files](https://github.com/run)\n\ntext' };
  const LIST = 'GET /commits/:sha/check-runs', POST = 'POST /check-runs', PATCH = 'PATCH /check-runs/:id';
  it('is_made_once', async () => {
    expect(await setCheck(of(), content)).toBe(1001);
    expect(fake.state.checks).toEqual([{ id: 1001, name: 'perf-lab', head_sha: HEAD, external_id: '7', status: 'in_progress', details_url: 'https://github.com/run', output }]);
    expect(Object.fromEntries(fake.seen[0]!.query)).toEqual({ check_name: 'perf-lab', filter: 'all', per_page: '100' });
    expect(await setCheck(of(), { ...content, status: 'completed', conclusion: 'neutral' })).toBe(1001);
    expect(fake.calls()).toEqual([LIST, POST, LIST, PATCH]);
    expect(fake.state.checks).toMatchObject([{ status: 'completed', conclusion: 'neutral', output }]);
  });
  it('is_the_oldest_of_this_request', async () => {
    stood(30);
    stood(20);
    stood(10, { external_id: '8' });
    stood(11, { name: 'other' });
    expect(await setCheck(of(), content)).toBe(20);
    expect(fake.state.checks.map(({ id, status }) => [id, status])).toEqual([[30, 'queued'], [20, 'in_progress'], [10, 'queued'], [11, 'queued']]);
  });
  it('is_not_looked_for_where_it_is_known', async () => {
    stood(20);
    expect([await setCheck(of(), content, 20), fake.calls()]).toEqual([20, [PATCH]]);
  });
  it('says_where_its_request_stands', async () => {
    const said = { ...state(), stage: 'measuring' as const };
    await setCheck(of(), { ...content, state: said });
    expect([await stateOfCheck(of(), null), await stateOfCheck(of(), 1001)]).toEqual([said, said]);
  });
  it('says_nothing_where_it_is_gone_and_what_is_not_there_is_not_asked_for', async () => {
    expect([await stateOfCheck(of(), null), fake.calls()]).toEqual([null, [LIST]]);
    expect(await stateOfCheck(of(), 20)).toBeNull();
  });
  it('is_not_called_gone_when_it_can_not_be_read', async () => {
    stood(20);
    fake.fault = call => (call.path.endsWith('/check-runs/20') ? refusal(403) : undefined);
    await expect(stateOfCheck(of(), 20)).rejects.toThrow('told');
  });
  it('is_looked_for_where_the_known_one_is_gone', async () => {
    stood(30);
    expect([await setCheck(of(), content, 20), fake.calls()]).toEqual([30, [PATCH, LIST, PATCH]]);
    fake.reset();
    expect([await setCheck(of(), content, 20), fake.calls()]).toEqual([1001, [PATCH, LIST, POST]]);
  });
  it('is_an_error_when_it_is_there_and_can_not_be_set', async () => {
    stood(20);
    fake.fault = call => (call.method === 'PATCH' ? refusal(404) : undefined);
    await expect(setCheck(of(), content)).rejects.toThrow('the check 20 is listed, but setting it is answered with 404: re-run this job');
    fake.fault = call => (call.method === 'PATCH' ? refusal(403) : undefined);
    await expect(setCheck(of(), content)).rejects.toThrow('told');
  });
  it.each([400, 403, 422, 499])('is_an_error_at_once_when_it_is_refused: %i', async status => {
    fake.fault = call => (call.method === 'POST' ? { after: refusal(status) } : undefined);
    await expect(setCheck(of(), content)).rejects.toMatchObject({ status });
    expect(fake.calls()).toEqual([LIST, POST]);
  });
  it.each<Answer | 'abort'>([refusal(500), refusal(502), 'abort', { status: 201, json: {} }])('is_looked_for_when_the_answer_is_lost: %j', async after => {
    fake.fault = call => (call.method === 'POST' ? { after } : undefined);
    expect([await setCheck(of(), content), fake.calls()]).toEqual([1001, [LIST, POST, LIST]]);
    fake.state.checks = [];
    fake.fault = call => (call.method === 'POST' ? after : undefined);
    await expect(setCheck(of(), content)).rejects.toThrow();
  });
  it('is_cut_where_it_is_too_long', async () => {
    await setCheck(of(), { ...content, title: 'x'.repeat(251), summary: 'y'.repeat(60_000) });
    const { title, summary } = fake.state.checks[0]!.output!;
    expect([title, summary.length, summary.endsWith('y')]).toEqual(['x'.repeat(250), 60_000, true]);
  });
});

describe('what else is said', () => {
  const minimise = (comments: readonly OwnComment[], before = 100): Promise<void> => minimiseOlder(thread, comments, before, note);
  const minimised = (): number[] => fake.state.comments.filter(one => one.minimised).map(({ id }) => id);
  it('minimises_what_ended_before_this_request', async () => {
    const all = [request(1, state({ stage: 'done' })), request(2, state({ stage: 'refused' })), request(3), request(4, null), own(5, { pullRequest: 5, replyTo: 42, comment: 1 }, state({ stage: 'done' })), request(100, state({ stage: 'done' })), request(101, state({ stage: 'done' }))];
    all.forEach(one => { stands(one); });
    await minimise(all);
    expect([minimised(), fake.calls(), notes]).toEqual([[1, 2], ['POST /graphql'], []]);
    expect(fake.seen[0]!.body.query).toMatch(/^mutation\(\$id0: ID!, \$id1: ID!\) \{\n/);
  });
  it('minimises_nothing_without_a_call', async () => {
    await minimise([request(100, state({ stage: 'done' }))]);
    expect(fake.seen).toEqual([]);
  });
  it('minimises_the_last_twenty', async () => {
    const all = Array.from({ length: 21 }, (_, i) => request(i + 1, state({ stage: 'done' })));
    all.forEach(one => { stands(one); });
    await minimise(all);
    expect(minimised()).toEqual(all.slice(1).map(({ id }) => id));
  });
  it('notes_what_could_not_be_minimised', async () => {
    await minimise([request(1, state({ stage: 'done' }))]);
    expect(notes).toEqual([expect.stringMatching(/^older comments could not be minimised: .*Could not resolve to a node/s)]);
  });

  const answer = (comment = 50): Promise<boolean> => reply(thread, { comment, user: 42, title: 'help', lines: ['one', 'two'] }, note);
  const marker = (comment: number, user = 42): Marker => ({ pullRequest: 5, replyTo: user, comment });
  it('answers_in_place_of_older_answers_to_the_same_person', async () => {
    for (const one of [own(10, marker(40), null), own(11, marker(49), null), own(12, marker(40, 43), null), own(13, marker(51), null), request(14)]) stands(one);
    await answer();
    expect(fake.state.comments.map(({ id }) => id)).toEqual([12, 13, 14, 1001]);
    expect(fake.state.comments.at(-1)!.body).toBe(`${markerLine(marker(50))}\n### perf-lab: help\n\none\ntwo\n\n[Your command](https://github.com/example/library/pull/5#issuecomment-50).`);
    await answer();
    expect(fake.state.comments.map(({ id }) => id)).toEqual([12, 13, 14, 1001]);
    expect(notes).toEqual([]);
  });
  it('notes_that_a_locked_conversation_takes_no_answer', async () => {
    fake.state.pulls.get(5)!.locked = true;
    stands(own(10, marker(40), null));
    await answer();
    expect([fake.state.comments, notes]).toEqual([[], ['the conversation takes no comments: the answer is in the job summary only']]);
  });
  it('fails_when_it_may_not_answer', async () => {
    fake.fault = call => (call.method === 'POST' ? refusal(403, 'Resource not accessible') : undefined);
    await expect(answer()).rejects.toThrow('Resource not accessible');
  });
  it('reacts_as_often_as_it_takes_and_notes_when_it_may_not', async () => {
    stands(request(1));
    let lost = 0;
    fake.fault = () => (lost++ === 0 ? refusal(502) : undefined);
    await react(thread.gh, thread.at, 1, 'rocket', note);
    expect([fake.state.reactions, notes]).toEqual([[{ comment: 1, content: 'rocket', user: BOT.id }], []]);
    await react(thread.gh, thread.at, 2, 'eyes', note);
    expect(notes).toEqual([expect.stringContaining('the reaction eyes could not be set: Not Found')]);
  });
  it.each<[Record<string, string>, number]>([
    [{}, 41_898_282], [{ GITHUB_API_URL: 'https://api.github.com' }, 41_898_282], [{ GITHUB_API_URL: 'https://github.example.org/api/v3' }, BOT.id], [{ PERF_LAB_BOT_ID: '12' }, 12], [{ PERF_LAB_BOT_ID: '1', GITHUB_API_URL: 'x' }, 1],
    [{ PERF_LAB_BOT_ID: '0' }, 41_898_282], [{ PERF_LAB_BOT_ID: '' }, 41_898_282], [{ PERF_LAB_BOT_ID: 'x1' }, 41_898_282], [{ PERF_LAB_BOT_ID: '1x' }, 41_898_282], [{ PERF_LAB_BOT_ID: '9'.repeat(15) }, 999_999_999_999_999], [{ PERF_LAB_BOT_ID: '9'.repeat(16) }, 41_898_282],
  ])('knows_who_it_is: %j', async (env, id) => {
    expect(await whoAmI(thread.gh, env)).toBe(id);
    expect(fake.seen).toHaveLength(id === BOT.id ? 1 : 0);
  });
});
