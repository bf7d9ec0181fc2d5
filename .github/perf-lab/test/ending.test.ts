import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jobsOfRun } from '../src/github/jobs.ts';
import { endingOf, type Ending, type Found, type Gate } from '../src/publish/ending.ts';
import { finalBody } from '../src/publish/final-body.ts';
import { MINUTES, readResults, whatWentWrong, type JobName, type JobResults, type Wrong } from '../src/process/job-results.ts';
import type { Judgement, Summary } from '../src/publish/judge.ts';
import { pullRequestNow, type Now } from '../src/publish/moved.ts';
import { jobsOutOfTime } from '../src/publish/out-of-time.ts';
import { requesterOf } from '../src/publish/requester.ts';
import type { AtHand } from '../src/thread/request-at-hand.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BASE, HEAD } from './fake/state.ts';
import { comment, testClient } from './support/lab.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

const NONE: Summary = { regressed: 0, improved: 0, unchanged: 0, undecided: 0, tooNoisy: 0, identicalBuild: 0, failed: 0, unavailable: 0, doesNotHold: 0, notSteady: 0, allocatesMore: 0, untouched: 0, overBudget: 0 };
const judged = (counts: Partial<Summary>): Judgement => ({ kind: 'judged', summary: { ...NONE, ...counts }, answer: 'the answer', reports: { comment: 'short', jobSummary: 'long' }, falseFlags: null });
const failed: Wrong = { job: 'measure', cancelled: false, title: 'failed while measuring', sentence: 'Failed while measuring.' };
const cancelled: Wrong = { job: 'measure', cancelled: true, title: 'cancelled', sentence: 'Cancelled while measuring.' };
const ending = (more: Partial<Found>): Ending => endingOf({ wrong: null, journal: { kind: 'none' }, judgement: null, buildLog: null, failOn: [], ...more });

describe('an ending', () => {
  const DECLINED = 'Something regressed, and this workflow lets that pass (`fail-on: regression` makes it fail).';
  const CELLS = 'Nothing regressed where that could be told, but some rows failed.', HOLD = 'Nothing regressed every time it was measured, but something was flagged once and not again.';
  const WARM = 'Nothing regressed where that could be told, but programs were still warming up when they were measured.';
  const NOISY = 'Nothing regressed where that could be told, but some rows were too noisy to say.', OPEN = 'Nothing was decided: no change was found, and a change above the margin was not ruled out either.';
  const ONE_SIDED = 'Nothing regressed where that could be told, but some rows are only on one side or could not be had here.';
  it.each<[Partial<Summary>, boolean, Ending['conclusion'], string | null]>([
    [{ unchanged: 1 }, true, 'success', null], [{ improved: 1 }, true, 'success', null], [{ improved: 1, unchanged: 3 }, false, 'success', null], [{ untouched: 4 }, true, 'success', null], [{ untouched: 4, undecided: 1 }, true, 'neutral', OPEN], [{ unchanged: 1, undecided: 5, identicalBuild: 1 }, true, 'success', null],
    [{ unchanged: 1, undecided: 5, identicalBuild: 1, unavailable: 1 }, true, 'neutral', ONE_SIDED], [{ improved: 1, unavailable: 1 }, true, 'neutral', ONE_SIDED], [{ untouched: 1, unavailable: 1 }, true, 'neutral', ONE_SIDED], [{ undecided: 1, unavailable: 1 }, true, 'neutral', ONE_SIDED], [{ regressed: 1, unavailable: 1 }, true, 'failure', null],
    [{ regressed: 1, improved: 4, unchanged: 4 }, true, 'failure', null], [{ regressed: 1, failed: 1, tooNoisy: 1, doesNotHold: 1 }, true, 'failure', null], [{ regressed: 1, failed: 1, tooNoisy: 1, doesNotHold: 1 }, false, 'neutral', DECLINED],
    [{ failed: 1, unchanged: 3 }, true, 'neutral', CELLS], [{ failed: 1, doesNotHold: 1, tooNoisy: 1, unchanged: 3 }, true, 'neutral', CELLS], [{ doesNotHold: 1, unchanged: 3 }, true, 'neutral', HOLD], [{ doesNotHold: 1, tooNoisy: 1, undecided: 1 }, true, 'neutral', HOLD],
    [{ notSteady: 1, unchanged: 3 }, true, 'neutral', WARM], [{ notSteady: 1, improved: 1, tooNoisy: 1 }, true, 'neutral', WARM], [{ notSteady: 1, doesNotHold: 1 }, false, 'neutral', HOLD], [{ notSteady: 1, regressed: 1 }, true, 'failure', null],
    [{ tooNoisy: 1, unchanged: 3 }, true, 'neutral', NOISY], [{ tooNoisy: 1, undecided: 1, identicalBuild: 1 }, true, 'neutral', NOISY], [{ undecided: 1, identicalBuild: 1 }, true, 'neutral', OPEN],
    [{ identicalBuild: 1 }, true, 'neutral', 'Nothing was measured: base and head build the same bits.'], [{ unavailable: 1 }, true, 'neutral', 'Nothing could be compared.'], [{}, false, 'neutral', 'Nothing could be compared.'],
  ])('of %j, gate %s, is %s', (counts, isGate, conclusion, whyNeutral) => {
    expect(ending({ judgement: judged(counts), failOn: isGate ? ['regression'] : [] })).toEqual({
      stage: 'done', title: 'the answer', conclusion, whyNeutral, reaction: (counts.failed ?? 0) > 0 ? 'confused' : 'rocket', offers: (counts.regressed ?? 0) > 0 ? ['confirm', 'accept'] : (counts.improved ?? 0) + (counts.doesNotHold ?? 0) > 0 ? ['confirm'] : [], isJudged: true, reports: { comment: 'short', jobSummary: 'long' },
    });
  });
  it.each<[Partial<Summary>, Gate[], Ending['conclusion'], string | null]>([
    [{ allocatesMore: 1, unchanged: 3 }, ['allocations'], 'failure', null], [{ allocatesMore: 1, tooNoisy: 3 }, ['regression', 'allocations'], 'failure', null], [{ regressed: 1, allocatesMore: 1 }, ['regression'], 'failure', null],
    [{ allocatesMore: 1, unchanged: 3 }, ['regression'], 'neutral', 'Something allocates more, and this workflow lets that pass (`fail-on: allocations` makes it fail).'], [{ regressed: 1 }, ['allocations'], 'neutral', DECLINED],
    [{ unchanged: 1 }, ['allocations'], 'success', null],
    [{ overBudget: 1, unchanged: 3 }, ['budget'], 'failure', null], [{ overBudget: 1, unchanged: 3 }, ['regression', 'allocations'], 'neutral', 'A change overspends the budget since the anchor, and this workflow lets that pass (`fail-on: budget` makes it fail).'],
    [{ regressed: 1, unchanged: 3 }, ['budget'], 'neutral', DECLINED], [{ unchanged: 1 }, ['budget'], 'success', null],
  ])('of %j, failing on %j, is %s', (counts, failOn, conclusion, whyNeutral) => {
    expect(ending({ judgement: judged(counts), failOn })).toMatchObject({ conclusion, whyNeutral });
  });
  it.each<[Partial<Summary>, readonly Ending['offers'][number][]]>([[{ allocatesMore: 1 }, ['accept']], [{ allocatesMore: 1, improved: 1 }, ['confirm', 'accept']], [{ allocatesMore: 1, regressed: 1 }, ['confirm', 'accept']], [{ overBudget: 1 }, []]])('of %j, offers %j', (counts, offers) => {
    expect(ending({ judgement: judged(counts), failOn: ['allocations'] }).offers).toEqual(offers);
  });
  it.each<[Partial<Summary>, string | null, Ending['conclusion'], string | null]>([
    [{ unchanged: 1 }, 'Why.', 'neutral', 'Why.'], [{ unchanged: 1 }, null, 'success', null], [{ regressed: 1 }, 'Why.', 'failure', null], [{ tooNoisy: 1 }, 'Why.', 'neutral', NOISY],
  ])('of %j, where the budget is unknown: %j, is %s', (counts, budgetUnknown, conclusion, whyNeutral) => {
    expect(ending({ judgement: judged(counts), failOn: ['regression', 'budget'], budgetUnknown })).toMatchObject({ conclusion, whyNeutral });
  });
  it('fails_for_a_gate_that_there_is_none_of_and_says_which_there_are', () => {
    const found = ending({ judgement: judged({ unchanged: 1 }), journal: { kind: 'there', notes: ['A note.'] }, failOn: [], notGates: ['regressions', 'a`b', 'c', 'd'] });
    expect(found).toMatchObject({ conclusion: 'failure', whyNeutral: null, title: 'the answer' });
    expect(found.reports.comment).toBe('**The check fails because of its own setting**: `fail-on` of the workflow has `regressions`, `a\'b`, `c`; it takes `regression`, `allocations` and `budget`, with commas. A note.\n\nshort');
    expect(ending({ judgement: judged({ unchanged: 1 }), notGates: [] }).conclusion).toBe('success');
  });
  it.each<[Wrong, Ending['stage'], string]>([[failed, 'failed', 'partly measured: the answer'], [cancelled, 'cancelled', 'cancelled; measured until then: the answer']])('of what was cut tells what was measured before: %j', (wrong, stage, title) => {
    const told = `${wrong.sentence} What follows was measured before.\n\n`;
    expect(ending({ wrong, judgement: judged({ unchanged: 3 }), failOn: ['regression'] })).toEqual({
      stage, title, conclusion: 'neutral', whyNeutral: wrong.sentence, reaction: 'confused', offers: [], isJudged: true, reports: { comment: `${told}short`, jobSummary: `${told}long` },
    });
  });

  it.each<[readonly string[] | undefined, string]>([[undefined, 'short'], [[], 'short'], [['Machine 2 is left out.', 'So is 3.'], 'Machine 2 is left out. So is 3.\n\nshort']])('says_first_what_of_the_journals_does_not_count: %j', (notes, comment) => {
    expect(ending({ journal: notes === undefined ? { kind: 'there' } : { kind: 'there', notes }, judgement: judged({ unchanged: 1 }) }).reports.comment).toBe(comment);
  });

  const NOTHING_CAME = 'No job failed, but nothing that was measured came back; the log of the run says what was done.';
  const UNUSABLE = 'No job failed, but what was measured can\'t be used. Measure it again with `/benchmark rerun`; if it comes again, the log of the run helps who looks into it.';
  const without = (stage: Ending['stage'], title: string, why: string, text: string): Ending => ({ stage, title, conclusion: 'neutral', whyNeutral: why, reaction: 'confused', offers: [], isJudged: false, reports: { comment: text, jobSummary: text } });
  it.each<[string, Partial<Found>, Ending]>([
    ['nothing', {}, without('failed', 'no result', NOTHING_CAME, NOTHING_CAME)], ['a failure', { wrong: failed }, without('failed', failed.title, failed.sentence, failed.sentence)], ['a cancel', { wrong: cancelled }, without('cancelled', 'cancelled', cancelled.sentence, cancelled.sentence)],
    ['a journal that was refused', { journal: { kind: 'refused', sentence: 'The journal was refused.' } }, without('failed', 'no result', UNUSABLE, `${UNUSABLE}\nThe journal was refused.`)],
    ['a journal that can\'t be judged', { journal: { kind: 'there' }, judgement: { kind: 'unreadable', lines: ['why', '', 'text'] } }, without('failed', 'no result', UNUSABLE, `${UNUSABLE}\nwhy\n\ntext`)],
    ['a build', { wrong: failed, buildLog: 'error' }, without('failed', failed.title, failed.sentence, `${failed.sentence}\n\nThe last lines of the build:\n\n\`\`\`text\nerror\n\`\`\``)],
  ])('without a report, of %s', (_, found, expected) => { expect(ending(found)).toEqual(expected); });

  const shown = (buildLog: string): string => ending({ wrong: failed, buildLog }).reports.comment.split('```text\n')[1]!.replace('\n```', '');
  const lines = (count: number): string[] => Array.from({ length: count }, (_, i) => `line ${i}`);
  it('shows_the_last_40_lines_of_a_build', () => {
    expect(shown(`${lines(40).join('\n')}\n\n`)).toBe(lines(40).join('\n'));
    expect(shown(lines(41).join('\n'))).toBe(lines(41).slice(1).join('\n'));
  });
  it('shows_nothing_from_before_the_last_8000_characters_of_a_build', () => {
    expect(shown(`a${'x'.repeat(7999)}`)).toBe(`a${'x'.repeat(1998)}…`);
    expect(shown(`a${'x'.repeat(8000)}`)).toBe(`${'x'.repeat(1999)}…`);
  });
});

describe('how the other jobs ended', () => {
  const JOBS: readonly [JobName, string][] = [['tools', 'TOOLS'], ['plan', 'PLAN'], ['build-base', 'BUILD_BASE'], ['build-head', 'BUILD_HEAD'], ['bases', 'BASES'], ['complete', 'COMPLETE'], ['lab-up', 'LAB_UP'], ['measure', 'MEASURE']];
  const all = (result: string): JobResults => Object.fromEntries(JOBS.map(([job]) => [job, result])) as JobResults;
  const good = all('success');
  it.each(JOBS)('is_read_of_its_own_variable: %s', (job, name) => {
    for (const result of ['success', 'failure', 'cancelled', 'skipped', '']) expect(readResults({ [`PERF_LAB_RESULT_${name}`]: result })).toEqual({ ...all(''), [job]: result });
    expect(() => readResults({ [`PERF_LAB_RESULT_${name}`]: 'late' })).toThrow(`the result of the job ${job} is none that GitHub knows`);
  });
  it('is_nothing_where_nothing_is_said', () => { expect(readResults({})).toEqual(all('')); });

  const WHILE = { 'tools': 'building perf-lab', 'plan': 'planning', 'build-base': 'building base', 'build-head': 'building head', 'bases': 'making the base of the containers', 'complete': 'completing the plan', 'lab-up': 'starting the machine', 'measure': 'measuring' };
  const PUSH = 'Push a commit that builds, and ask again.', MERGE = 'Base is where the branch left the base branch: merge a commit of that branch that builds, and ask again.';
  // GitHub's changelog of 2026-05-07: up to 100 wait in a group with `queue: max`, and the next one is cancelled.
  const FULL_LINE = 'If nobody did that, 100 requests waited for the machine already, which is as many as GitHub lets wait: write the command again later.';
  const wrong = (results: Partial<JobResults>, late: readonly JobName[] = []): Wrong | null => whatWentWrong({ ...good, ...results }, new Set(late));
  it('is_well_or_not_run', () => { expect([wrong({}), wrong({ measure: 'skipped' }), wrong({ measure: '' })]).toEqual([null, null, null]); });
  it.each(JOBS)('is_told_of_the_job: %s', job => {
    const what = WHILE[job];
    expect(wrong({ [job]: 'cancelled' }, [job])).toEqual({ job, cancelled: false, title: `out of time while ${what}`, sentence: `Out of time while ${what}: GitHub ends this job after ${MINUTES[job]} minutes.` });
    expect(wrong({ [job]: 'cancelled' })).toEqual({ job, cancelled: true, title: 'cancelled', sentence: `Cancelled while ${job === 'lab-up' ? `waiting for the machine or starting it. ${FULL_LINE}` : `${what}.`}` });
    const side = job.startsWith('build-') ? job.slice('build-'.length) : null;
    expect(wrong({ [job]: 'failure' })).toEqual(side === null
      ? { job, cancelled: false, title: `failed while ${what}`, sentence: `Failed while ${what}; the log of the run says why${job === 'lab-up' ? ', and its file `boot-log` what the machine showed' : ''}.` }
      : { job, cancelled: false, title: `${side} does not build`, sentence: `Nothing was measured. The other commit, ${side === 'base' ? 'head' : 'base'}, builds. ${side === 'head' ? PUSH : MERGE}` });
  });
  it.each<[Partial<JobResults>, string, string]>([
    [{ 'build-base': 'failure', 'build-head': 'failure' }, 'neither base nor head builds', `Nothing was measured. ${PUSH}`], [{ 'build-base': 'failure', 'build-head': 'skipped' }, 'base does not build', `Nothing was measured. ${MERGE}`],
    [{ 'build-base': '', 'build-head': 'failure' }, 'head does not build', `Nothing was measured. ${PUSH}`], [{ 'build-head': 'failure', 'bases': 'failure' }, 'head does not build', `Nothing was measured. The other commit, base, builds. ${PUSH}`], [{ 'plan': 'failure', 'measure': 'cancelled' }, 'cancelled', 'Cancelled while measuring.'],
  ])('is_told_of_two: %j', (results, title, sentence) => { expect(wrong(results)).toMatchObject({ title, sentence }); });
  it('is_out_of_time_before_it_is_anything_else', () => { expect(wrong({ tools: 'cancelled', measure: 'cancelled', plan: 'failure' }, ['measure', 'lab-up'])).toMatchObject({ job: 'lab-up', cancelled: false }); });

  const AT = { owner: 'example', repo: 'library', runId: 900, runAttempt: 2, apiUrl: '', serverUrl: 'https://github.com' };
  const ranFor = (name: string, minutes: number, more: object = {}): void => {
    const started = Date.parse('2026-11-20T10:00:00Z');
    fake.state.jobs.push({ run: 900, name, conclusion: 'cancelled', started_at: new Date(started).toISOString(), completed_at: new Date(started + minutes * 60_000).toISOString(), ...more });
  };
  const late = async (results: Partial<JobResults>): Promise<JobName[]> => [...await jobsOutOfTime(testClient(fake), AT, { ...good, ...results })];
  const NAMES: readonly [JobName, string][] = [['tools', 'plan'], ['plan', 'plan'], ['build-base', 'build-base / build'], ['build-head', 'build-head / build'], ['bases', 'bases'], ['complete', 'complete'], ['lab-up', 'machine / lab-up'], ['measure', 'machine / measure']];
  it.each(NAMES)('is_out_of_time_by_the_clock: %s', async (job, name) => {
    for (const shown of [name, `benchmark / ${name}`]) {
      fake.state.jobs = [];
      ranFor(shown, MINUTES[job]);
      expect(await late({ [job]: 'cancelled' })).toEqual([job]);
    }
    expect(fake.calls()).toEqual(Array(2).fill('GET /actions/runs/:id/attempts/:id/jobs'));
    expect(fake.seen[0]!.path).toContain('/runs/900/attempts/2/');
  });
  it.each<[string, string, number, object]>([
    ['shorter', 'machine / measure', 359.9, {}], ['that failed', 'machine / measure', 360, { conclusion: 'failure' }], ['of another name', 'machine / measures', 360, {}], ['of a longer name', 'xmachine / measure', 360, {}], ['that has not ended', 'machine / measure', 360, { completed_at: null }],
    ['that never began', 'machine / measure', 360, { started_at: null }],
  ])('is_not_out_of_time: one %s', async (_, name, minutes, more) => {
    ranFor(name, minutes, more);
    expect(await late({ measure: 'cancelled' })).toEqual([]);
  });
  it.each([...NAMES, ...[1, 8].map(one => ['measure', `shard-${one} / measure`] as [JobName, string])])('is_known_by_its_whole_name_only: %s, %s', async (job, name) => {
    for (const shown of [`x${name}`, `${name}s`, `${name} / x`]) ranFor(shown, MINUTES[job]);
    expect(await late({ [job]: 'cancelled' })).toEqual([]);
    ranFor(`fleet / ${name}`, MINUTES[job]);
    expect(await late({ [job]: 'cancelled' })).toEqual([job]);
  });
  it('is_one_of_those_that_github_lists_and_of_no_others', async () => {
    ranFor('plan', 5);
    expect(await jobsOfRun(testClient(fake), AT)).toMatchObject([{ name: 'plan' }]);
  });
  it('is_not_asked_about_where_nothing_was_cancelled', async () => {
    ranFor('machine / measure', 360);
    expect([await late({ measure: 'failure' }), fake.seen]).toEqual([[], []]);
    expect(await late({ plan: 'cancelled' })).toEqual([]);
  });

  describe('what became of it meanwhile', () => {
    const request = { pullRequest: 5, commentId: 1001, requesterId: 42, head: HEAD, base: BASE, snippet: null, words: { suite: 'pr', workloads: [], runtimes: [], pgo: [], gc: [], frameworks: [], filters: [], categories: [], machine: null, rounds: null, sessions: null, warmUp: null, sdk: null, within: null } } as unknown as AtHand['request'];
    const now = (): Promise<Now> => pullRequestNow(testClient(fake), AT, request);
    const pull = (): any => fake.state.pulls.get(5)!;
    const OTHER = 'd'.repeat(40);
    it.each<[string, () => void, Now]>([
      ['nothing', () => {}, { moved: [], again: '/benchmark rerun' }], ['a draft', () => { pull().draft = true; }, { moved: [], again: null }], ['no longer said to be a draft', () => { delete pull().draft; }, { moved: [], again: '/benchmark rerun' }],
      ['a fork', () => { pull().head.repo.id = 666; }, { moved: [], again: `/benchmark rerun ${HEAD}` }], ['a deleted fork', () => { pull().head.repo = null; }, { moved: [], again: null }],
      ['closed', () => { pull().state = 'closed'; }, { moved: ['The pull request was closed meanwhile.'], again: null }], ['merged', () => { Object.assign(pull(), { state: 'closed', merged: true }); }, { moved: ['The pull request was merged meanwhile.'], again: null }],
      ['gone', () => { fake.state.pulls.clear(); }, { moved: ['The pull request can\'t be read any more.'], again: null }],
      ['moved', () => { pull().head.sha = OTHER; }, { moved: [`**Measured [\`aaaaaaaaaaaa\`](https://github.com/example/library/commit/${HEAD}); head is now [\`dddddddddddd\`](https://github.com/example/library/commit/${OTHER}).**`], again: '/benchmark rerun' }],
    ])('to the pull request: %s', async (_, change, expected) => {
      change();
      expect(await now()).toEqual(expected);
    });
    it('is_not_guessed_when_GitHub_does_not_say', async () => {
      fake.fault = () => ({ status: 403, json: { message: 'not for you' } });
      await expect(now()).rejects.toThrow('not for you');
      await expect(requesterOf(testClient(fake), AT, request)).rejects.toThrow('not for you');
    });
    const login = async (name: string): Promise<string | null> => {
      fake.state.comments = [];
      fake.state.lastId = 1000;
      comment(fake, '/benchmark', { user: { id: 42, login: name } });
      return await requesterOf(testClient(fake), AT, request);
    };
    it.each<[string, boolean]>([
      ['alice', true], ['a', true], ['a-b_C9', true], ['9a', true], ['x'.repeat(100), true], ['-a', false], ['_a', false], ['', false], ['a b', false], ['a@b', false], ['a\n', false], [' a', false],
    ])('to the name of who asked: %j', async (name, isShown) => { expect(await login(name)).toBe(isShown ? `@${name}` : null); });
    it.each([404, 410])('to the command: %i', async status => {
      fake.fault = () => ({ status, json: { message: 'gone' } });
      expect(await requesterOf(testClient(fake), AT, request)).toBeNull();
    });
    it('to the command: of somebody else, and of nobody', async () => {
      comment(fake, '/benchmark', { user: { id: 43, login: 'alice' } });
      expect(await requesterOf(testClient(fake), AT, request)).toBeNull();
      fake.state.comments[0]!.user = null as never;
      expect(await requesterOf(testClient(fake), AT, request)).toBeNull();
    });

    const body = (now: Now, requester: string | null, stale: string | null, page: number | null = null): string => finalBody({ request, at: AT, machine: 'm' } as AtHand, ending({ judgement: judged({ unchanged: 1 }) }), { now, requester, stale, page }).split('\n').slice(1).join('\n');
    const [link, commit] = ['https://github.com/example/library', (sha: string): string => `[\`${sha.slice(0, 12)}\`](https://github.com/example/library/commit/${sha})`];
    const about = `[the command](${link}/pull/5#issuecomment-1001) \`/benchmark pr\` on \`m\`: head ${commit(HEAD)} against its merge base ${commit(BASE)} ([compare](${link}/compare/${BASE}...${HEAD})).`, raw = `[raw files](${link}/actions/runs/900#artifacts).`;
    it('is_the_last_word', () => {
      const padded = ending({ judgement: { ...judged({ unchanged: 1 }), reports: { comment: '  short\n\n', jobSummary: '' } } as Judgement });
      expect(finalBody({ request, at: AT, machine: 'm' } as AtHand, padded, { now: { moved: [], again: null }, requester: null, stale: null, page: null })).toContain('answer\n\n  short\n\n**Next**');
      expect(body({ moved: [], again: '/benchmark rerun' }, '@alice', null)).toBe(`### perf-lab: the answer\n\nshort\n\n**Next**: \`/benchmark rerun\` repeats it; \`/benchmark help\` says what else can be asked.\n\n@alice, the answer to ${about} The ${raw}`);
      expect(body({ moved: ['It moved.', 'It closed.'], again: null }, null, 'old trend')).toBe(`### perf-lab: the answer\n\nIt moved.\n\nIt closed.\n\nshort\n\n**Warning**: old trend\n\n**Next**: \`/benchmark help\` says what can be asked.\n\nThe answer to ${about} The ${raw}`);
      expect(body({ moved: [], again: null }, null, null, 77)).toContain(`${about} Every round as a picture: [report.html](${link}/actions/runs/900/artifacts/77). The ${raw}`);
    });

    it('links_the_log_beside_the_files_of_what_was_cut', () => {
      const told = finalBody({ request, at: AT, machine: 'm' } as AtHand, ending({ wrong: failed, judgement: judged({ unchanged: 1 }) }), { now: { moved: [], again: null }, requester: null, stale: null, page: null });
      expect(told).toMatch(/The \[raw files\]\(https:\/\/github\.com\/example\/library\/actions\/runs\/900#artifacts\) and the \[log\]\(https:\/\/github\.com\/example\/library\/actions\/runs\/900\)\.$/);
    });

    it('names_no_file_where_nothing_was_judged', () => {
      const told = finalBody({ request, at: AT, machine: 'm' } as AtHand, ending({ wrong: failed }), { now: { moved: [], again: null }, requester: null, stale: null, page: null });
      expect(told).not.toContain('report.html');
      expect(told).toMatch(/The log: \[this run\]\(https:\/\/github\.com\/example\/library\/actions\/runs\/900\)\.$/);
    });

    const REPEATS = '`/benchmark confirm` repeats it, and measures what moves once more; ', LETS = '`/benchmark accept REASON` lets it pass; ', AGAIN = '`/benchmark rerun` repeats it; ';
    it.each<[Partial<Summary>, Now, string]>([
      [{ regressed: 1, improved: 1 }, { moved: [], again: '/benchmark rerun' }, REPEATS + LETS + AGAIN], [{ improved: 1 }, { moved: [], again: '/benchmark rerun' }, REPEATS + AGAIN],
      [{ doesNotHold: 1 }, { moved: [], again: '/benchmark rerun' }, REPEATS + AGAIN], [{ regressed: 1 }, { moved: ['It moved.'], again: '/benchmark rerun' }, REPEATS.replace('repeats it', 'measures the new head') + AGAIN.replace('repeats it', 'measures the new head')],
      [{ regressed: 1 }, { moved: ['It closed.'], again: null }, ''],
      [{ regressed: 1 }, { moved: [], again: null }, ''],    // a draft
      [{ regressed: 1 }, { moved: [], again: `/benchmark rerun ${HEAD}` }, `\`/benchmark confirm ${HEAD}\` repeats it, and measures what moves once more; ${LETS}\`/benchmark rerun ${HEAD}\` repeats it; `],
    ])('says what makes sense to type next, after %j and %j', (counts, now, words) => {
      const told = finalBody({ request, at: AT, machine: 'm' } as AtHand, ending({ judgement: judged(counts) }), { now, requester: null, stale: null, page: null });
      expect(told).toContain(`\n\n**Next**: ${words}\`/benchmark help\` says what ${now.again === null ? '' : 'else '}can be asked.\n`);
    });
    it('says that a request with minutes is confirmed in fixed rounds', () => {
      const timed = { ...request, words: { ...request.words, within: 10 } };
      const told = finalBody({ request: timed, at: AT, machine: 'm' } as AtHand, ending({ judgement: judged({ improved: 1 }) }), { now: { moved: [], again: '/benchmark rerun' }, requester: null, stale: null, page: null });
      expect(told).toContain(`**Next**: \`/benchmark confirm\` measures it in fixed rounds, and measures what moves once more; ${AGAIN}`);
      expect(told).toContain(' --within 10m` on `m`');
    });
  });
});
