import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fileIssues, MOST_NEW, numbersOf, type Filed, type Standing } from '../src/trend/file-issues.ts';
import { issueLines, titleOf } from '../src/trend/issue-body.ts';
import { bodyOf, createIssue, NoIssues, ownIssues } from '../src/trend/issues.ts';
import { END, markerLine, memoryLine, NOTHING_KNOWN, readMarker, readMemory } from '../src/trend/marker.ts';
import { summaryLines, SUMMARY_TITLE, type SummaryOf } from '../src/trend/summary.ts';
import type { Change } from '../src/history/trend-file.ts';
import { experimentWords, titleName } from '../src/trend/words.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BOT, type Issue } from './fake/state.ts';
import { testClient } from './support/lab.ts';
import { remark } from './support/oracle.ts';
import { at, change, place, trendOf } from './support/trend.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

const tracker = () => ({ gh: testClient(fake), at, me: BOT.id });
const A = 'a'.repeat(12), B = 'b'.repeat(12), C = 'c'.repeat(12);
/** A week: what is known is filed, and remembered for the next. */
let remembered: ReadonlyMap<string, number> = new Map();
beforeEach(() => { remembered = new Map(); });
async function week(...changes: Change[]): Promise<Filed[]> {
  const filed = await fileIssues({ tracker: tracker(), trend: trendOf(...changes), own: await ownIssues(tracker()), remembered, program: '' });
  remembered = numbersOf(filed, remembered);
  return filed;
}
const standings = (filed: readonly Filed[]): Standing[] => filed.map(({ standing }) => standing);
const issues = (): Issue[] => fake.state.issues;

describe('an issue', () => {
  it('is not made for a change that people accepted', async () => {
    expect(await week(change(A, { accepted: 'the new check is worth it' }))).toEqual([]);
    expect(issues()).toEqual([]);
  });

  it('is_one_for_each_change_updated_and_never_doubled', async () => {
    expect(standings(await week(change(A)))).toEqual(['filed']);
    expect(standings(await week(change(A)))).toEqual(['updated']);
    expect(standings(await week(change(A), change(B, { series: 'e' })))).toEqual(['updated', 'filed']);
    expect(issues().map(({ state }) => state)).toEqual(['open', 'open']);
    expect(fake.seen.filter(({ method }) => method === 'PATCH')).toEqual([]);    // it said so already
    await week(change(A, { members: [{ ...change(A).members[0]!, pValue: 0.001 }] }), change(B, { series: 'e' }));
    expect(fake.seen.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });

  it.each(['watched', 'due', 'not-confirmed', 'environment'] as const)('is_not_filed_for_a_change_that_is_%s', async status => {
    expect(await week(change(A, { status }))).toEqual([]);
  });

  it('is_not_filed_for_what_got_faster_nor_for_what_is_over', async () => {
    expect(await week(change(A, { members: [{ ...change(A).members[0]!, change: -0.2 }] }))).toEqual([]);
    expect(standings(await week(change(A, { status: 'recovered', recoveredBy: B })))).toEqual(['over-before']);
    expect(issues()).toEqual([]);
  });

  const fix = change(B, { week: 10, members: [{ ...change(B).members[0]!, change: -0.08 }], experiment: { ...change(B).experiment!, change: -0.075, verdict: 'improved' } });
  const over = change(A, { status: 'recovered', recoveredBy: B });

  it('is_closed_by_the_experiment_that_shows_the_fix', async () => {
    await week(change(A));
    expect(standings(await week(over, fix))).toEqual(['closed']);
    expect(issues()[0]).toMatchObject({ state: 'closed', state_reason: 'completed', body: expect.stringContaining('**Recovered.**') });
    fake.seen.length = 0;
    expect(standings(await week(over, fix))).toEqual(['closed']);
    expect(fake.seen.filter(({ method }) => method !== 'GET')).toEqual([]);    // it says so already
  });

  it('stays_open_beside_a_fix_of_one_of_its_series_and_says_when_the_last_is_back', async () => {
    const both = { members: [change(A).members[0]!, { ...change(A).members[0]!, values: { limit: '400' }, series: 'd'.repeat(64) }] };
    await week(change(A, both));
    expect(standings(await week(change(A, both), fix))).toEqual(['updated']);
    expect(issues()[0]).toMatchObject({ state: 'open', body: expect.not.stringContaining('**Recovered.**') });
    expect(issues()[0]!.body).toContain('- `primes limit=300, throughput`: 8.0 % faster after [`000000000008`]');
    expect(issues()[0]!.body).toContain('stays open until every one of its series is back');
    expect(standings(await week(change(A, { ...both, status: 'recovered', recoveredBy: B }), fix))).toEqual(['closed']);
    expect(issues()[0]!.body).toContain('brought the last of these series back within 1 % of the level before');
    expect(issues()[0]!.body).not.toContain('Since then');
  });

  it('is_opened_again_when_the_change_returns_and_no_second_one_is_made', async () => {
    await week(change(A));
    await week(over, fix);
    const again = change(C, { week: 16 });
    expect(standings(await week(over, fix, again))).toEqual(['reopened']);
    expect(issues()).toHaveLength(1);
    expect(issues()[0]).toMatchObject({ state: 'open', state_reason: 'reopened', body: expect.stringContaining('**It returned.**') });
    expect(readMarker(issues()[0]!.body)).toEqual({ changes: [A, C] });
    expect(standings(await week(over, fix, again))).toEqual(['updated']);
    expect(standings(await week(over, fix, change(C, { week: 16, status: 'recovered', recoveredBy: 'd'.repeat(12) })))).toEqual(['closed']);
  });

  it('is_opened_again_when_what_closed_it_does_not_hold', async () => {
    await week(change(A));
    await week(over, fix);
    expect(standings(await week(change(A)))).toEqual(['reopened']);
  });

  it('names_what_the_experiment_measured_when_clearer_series_join_later', async () => {
    const measured = { ...change(A).experiment!, series: change(A).members[0]!.series };
    await week(change(A, { experiment: measured }));
    const joined = { ...change(A).members[0]!, values: { limit: '999' }, series: 'd'.repeat(64), pValue: 0.0001 };
    await week(change(A, { experiment: measured, members: [joined, change(A).members[0]!] }));
    expect(issues()[0]!.body).toContain('| `primes limit=300, throughput` | +8.1 % | +7.0 % to +9.0 % |');
    expect(issues()[0]!.body).toContain('--set limit=300 --rounds 0+28');
  });

  it('that_a_person_closed_stays_closed', async () => {
    await week(change(A));
    issues()[0]!.state = 'closed';
    fake.seen.length = 0;
    expect(standings(await week(change(A, { members: [{ ...change(A).members[0]!, pValue: 0.0001 }] })))).toEqual(['closed-by-a-person']);
    expect(fake.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('that_a_person_wrote_below_keeps_what_they_wrote_and_their_title', async () => {
    await week(change(A));
    Object.assign(issues()[0]!, { title: 'ours now', body: `${issues()[0]!.body}\n\nWe know: see the wiki.` });
    await week(change(A, { members: [{ ...change(A).members[0]!, pValue: 0.0001 }] }));
    expect(issues()[0]).toMatchObject({ title: 'ours now', body: expect.stringMatching(/0\.00010[^]*<!-- perf-lab:end -->\n\nWe know: see the wiki\.$/) });
  });

  it('whose_mark_a_person_took_away_is_left_alone_and_not_filed_again', async () => {
    await week(change(A));
    issues()[0]!.body = 'nothing of ours';
    expect(standings(await week(change(A)))).toEqual(['edited']);
    expect(issues()).toHaveLength(1);
  });

  it('that_is_locked_is_still_kept_up_to_date', async () => {
    await week(change(A));
    issues()[0]!.locked = true;
    await week(over, fix);
    expect(issues()[0]).toMatchObject({ state: 'closed' });
    expect(fake.seen.some(({ path }) => path.endsWith('/comments'))).toBe(false);
  });

  it.each([['moved', { moved: 'https://api.github.com/repositories/7/issues/3' }], ['gone', { deleted: true }]] as const)('that_is_%s_is_not_filed_again', async (standing, fate) => {
    await week(change(A));
    Object.assign(issues()[0]!, fate);
    expect(standings(await week(change(A)))).toEqual([standing]);
    expect(standings(await week(over, fix))).toEqual([standing]);
    expect(issues()).toHaveLength(1);
  });

  it('of_a_stranger_with_our_mark_is_never_touched', async () => {
    issues().push({ number: 3, id: 3, title: 'x', body: `${markerLine({ changes: [A] })}\nmine`, state: 'open', state_reason: null, labels: [], user: { id: 43, login: 'mallory' }, locked: false, created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' });
    expect(standings(await week(change(A)))).toEqual(['filed']);
    expect(issues()[0]!.body).toContain('mine');
  });
  it('of_nobody_any_more_is_not_ours', async () => {
    await week(change(A));
    issues()[0]!.user = null as never;    // an account that was deleted
    expect(await ownIssues(tracker())).toEqual([]);
  });

  it.each(['made', 'dropped', 'refused'] as const)('is_filed_when_its_label_is_gone_and_%s', async newLabels => {
    fake.state.newLabels = newLabels;
    expect(standings(await week(change(A)))).toEqual(['filed']);
    expect(issues().map(({ labels }) => labels)).toEqual([newLabels === 'made' ? ['perf-lab'] : []]);
    issues()[0]!.labels = [];    // somebody deletes the label
    fake.state.labels.clear();
    expect(standings(await week(change(A)))).toEqual(['updated']);
  });

  it('waits_when_too_many_would_be_filed_at_once', async () => {
    const many = Array.from({ length: MOST_NEW + 2 }, (_, i) => change(String(i).padStart(12, '0'), { series: i.toString(16) }));
    expect(standings(await week(...many)).filter(standing => standing === 'too-many')).toHaveLength(2);
    expect(standings(await week(...many)).filter(standing => standing === 'filed')).toHaveLength(2);
  });

  it.each([['the limit for whoever writes too fast', () => { fake.state.contentLeft = 0; }], ['502 after the effect', () => { let once = false; fake.fault = ({ method }) => (method === 'POST' && !once ? (once = true, { after: { status: 502, json: {} } }) : undefined); }],
    ['an answer that is lost', () => { let once = false; fake.fault = ({ method }) => (method === 'POST' && !once ? (once = true, { after: 'abort' as const }) : undefined); }]])('is_made_once_through %s', async (_, arrange) => {
    arrange();
    await week(change(A));
    fake.fault = undefined;
    await week(change(A));
    expect(issues()).toHaveLength(1);
  });

  it('that_a_broken_run_made_without_remembering_it_is_found', async () => {
    await week(change(A));
    remembered = new Map();
    expect(standings(await week(change(A)))).toEqual(['updated']);
  });
});

it('a_repository_without_issues_says_what_to_do', async () => {
  fake.state.hasIssues = false;
  await expect(ownIssues(tracker())).rejects.toThrow(NoIssues);
  await expect(createIssue(tracker(), 'summary', 'x', 'y')).rejects.toThrow('turn them on (Settings, General, Features)');
});

it('a_pull_request_is_no_issue', async () => {
  await week(change(A));
  Object.assign(issues()[0]!, { pull_request: { url: 'x' } });
  expect(await ownIssues(tracker())).toEqual([]);
});

describe('what is remembered', () => {
  it('comes_back_as_it_was', () => {
    const memory = { data: 'd'.repeat(40), success: '2026-03-02', issues: new Map([[A, 12], [B, 13]]) };
    expect(readMemory(`${markerLine('summary')}\n${memoryLine(memory)}\ntext`)).toEqual(memory);
    expect(readMemory(`${markerLine('summary')}\n${memoryLine(NOTHING_KNOWN)}\ntext`)).toEqual(NOTHING_KNOWN);
  });

  it.each(['', 'x', markerLine('summary'), `${markerLine('summary')}\n<!-- perf-lab:trend-memory data=../.. success=- issues=- -->`, `${markerLine('summary')}\n<!-- perf-lab:trend-memory data=- success=- issues=${A}:0 -->`])('is_nothing_when_somebody_edited_it: %s', body => {
    expect(readMemory(body)).toEqual(NOTHING_KNOWN);
  });

  it('fits_into_an_issue_however_many_there_were', () => {
    const issues = new Map(Array.from({ length: 5000 }, (_, i) => [i.toString(16).padStart(12, '0'), i + 1]));
    expect(memoryLine({ data: null, success: null, issues }).length).toBeLessThan(25_000);
  });
});

const NASTY = ['@org/team', '&#64;user', '&commat;user', '<img src=x onerror=y>', '[x](javascript:alert)', 'a|b\nc', '```', '</details>', markerLine('summary'), END, 'fixes #1', 'GH-1', 'owner/repo#1', '\u202etxt', 'a\u200db', "'; DROP TABLE sessions; --", '../../etc/passwd', '$(id)', '-->', '0123456789012345678901234567890123456789'];

describe('names of any kind', () => {
  const nasty = (name: string): Change => change(A, {
    machine: name, cpu: name, executor: name, before: { ...place(4), commit: name }, after: { ...place(6), commit: name, session: name },
    members: [{ ...change(A).members[0]!, workload: name, values: { [name]: name }, metric: name, unit: name }], experiment: { ...change(A).experiment!, session: name, verdict: name },
  });
  const summary = (name: string): SummaryOf => ({
    at, failures: [], measured: null, commits: null, machine: 'm', suite: 's', filed: [{ change: nasty(name), number: 7, standing: 'filed' }], confirmed: null, cost: null, lastSuccess: null, notes: [],
    trend: { ...trendOf(nasty(name), { ...nasty(name), status: 'due' }, { ...nasty(name), status: 'watched' }, { ...nasty(name), status: 'not-confirmed' }), warnings: [name],
      environment: [{ machine: name, cpu: name, before: place(1), after: place(2), share: 0.8, change: 0.1 }], stopped: [{ workload: name, values: { [name]: name }, metric: name, machine: name, cpu: name, last: place(3), missed: 4 }] },
  });
  // Links to commits and to our own issues are ours; the hidden lines and the folded report are the only HTML.
  const strange = (text: string): string[] => remark(text).filter(active => !/^link https:\/\/github\.com\/example\/library\/(commit|compare|issues|tree|actions)\//.test(active) && !/^html <(!-- perf-lab:(trend v1|trend-said|trend-memory|end)|\/?details|summary)/.test(active));

  it.each(NASTY)('%s is text in an issue, a summary and a title', name => {
    const body = bodyOf({ changes: [A] }, 'x', issueLines(at, nasty(name), { all: [nasty(name)], program: '' }));
    expect(strange(body)).toEqual([]);
    expect(body.split(END)).toHaveLength(2);
    expect(strange(bodyOf('summary', memoryLine(NOTHING_KNOWN), summaryLines(summary(name))))).toEqual([]);
    const title = titleOf(nasty(name));
    expect(remark(title.replace('perf-lab: ', ''))).toEqual([]);
    expect(title.length).toBeLessThan(256);
  });

  it.each(NASTY.slice(0, -1))('%s is on no command line', name => { expect(experimentWords(nasty(name))).toBeNull(); });
  it('a_dash_in_front_is_no_option', () => { expect(experimentWords(change(A, { members: [{ ...change(A).members[0]!, workload: '--out' }] }))).toBeNull(); });
  it('the_longest_issue_fits', () => {
    const wide = change(A, { members: Array.from({ length: 3000 }, (_, i) => ({ ...change(A).members[0]!, workload: 'x'.repeat(300), series: i.toString(16).padStart(64, '0') })) });
    expect(bodyOf({ changes: [A] }, 'x', issueLines(at, wide, { all: [wide], program: '' })).length).toBeLessThan(65_536);
    expect(titleName('x'.repeat(900))).toBe('a program');
    expect(SUMMARY_TITLE.length).toBeLessThan(256);
  });
});
