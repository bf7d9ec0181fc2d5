import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fileIssues, type Standing } from '../src/trend/file-issues.ts';
import { bodyOf, createIssue, fateOf, NoIssues, ownIssues, setIssue, type OwnIssue } from '../src/trend/issues.ts';
import { END, markerLine, readMarker, saidLine } from '../src/trend/marker.ts';
import type { Change } from '../src/history/trend-file.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BOT, type Issue } from './fake/state.ts';
import { testClient } from './support/lab.ts';
import { at, change, trendOf } from './support/trend.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

const A = 'a'.repeat(12), B = 'b'.repeat(12), C = 'c'.repeat(12);
const tracker = () => ({ gh: testClient(fake), at, me: BOT.id });
const issues = (): Issue[] => fake.state.issues;
const sent = (method: string) => fake.seen.filter(call => call.method === method);
const refuse = (method: string, status: number, message = 'not now'): void => { fake.fault = call => (call.method === method ? { status, json: { message } } : undefined); };

/** An issue that an earlier run made. */
function there(kind: Parameters<typeof markerLine>[0], more: Partial<Issue> = {}): Issue {
  const issue: Issue = {
    number: issues().length + 11, id: 500 + issues().length, title: 'told before', body: bodyOf(kind, saidLine('recovered'), ['text']), state: 'closed', state_reason: 'completed', labels: [], user: BOT, locked: false,
    created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', ...more,
  };
  issues().push(issue);
  return issue;
}
const marks = (): unknown[] => issues().map(({ body }) => readMarker(body));
async function filed(...changes: Change[]): Promise<Standing[]> {
  const all = await fileIssues({ tracker: tracker(), trend: trendOf(...changes), own: await ownIssues(tracker()), remembered: new Map(), program: '' });
  return all.map(({ standing }) => standing);
}
const over = (id: string, more: Parameters<typeof change>[1] = {}): Change => change(id, { status: 'recovered', recoveredBy: 'e'.repeat(12), ...more });
const twoSeries = { members: [change(A).members[0]!, { ...change(A).members[0]!, series: '9'.repeat(64) }] };

describe('the issue of a change', () => {
  it.each<[string, Change, readonly string[]]>([
    ['over', over(A, { week: 2 }), ['reopened']], ['over, with another series beside it', over(A, { week: 2, ...twoSeries }), ['reopened']],
    ['not over', change(A, { week: 2 }), ['reopened', 'filed']], ['over and later', over(A, { week: 16 }), ['closed', 'filed']], ['over and of the same session', over(A), ['closed', 'filed']],
    ['over and of another program', over(A, { week: 2, series: '9' }), ['closed', 'filed']],
  ])('is_that_of_an_earlier_one_which_is: %s', async (_, earlier, expected) => {
    there({ changes: [A] });
    expect((await filed(earlier, change(C))).sort()).toEqual([...expected].sort());
    expect(marks()).toEqual(expected.length === 1 ? [{ changes: [A, C] }] : [{ changes: [A] }, { changes: [C] }]);
  });
  it('is_none_where_only_some_of_what_it_told_is_over', async () => {
    there({ changes: [A, B] }, { state: 'open' });
    expect(await filed(over(A, { week: 2 }), change(B, { week: 4 }), change(C))).toEqual(['updated', 'filed']);
    expect(marks()).toEqual([{ changes: [A, B] }, { changes: [C] }]);
  });
  it('is_never_the_summary', async () => {
    there('summary', { state: 'open' });
    expect(await filed(over(A, { week: 2 }), change(C))).toEqual(['over-before', 'filed']);
    expect(marks()).toEqual(['summary', { changes: [C] }]);
  });
  it('is_not_made_for_one_that_is_over_before_it_was_told', async () => {
    there({ changes: [A] });
    expect(await filed(over(A, { week: 2 }), over(C))).toEqual(['closed', 'over-before']);
    expect(marks()).toEqual([{ changes: [A] }]);
  });
  it('tells_the_newest_of_those_that_share_it_whatever_their_order', async () => {
    there({ changes: [A, B, C] }, { state: 'open' });
    expect(await filed(change(C, { week: 16 }), over(A, { week: 2 }), over(B, { week: 8 }))).toEqual(['updated']);
    expect(issues()[0]!.body).toContain('(2026-04-27)');
    expect(issues()[0]!.body).not.toContain('**Recovered.**');
  });
  it('remembers_the_last_fifty_that_share_it', async () => {
    const many = Array.from({ length: 50 }, (_, i) => String(i).padStart(12, '0'));
    there({ changes: many });
    expect(await filed(...many.map(id => over(id, { week: 2 })), change(C))).toEqual(['reopened']);
    expect(marks()).toEqual([{ changes: [...many.slice(1), C] }]);
    expect(issues()[0]!.body).toContain('had been taken back.\n\n**8.1 % slower**');
  });
  it('is_set_without_a_state_while_it_stays_open', async () => {
    there({ changes: [A] }, { state: 'open', body: bodyOf({ changes: [A] }, saidLine('confirmed'), ['old']) });
    expect(await filed(change(A))).toEqual(['updated']);
    expect(sent('PATCH').map(({ body }) => Object.keys(body as object))).toEqual([['body']]);
  });
});

describe('our issues', () => {
  it('are_the_oldest_first_by_their_number', async () => {
    there({ changes: [A] }, { number: 12 });
    there({ changes: [B] }, { number: 11 });
    expect((await ownIssues(tracker())).map(({ number }) => number)).toEqual([11, 12]);
  });
  it.each<[number, string, boolean]>([[410, 'Issues are disabled for this repo', true], [410, 'Gone', false], [403, 'Issues are disabled for this repo', false]])('are_switched_off_by_status_and_message_together: %i %s', async (status, message, isOff) => {
    refuse('GET', status, message);
    const failed = await ownIssues(tracker()).catch((error: unknown) => error);
    expect([failed instanceof NoIssues, failed instanceof Error]).toEqual([isOff, true]);
  });
  it('that_are_not_in_the_list_are_gone_or_edited_and_never_guessed', async () => {
    there('summary');
    expect([await fateOf(tracker(), 11), await fateOf(tracker(), 99)]).toEqual(['edited', 'gone']);
    refuse('GET', 403);
    await expect(fateOf(tracker(), 11)).rejects.toMatchObject({ status: 403 });
  });
});

describe('the text of an issue', () => {
  const below = (before: string): string => bodyOf('summary', 'state', ['line'], before).split(END)[1]!;
  it('keeps_what_people_wrote_below_our_last_line', () => {
    expect([below(`ours${END}\ntheirs`), below(`${END}theirs`), below('x'.repeat(100)), below('')]).toEqual(['\ntheirs', 'theirs', '', '']);
  });
  it('is_as_long_as_GitHub_takes', () => {
    expect(bodyOf('summary', 'state', ['line'], `${END}${'x'.repeat(70_000)}`)).toHaveLength(65_536);
    expect(below(`${END}${'x'.repeat(65_000)}`)).toHaveLength(65_000);
    expect(below(`ours${END}`)).toBe('');
  });
});

describe('making an issue', () => {
  const made = (kind: Parameters<typeof markerLine>[0] = { changes: [A] }): Promise<OwnIssue> => createIssue(tracker(), kind, 'a title', bodyOf(kind, 'x', []));
  it('is_open_and_has_our_label', async () => {
    expect(await made()).toMatchObject({ number: 11, title: 'a title', isOpen: true, kind: { changes: [A] } });
    expect(issues()[0]!.labels).toEqual(['perf-lab']);
  });
  it.each<[number, string, number]>([
    [422, 'Label does not exist', 2], [403, 'You do not have permission to create labels on this repository.', 2], [400, 'Bad label', 1], [403, 'Resource not accessible', 1], [422, 'Validation Failed', 1],
  ])('is_tried_without_its_label_when_that_is_what_is_wrong: %i %s', async (status, message, tries) => {
    refuse('POST', status, message);
    await expect(made()).rejects.toMatchObject({ status });
    expect(sent('POST').map(({ body }) => (body as { labels: string[] }).labels)).toEqual([['perf-lab'], []].slice(0, tries));
  });
  it.each([[400, false], [403, false], [499, false], [500, true], [502, true]])('that_was_refused_is_not_looked_for_and_one_without_an_answer_is: %i', async (status, isLookedFor) => {
    there({ changes: [B] });
    there({ changes: [A] }, { number: 13 });
    refuse('POST', status);
    if (isLookedFor) expect(await made()).toMatchObject({ number: 13 });
    else await expect(made()).rejects.toMatchObject({ status });
  });
  it('that_is_not_there_afterwards_has_failed', async () => {
    there({ changes: [B] });
    refuse('POST', 502);
    await expect(made()).rejects.toMatchObject({ status: 502 });
  });
});

describe('setting an issue', () => {
  const of = (issue: Issue): OwnIssue => ({ number: issue.number, title: issue.title, body: issue.body, isOpen: issue.state === 'open', kind: 'summary' });
  it.each<[string, Parameters<typeof setIssue>[2], object | null]>([
    ['nothing new', { body: 'b' }, null], ['the same in full', { body: 'b', state: 'open', title: 't' }, null], ['another body', { body: 'c' }, { body: 'c' }],
    ['another state', { body: 'b', state: 'closed' }, { body: 'b', state: 'closed', state_reason: 'completed' }], ['another title', { body: 'b', title: 'u' }, { body: 'b', title: 'u' }],
  ])('sends_what_changes_in_one_call: %s', async (_, to, expected) => {
    await setIssue(tracker(), of(there('summary', { title: 't', body: 'b', state: 'open' })), to);
    expect(sent('PATCH').map(({ body }) => body)).toEqual(expected === null ? [] : [expected]);
  });
  it('opens_what_was_closed', async () => {
    await setIssue(tracker(), of(there('summary', { body: 'b' })), { body: 'b', state: 'open' });
    expect(sent('PATCH').map(({ body }) => body)).toEqual([{ body: 'b', state: 'open', state_reason: 'reopened' }]);
  });
});
