import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AtHand } from '../src/trend/at-hand.ts';
import { takeHand } from '../src/trend/at-hand.ts';
import { fetchBundle, filesOf, look, type History } from '../src/history/history.ts';
import { failuresOf, readResults } from '../src/trend/results.ts';
import { journalOf, judgeSession, planOf, takeJournal } from '../src/trend/session.ts';
import { TrendFile } from '../src/history/trend-file.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BOT } from './fake/state.ts';
import { Job, testClient } from './support/lab.ts';
import { changed } from './support/mutants.ts';
import { FIND_OUT, sha256, summary } from './support/request.ts';
import { at, change, place, trendOf } from './support/trend.ts';
import { zip } from './support/zip.ts';

let fake: FakeGitHub;
let job: Job;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); job = new Job(fake); });

interface Said { readonly out?: string; readonly report?: string; readonly err?: string; readonly code?: number }

/** A runner that answers each command so, and keeps what it was called with. */
function runner(answers: Readonly<Record<string, Said>>): string {
  const cases = Object.entries(answers).map(([name, { out = '', err = '', code = 0, report }], i) =>
    `"${name}"*) ${report === undefined ? '' : `${FIND_OUT}; cp '${job.write(`report${i}`, report)}' "$out/report.md"; `}cat '${job.write(`out${i}`, out)}'; cat '${job.write(`err${i}`, err)}' >&2; exit ${code} ;;`);
  const path = job.write('runner', `#!/bin/sh\necho "$* root=$PERF_LAB_ROOT" >>'${job.path('called')}'\ncase "$*" in ${cases.join('\n')}\nesac\n`);
  fs.chmodSync(path, 0o755);
  return path;
}
const called = (): string[] => job.read('called').replaceAll(job.folder, '').split('\n').filter(Boolean);

describe('how the jobs of a week ended', () => {
  const JOBS: readonly [string, string, string][] = [
    ['start', 'START', 'reading what to measure'], ['tools', 'TOOLS', 'building perf-lab'], ['plan', 'PLAN', 'planning'], ['build-anchor', 'BUILD_ANCHOR', 'building the anchor'], ['build-next-anchor', 'BUILD_NEXT_ANCHOR', 'building the anchor to come'],
    ['build-head', 'BUILD_HEAD', 'building head'], ['bases', 'BASES', 'making the base of the containers'], ['lab-up', 'LAB_UP', 'starting the machine'],
    ['measure', 'MEASURE', 'measuring'], ['look', 'LOOK', 'looking at the history'], ['confirm-builds', 'CONFIRM_BUILDS', 'building the commits around a change'], ['confirm', 'CONFIRM', 'measuring the commits around a change'],
    ['aa-builds', 'AA_BUILDS', 'building head twice'], ['aa', 'AA', 'measuring head against itself'],
  ];
  const env = { GITHUB_REPOSITORY: 'example/library', GITHUB_RUN_ID: '900' };
  const LOG = 'the log of [this run](https://github.com/example/library/actions/runs/900) says why';

  it.each(JOBS)('is_read_and_told_of %s', (name, variable, what) => {
    const results = readResults({ [`PERF_LAB_RESULT_${variable}`]: 'failure' });
    expect(results).toEqual(Object.fromEntries(JOBS.map(([one]) => [one, one === name ? 'failure' : ''])));
    expect(failuresOf(results, env)).toEqual([`Failed while ${what}; ${LOG}.`]);
    expect(failuresOf(readResults({ [`PERF_LAB_RESULT_${variable}`]: 'cancelled' }), { ...env, GITHUB_SERVER_URL: 'https://ghe.example.org' })).toEqual([`Cancelled, or out of time, while ${what}; ${LOG.replace('github.com', 'ghe.example.org')}.`]);
    for (const fine of ['success', 'skipped', '']) expect(failuresOf(readResults({ [`PERF_LAB_RESULT_${variable}`]: fine }), env)).toEqual([]);
    expect(() => readResults({ [`PERF_LAB_RESULT_${variable}`]: 'fine' })).toThrow(`the result of the job ${name} is none that GitHub knows`);
  });
  it('is_told_of_the_first_that_went_wrong', () => { expect(failuresOf(readResults({ PERF_LAB_RESULT_LAB_UP: 'failure', PERF_LAB_RESULT_MEASURE: 'cancelled' }), env)).toEqual([expect.stringContaining('Failed while starting the machine')]); });
});

describe('trend.json', () => {
  const step = { machine: 'm', cpu: 'c', before: place(1), after: place(2), share: 0.5, change: 0.1 };
  const still = { workload: 'w', values: {}, metric: 't', machine: 'm', cpu: 'c', last: place(1), missed: 2 };
  const whole = { ...trendOf(change('a'.repeat(12))), environment: [step], stopped: [still], warnings: ['w'] };
  const taken = (path: string, value: unknown): boolean => TrendFile.safeParse(changed(whole, path.split('.').map(key => (/^\d+$/.test(key) ? Number(key) : key)), value)).success;

  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['schema', [], ['perf-lab/trend/2', undefined]], ['series', [0, 7], [-1, 0.5]], ['sessions', [0, 7], [-1, 0.5]], ['newest', [null], [undefined, {}]],
    ['changes.0.id', ['0'.repeat(12)], ['0'.repeat(11), '0'.repeat(13), `x${'0'.repeat(12)}`, `${'0'.repeat(12)}x`, 'A'.repeat(12)]],
    ['changes.0.status', ['watched', 'due', 'confirmed', 'not-confirmed', 'environment', 'recovered'], ['', 'open']],
    ['changes.0.before.started', ['2026-01-05T03:00:00+01:00'], ['2026-01-05', 'soon']], ['changes.0.before.commit', [null, 'x'], [undefined]],
    ['changes.0.members', [], [[], null]], ['changes.0.members.0.values', [{}, { a: 'b' }], [{ a: 1 }]], ['changes.0.members.0.change', [-1, 5], [-1.1]], ['changes.0.members.0.pValue', [0, 1], [-0.1, 1.1]],
    ['changes.0.members.0.series', ['0'.repeat(64)], ['0'.repeat(63), '0'.repeat(65), `x${'0'.repeat(64)}`, `${'0'.repeat(64)}x`]],
    ['changes.0.confirm', [null, 'x'], [undefined]], ['changes.0.experiment', [null], [undefined, {}]], ['changes.0.experiment.change', [-1], [-1.1]], ['changes.0.experiment.low', [null, -1], [-1.1]], ['changes.0.experiment.high', [null, 3], [-1.1]],
    ['changes.0.experiment.pValue', [null, 0, 1], [-0.1, 1.1]], ['changes.0.experiment.rounds', [0], [-1, 0.5]], ['changes.0.experiment.verdict', [null], [undefined]],
    ['changes.0.experiment.series', [undefined, '0'.repeat(64)], ['0'.repeat(63), '0'.repeat(65), `x${'0'.repeat(64)}`, `${'0'.repeat(64)}x`]], ['changes.0.recoveredBy', [null], [undefined]], ['changes.0.accepted', [undefined, null, 'why'], [7]],
    ['environment.0.share', [0, 1], [-0.1, 1.1]], ['environment.0.change', [-1], [-1.1]], ['environment.0.machine', [], [undefined]], ['stopped.0.missed', [1], [0, 1.5]], ['stopped.0.cpu', [], [undefined]], ['warnings', [[]], [[7], undefined]],
  ])('has_a_member_of_one_kind: %s', (path, fine, wrong) => {
    expect(TrendFile.safeParse(whole).success).toBe(true);
    for (const value of fine) expect([path, value, taken(path, value)]).toEqual([path, value, true]);
    for (const value of wrong) expect([path, value, taken(path, value)]).toEqual([path, value, false]);
  });
});

describe('a history of one job', () => {
  const history = (answers: Readonly<Record<string, Said>>): History => ({ runner: runner(answers), root: job.path('root'), bundle: job.path('bundle') });
  const FINE = { 'history import': { out: 'kept' }, 'trend': { out: JSON.stringify(trendOf(change('a'.repeat(12)))) }, 'history export': {} };
  beforeEach(() => { fs.mkdirSync(job.path('root/.perf-lab'), { recursive: true }); job.write('root/.perf-lab/old', 'x'); });

  it('imports_searches_and_writes_back_in_this_order', async () => {
    fs.mkdirSync(job.path('bundle/2026'), { recursive: true });
    job.write('bundle/2026/x.ndjson', 'x');
    expect(await look(history(FINE), ['/journal'])).toEqual({ trend: trendOf(change('a'.repeat(12))), problems: [] });
    expect(called()).toEqual(['history import /bundle /journal root=/root', 'trend --json root=/root', 'history export /bundle root=/root']);
    expect(fs.existsSync(job.path('root/.perf-lab'))).toBe(false);
  });
  it('imports_nothing_where_there_is_nothing', async () => {
    await look(history(FINE), []);
    fs.mkdirSync(job.path('bundle'));
    job.write('bundle/trend.json', 'x');
    await look(history(FINE), []);
    expect(called().filter(call => call.startsWith('history import'))).toEqual([]);
    await look(history(FINE), ['/journal']);
    expect(called().filter(call => call.startsWith('history import'))).toEqual(['history import /journal root=/root']);
  });
  it('tells_what_was_not_kept_without_our_folders', async () => {
    const err = `perf-lab: reading\nperf-lab: not kept: ${job.path('bundle')}/a.ndjson, ${job.path('bundle')}/b and ${job.path('root')}/c ${job.path('root')}/d: torn\nnot kept: e`;
    expect((await look(history({ ...FINE, 'history import': { out: 'kept', err, code: 1 } }), ['/journal'])).problems).toEqual(['not kept: /a.ndjson, /b and /c /d: torn', 'not kept: e']);
  });
  it.each<[string, Readonly<Record<string, Said>>, string]>([
    ['import', { 'history import': { out: 'x', err: 'why\nnot', code: 2 } }, 'keeping the journals: `perf-lab history import` ended with 2: why not'], ['import that says nothing', { 'history import': { code: 1, err: 'why' } }, 'keeping the journals: `perf-lab history import` ended with 1: why'],
    ['search', { trend: { out: FINE.trend.out, err: 'why\nnot', code: 1 } }, 'searching for changes: `perf-lab trend` ended with 1: why not'], ['export', { 'history export': { err: 'why\nnot', code: 1 } }, 'keeping the journals: `perf-lab history export` ended with 1: why not'],
    ['search that says rubbish', { trend: { out: '{}' } }, 'trend.json: schema: '],
  ])('ends_with_what_the_runner_said: %s', async (_, answers, told) => { await expect(look(history({ ...FINE, ...answers }), ['/journal'])).rejects.toThrow(told); });

  it('keeps_journals_and_the_state_and_nothing_else', () => {
    fs.mkdirSync(job.path('bundle/2026'), { recursive: true });
    for (const name of ['2026/b.ndjson', '2026/a.ndjson', 'trend.json', '2026/trend.json', 'other.txt', 'x.ndjson.part']) job.write(`bundle/${name}`, name);
    expect([...filesOf(history({}))].map(([name, bytes]) => [name, bytes.toString()])).toEqual([['2026/a.ndjson', '2026/a.ndjson'], ['2026/b.ndjson', '2026/b.ndjson'], ['trend.json', 'trend.json']]);
  });

  const blob = (text: string): { path: string; sha: string; size: number } => {
    const bytes = Buffer.from(text), sha = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
    fake.state.git.blobs.set(sha, bytes);
    return { path: `2026/20260105-030000-${sha256(text).slice(0, 16)}.ndjson`, sha, size: bytes.length };
  };
  const branch = (...journals: ReturnType<typeof blob>[]) => ({ head: null, tree: null, journals, state: null, issues: null, notes: ['A note.'] });
  it('fetches_only_what_it_does_not_have', async () => {
    const [one, two] = [blob('one'), blob('four')], where = history({});
    expect(await fetchBundle(testClient(fake), at, branch(one, two), BOT.id, where)).toEqual(['A note.']);
    expect(fake.seen).toHaveLength(2);
    fs.appendFileSync(job.path(`bundle/${two.path}`), 'cut off');
    await fetchBundle(testClient(fake), at, branch(one, two), BOT.id, where);
    expect([fake.seen.length, job.read(`bundle/${one.path}`), job.read(`bundle/${two.path}`)]).toEqual([3, 'one', 'four']);
  });
  it('counts_what_is_not_what_its_name_says', async () => {
    const forged = ['x', 'y'].map(text => ({ ...blob(text), path: `2026/20260105-030000-${sha256(`${text}!`).slice(0, 16)}.ndjson` }));
    expect(await fetchBundle(testClient(fake), at, branch(...forged, blob('fine')), BOT.id, history({}))).toEqual(['A note.', '2 files on the data branch are not what the name says: left alone.']);
    expect(fs.readdirSync(job.path('bundle/2026'))).toHaveLength(1);
  });
  it('believes_no_state_without_a_branch', async () => {
    expect(await fetchBundle(testClient(fake), at, { ...branch(), notes: [], state: { ...blob('{}'), path: 'trend.json' } }, BOT.id, history({}))).toEqual([expect.stringContaining('not believed')]);
    expect(fake.seen).toEqual([]);
  });
  it('has_a_lab_of_its_own', async () => {
    const hand = await takeHand(testClient(fake), { ...job.env, PERF_LAB_OUT: job.path('out'), PERF_LAB_RUNNER: '/perf-lab' });
    expect(hand).toMatchObject({ folder: job.path('out'), me: BOT.id, history: { runner: '/perf-lab', root: job.path('out/root'), bundle: job.path('out/bundle') } });
    expect(job.read('out/root/perf-lab.yaml')).toBe('schema: perf-lab/config/1\n');
    await takeHand(testClient(fake), { ...job.env, PERF_LAB_OUT: job.path('out'), PERF_LAB_RUNNER: '/perf-lab' });    // again, in the next step
  });
});

describe('a session of the week', () => {
  const archive = zip([{ name: 'samples.ndjson', data: Buffer.from('record') }]);
  const digest = createHash('sha256').update(archive).digest('hex');
  const FINE = { compare: { out: summary({ unchanged: 1 }), report: '**1 unchanged**\n' }, report: { out: 'cut' } };
  const hand = (env: Record<string, string>, answers: Readonly<Record<string, Said>> = FINE): AtHand => {
    const plans = Object.fromEntries(['PERF_LAB_PLAN', 'PERF_LAB_CONFIRM_PLAN'].flatMap(name => [[name, job.write(name, name)], [`${name}_DIGEST`, sha256(name)]]));
    fs.mkdirSync(job.path('root'), { recursive: true });
    return { gh: testClient(fake), at: { ...at, apiUrl: fake.url }, me: BOT.id, folder: job.folder, env: { ...job.env, ...plans, ...env }, history: { runner: runner(answers), root: job.path('root'), bundle: job.path('bundle') } };
  };
  const uploaded = (name: string, more: object = {}): void => { fake.state.artifacts.push({ id: 77, name, run: 900, zip: archive, ...more }); };
  const WEEKLY = { PERF_LAB_SAMPLES_ID: '77', PERF_LAB_SAMPLES_DIGEST: digest }, CONFIRM = { PERF_LAB_CONFIRM_SAMPLES_ID: '77', PERF_LAB_CONFIRM_SAMPLES_DIGEST: digest };

  it.each([['weekly', 'samples', WEEKLY, 'PERF_LAB_PLAN'], ['confirm', 'confirm-samples', CONFIRM, 'PERF_LAB_CONFIRM_PLAN']] as const)('counts_when_the_runner_takes_it_by_its_plan: %s', async (name, artifact, env, plan) => {
    uploaded(artifact);
    const at = hand(env);
    expect(journalOf(at, name)).toBeNull();
    expect(await takeJournal(at, name)).toBeNull();
    expect([journalOf(at, name), job.read(`${name}/samples.ndjson`), planOf(at, name)]).toEqual([job.path(`${name}/samples.ndjson`), 'record', job.path(plan)]);
    expect(await takeJournal(at, name)).toBeNull();    // the job was run again
    expect(called()[0]).toBe(`compare /${name}/samples.ndjson --plan /${plan} --json --out /${name} root=/root`);
  });
  it('is_not_there_when_no_job_uploaded_it', async () => {
    expect(await takeJournal(hand({}), 'weekly')).toBe('there is no journal');
    expect(fs.existsSync(job.path('weekly'))).toBe(false);
  });
  it('does_not_count_by_another_name_or_digest', async () => {
    uploaded('confirm-samples');
    expect(await takeJournal(hand(WEEKLY), 'weekly')).toMatch(/^The journal was refused: /);
    fake.reset();
    uploaded('samples');
    expect(await takeJournal(hand({ ...WEEKLY, PERF_LAB_SAMPLES_DIGEST: '0'.repeat(64) }), 'weekly')).toMatch(/another digest/);
    expect([called(), fs.existsSync(job.path('weekly'))]).toEqual([[], false]);
  });
  it('does_not_count_when_the_runner_refuses_it_and_lies_beside', async () => {
    uploaded('samples');
    const at = hand(WEEKLY, { compare: { code: 1, err: `wrong crc ${'x '.repeat(600)}` } }), told = (await takeJournal(at, 'weekly'))!;
    expect([told.startsWith('The journal was refused: `perf-lab compare` ended with 1. ```text wrong crc'), told.length]).toEqual([true, 600]);
    expect([journalOf(at, 'weekly'), job.read('weekly/refused.ndjson')]).toEqual([null, 'record']);
  });
  it('has_a_report_that_fits_beside_everything_else', async () => {
    uploaded('samples');
    const at = hand(WEEKLY, { ...FINE, compare: { ...FINE.compare, report: 'x'.repeat(24_001) } });
    await takeJournal(at, 'weekly');
    expect(called().filter(call => call.includes('--max-chars'))[0]).toContain('--max-chars 24000');
    expect(await judgeSession(at, 'weekly')).toMatchObject({ kind: 'judged' });
  });
  it('has_a_plan_that_nobody_replaced', () => {
    expect(() => planOf(hand({ PERF_LAB_PLAN_DIGEST: '0'.repeat(64) }), 'weekly')).toThrow('refused');
    expect(() => planOf(hand({ PERF_LAB_CONFIRM_PLAN: '' }), 'confirm')).toThrow('PERF_LAB_CONFIRM_PLAN is not set');
    const large = hand({});
    fs.truncateSync(job.path('PERF_LAB_PLAN'), (64 << 20) + 1);
    expect(() => planOf(large, 'weekly')).toThrow('has 67108865 bytes, more than 67108864');
  });
});
