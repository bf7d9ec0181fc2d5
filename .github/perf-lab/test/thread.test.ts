import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteComment, findComment, isClosedForComments, ownComment, ownComments, postComment, updateComment, type OwnComment, type Thread } from '../src/thread/comments.ts';
import { dropWhenMinimised, endOf, findLiving, setLiving } from '../src/thread/living.ts';
import { markerLine, readMarker, type Marker } from '../src/thread/marker.ts';
import { isEnd, readState, STAGES, stateLine, type State } from '../src/thread/state.ts';
import { startFakeGitHub, type Answer, type FakeGitHub } from './fake/server.ts';
import { BASE, BOT, HEAD, NOW, type User } from './fake/state.ts';
import { MALLORY, testClient } from './support/lab.ts';

let fake: FakeGitHub;
let thread: Thread;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => {
  fake.reset();
  thread = { gh: testClient(fake), at: { owner: 'example', repo: 'library', runId: 900, runAttempt: 2, apiUrl: '', serverUrl: 'https://github.com' }, pullRequest: 5, me: BOT.id };
});

const MARKER = { pullRequest: 5, request: 1001 } satisfies Marker;
const LINE = '<!-- perf-lab:v1 pr=5 req=1001 -->';
const REPLY: Marker = { pullRequest: 123, replyTo: 45, comment: 678 };

/** A comment stands on the pull request, ours unless told. */
function stands(id: number, body: string, { user = BOT as User | null, issue = 5 } = {}): void {
  const at = new Date(NOW).toISOString();
  fake.state.comments.push({ id, node_id: `IC_${id}`, issue, body, user: user as User, created_at: at, updated_at: at });
}

const own = (id: number, body: string, marker: Marker = MARKER): OwnComment => ({ id, nodeId: `IC_${id}`, body, marker, createdAt: NOW });
const answers = (method: string, answer: Answer | 'abort'): void => { fake.fault = call => (call.method === method ? answer : undefined); };
const refusal = (status: number, message = 'told'): Answer => ({ status, json: { message } });
const ids = (): number[] => fake.state.comments.map(({ id }) => id);
const LIST = 'GET /issues/:id/comments', POST = 'POST /issues/:id/comments', PATCH = 'PATCH /issues/comments/:id', GET = 'GET /issues/comments/:id', DELETE = 'DELETE /issues/comments/:id';

describe('a marker', () => {
  const far = 999_999_999_999_999;
  it.each<[Marker, string]>([
    [MARKER, LINE], [{ pullRequest: far, request: far }, `<!-- perf-lab:v1 pr=${far} req=${far} -->`],
    [REPLY, '<!-- perf-lab:v1 pr=123 reply=45 to=678 -->'], [{ pullRequest: 7, replyTo: far, comment: far }, `<!-- perf-lab:v1 pr=7 reply=${far} to=${far} -->`],
  ])('is_one_line_and_read_again: %j', (marker, line) => {
    expect(markerLine(marker)).toBe(line);
    for (const body of [line, `${line}\n`, `${line}\ntext`, `${line}\r\ntext`]) expect(readMarker(body)).toEqual(marker);
  });
  it.each([
    '', 'text', ` ${LINE}`, `text\n${LINE}\ntext`, `${LINE} `, `${LINE}text`, `${LINE}\rtext`, LINE.replace('v1', 'v2'), LINE.replace('1001', ''), LINE.replace('1001', '1x'), LINE.replace('pr=5', 'pr=-5'),
    LINE.replace('1001', `1${far}`), LINE.replace('pr=5', `pr=1${far}`), LINE.replace('req=1001', 'reply=1'), LINE.replace('req=1001', 'to=1'), LINE.replace('req=1001', `reply=1${far} to=1`), LINE.replace('req=1001', `reply=1 to=1${far}`),
  ])('is_none: %j', body => { expect(readMarker(body)).toBeNull(); });
});

describe('a state', () => {
  const state: State = { stage: 'measuring', run: 900, attempt: 12, requester: 42, base: BASE, head: HEAD, machine: 'a--b', command: '/benchmark pr --pgo on' };
  it.each(['accepted', 'building', 'waiting', 'measuring', 'done', 'failed', 'cancelled', 'refused'] as const)('is_read_from_the_second_line: %s', stage => {
    const line = stateLine({ ...state, stage });
    expect(line).toBe(`<!-- perf-lab:state stage=${stage} run=900 attempt=12 by=42 base=${BASE} head=${HEAD} machine=YS0tYg command=L2JlbmNobWFyayBwciAtLXBnbyBvbg -->`);
    for (const body of [`x\n${line}`, `x\r\n${line}`, `x\n${line}\nmore`, `x\r\n${line}\r\nmore`]) expect(readState(body)).toEqual({ ...state, stage });
  });
  it.each([stateLine(state), `x\n\n${stateLine(state)}`, `x\n${stateLine(state)} `, `x\n ${stateLine(state)}`, `x\n${stateLine({ ...state, stage: 'over' as never })}`, `x\n${stateLine({ ...state, base: 'b' })}`, 'x', ''])('is_none: %j', body => { expect(readState(body)).toBeNull(); });
  it('is_an_end_or_not', () => { expect(STAGES.filter(isEnd)).toEqual(['done', 'failed', 'cancelled', 'refused']); });
});

describe('our comments', () => {
  it('are_those_of_our_user_with_a_marker_of_this_pull_request_oldest_first', async () => {
    const [second, third, first] = [`${LINE}\nsecond`, markerLine({ pullRequest: 5, replyTo: 42, comment: 9 }), `${LINE}\nfirst`] as const;
    stands(20, second);
    stands(30, third);
    stands(10, first);
    stands(11, first, { user: MALLORY });
    stands(12, first, { user: null });
    stands(13, 'ours, and no marker');
    stands(14, first.replace('pr=5', 'pr=6'));
    stands(15, first, { issue: 6 });
    expect(await ownComments(thread)).toEqual([own(10, first), own(20, second), own(30, third, { pullRequest: 5, replyTo: 42, comment: 9 })]);
    expect(fake.seen[0]!.query.get('per_page')).toBe('100');
  });
  it('have_a_body', () => {
    const written = { id: 1, node_id: 'IC_1', user: BOT, created_at: '2026-11-20T10:00:20Z', updated_at: '', issue_url: '' };
    expect(ownComment({ ...written, body: LINE }, BOT.id)).toEqual([{ id: 1, nodeId: 'IC_1', body: LINE, marker: MARKER, createdAt: NOW }]);
    for (const body of [null, undefined, '']) expect(ownComment({ ...written, body }, BOT.id)).toEqual([]);
    for (const user of [null, undefined, MALLORY]) expect(ownComment({ ...written, body: LINE, user }, BOT.id)).toEqual([]);
  });
});

describe('posting a comment', () => {
  it('looks_posts_and_looks_again', async () => {
    stands(10, markerLine({ pullRequest: 5, request: 7 }));
    expect(await postComment(thread, MARKER, 'text')).toEqual(own(1001, `${LINE}\ntext`));
    expect(fake.calls()).toEqual([LIST, POST, LIST]);
    expect(ids()).toEqual([10, 1001]);
  });
  it('does_not_look_first_when_told_what_is_there', async () => {
    await postComment(thread, MARKER, 'text', []);
    expect(fake.calls()).toEqual([POST, LIST]);
  });
  it('changes_the_one_that_is_there', async () => {
    stands(10, markerLine({ pullRequest: 5, request: 7 }));
    stands(20, LINE);
    expect(await postComment(thread, MARKER, 'text')).toEqual(own(20, `${LINE}\ntext`));
    expect(fake.calls()).toEqual([LIST, PATCH]);
    expect(fake.state.comments.map(({ body }) => body)).toEqual([markerLine({ pullRequest: 5, request: 7 }), `${LINE}\ntext`]);
  });
  it('keeps_the_oldest_of_two_that_were_posted_at_once', async () => {
    stands(10, markerLine({ pullRequest: 5, request: 7 }));
    stands(20, `${LINE}\nfirst`);
    expect(await postComment(thread, MARKER, 'text', [])).toEqual(own(20, `${LINE}\nfirst`));
    expect(ids()).toEqual([10, 20]);
  });
  it.each([400, 403, 404, 422, 499])('fails_at_once_when_it_is_refused: %i', async status => {
    answers('POST', refusal(status));
    await expect(postComment(thread, MARKER, 'text', [])).rejects.toMatchObject({ status });
    expect(fake.calls()).toEqual([POST]);
  });
  it.each<[string, Answer | 'abort', string]>([
    ['a broken server', refusal(500, 'broken'), 'broken'], ['a lost connection', 'abort', 'other side closed'], ['a comment that vanished', { status: 201, json: { id: 1 } }, 'the comment was posted and is not there'],
  ])('looks_again_and_says_what_came_back_of: %s', async (_, answer, why) => {
    answers('POST', answer);
    await expect(postComment(thread, MARKER, 'text', [])).rejects.toThrow(why);
    expect(fake.calls()).toEqual([POST, LIST]);
  });
  it.each<Answer | 'abort'>([refusal(500), refusal(502), 'abort'])('is_content_when_it_is_there_all_the_same: %j', async after => {
    fake.fault = call => (call.method === 'POST' ? { after } : undefined);
    expect(await postComment(thread, MARKER, 'text', [])).toMatchObject({ id: 1001 });
    expect(fake.calls()).toEqual([POST, LIST]);
  });
});

describe('one of our comments', () => {
  it('is_set_only_when_it_says_something_else', async () => {
    stands(20, `${LINE}\ntext`);
    expect(await updateComment(thread, own(20, `${LINE}\ntext`), 'text')).toEqual(own(20, `${LINE}\ntext`));
    expect(fake.seen).toEqual([]);
    expect(await updateComment(thread, own(20, `${LINE}\ntext`), 'other')).toEqual(own(20, `${LINE}\nother`));
    expect([fake.calls(), fake.state.comments[0]!.body]).toEqual([[PATCH], `${LINE}\nother`]);
  });
  it('is_found_by_its_id_while_it_is_ours_and_of_that_marker', async () => {
    stands(20, `${LINE}\ntext`);
    expect(await findComment(thread, 20, MARKER)).toEqual(own(20, `${LINE}\ntext`));
    expect(await findComment(thread, 20, { pullRequest: 5, request: 7 })).toBeNull();
    expect(await findComment(thread, 21, MARKER)).toBeNull();
    fake.state.comments[0]!.user = MALLORY;
    expect(await findComment(thread, 20, MARKER)).toBeNull();
  });
  it.each<[number, boolean]>([[404, true], [410, true], [403, false], [409, false], [451, false], [500, false]])('is_gone_or_an_error_when_looking_for_it_is_answered: %i', async (status, isGone) => {
    answers('GET', refusal(status));
    if (isGone) expect(await findComment(thread, 20, MARKER)).toBeNull();
    else await expect(findComment(thread, 20, MARKER)).rejects.toMatchObject({ status });
  });
  it('is_an_error_when_looking_for_it_is_answered_with_something_else', async () => {
    answers('GET', { status: 200, json: { id: 20 } });
    await expect(findComment(thread, 20, MARKER)).rejects.toThrow('GitHub\'s answer about our comment: node_id: missing');
  });
  it('is_deleted', async () => {
    stands(20, LINE);
    stands(21, LINE);
    await deleteComment(thread, 20);
    expect([ids(), fake.calls()]).toEqual([[21], [DELETE]]);
  });
  it.each<[number, boolean]>([[404, true], [410, true], [403, false], [422, false]])('is_deleted_by_somebody_else_or_not_at_all: %i', async (status, isGone) => {
    answers('DELETE', refusal(status));
    if (isGone) await deleteComment(thread, 20);
    else await expect(deleteComment(thread, 20)).rejects.toMatchObject({ status });
  });
  it.each<[number, string, boolean]>([
    [403, 'Unable to create comment because issue is locked.', true], [403, 'Locked', true], [404, 'Not Found', true], [410, 'Gone', true], [403, 'Resource not accessible by integration', false], [422, 'it is locked', false], [500, 'locked', false],
  ])('may_not_be_written_any_more_or_something_else_is_wrong: %i %s', (status, message, isClosed) => {
    expect(isClosedForComments(Object.assign(new Error(message), { status, response: { headers: {} } }))).toBe(isClosed);
    expect(isClosedForComments(Object.assign(new Error(message), { status }))).toBe(false);    // no answer at all
  });
});

describe('the comment that lives', () => {
  const living = (known: number | null) => ({ thread, marker: MARKER, known });
  it('is_not_looked_for_without_its_id', async () => {
    stands(20, LINE);
    expect([await findLiving(living(null)), fake.seen]).toEqual([null, []]);
    expect(await findLiving(living(20))).toEqual(own(20, LINE));
    expect(fake.calls()).toEqual([GET]);
  });
  it('is_a_new_one_where_there_is_none', async () => {
    expect(await setLiving(living(null), null, 'text')).toEqual(own(1001, `${LINE}\ntext`));
    expect(fake.calls()).toEqual([LIST, POST, LIST]);
  });
  it('is_changed_where_it_is_known', async () => {
    stands(20, LINE);
    expect(await setLiving(living(20), own(20, LINE), 'text')).toEqual(own(20, `${LINE}\ntext`));
    expect(fake.calls()).toEqual([PATCH]);
  });

  const said = (more: Partial<State>): OwnComment => own(20, `${LINE}\n${stateLine({ stage: 'done', run: 900, attempt: 2, requester: 42, base: BASE, head: HEAD, machine: 'm', command: 'c', ...more })}`);
  it.each<[string, OwnComment | null, string | null]>([
    ['no comment', null, null], ['a comment that says nothing', own(20, LINE), null], ['another run', said({ run: 901 }), null], ['another attempt', said({ attempt: 1 }), null], ['this one, under way', said({ stage: 'measuring' }), null],
    ['another run, under way', said({ run: 901, stage: 'waiting' }), null], ['this one, done', said({}), 'done'], ['this one, refused', said({ stage: 'refused' }), 'refused'],
  ])('has_told_the_end_of_this_attempt_or_not: %s', (_, found, stage) => { expect(endOf(found, thread.at)).toBe(stage); });

  it('goes_when_somebody_minimised_it', async () => {
    stands(20, LINE);
    stands(21, LINE);
    fake.state.comments[0]!.minimised = true;
    expect(await dropWhenMinimised(thread, own(20, LINE))).toEqual({ comment: null, body: LINE });
    expect([ids(), fake.calls()]).toEqual([[21], ['POST /graphql', DELETE]]);
  });
  it('stays_when_nobody_did', async () => {
    stands(20, `${LINE}\nas it is now`);
    expect(await dropWhenMinimised(thread, own(20, LINE))).toEqual({ comment: own(20, LINE), body: `${LINE}\nas it is now` });
    expect([ids(), fake.calls()]).toEqual([[20], ['POST /graphql']]);
  });
  it.each([{ node: null }, { node: {} }])('stays_when_GitHub_does_not_know: %j', async data => {
    answers('POST', { status: 200, json: { data } });
    expect(await dropWhenMinimised(thread, own(20, LINE))).toEqual({ comment: own(20, LINE), body: '' });
    expect(fake.calls()).toEqual(['POST /graphql']);
  });
});
