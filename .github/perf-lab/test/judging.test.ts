import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AtHand } from '../src/thread/request-at-hand.ts';
import { fetchBuildLog, fetchJournal, type Journal } from '../src/fleet/journal.ts';
import { judge, type Judgement, type Judging } from '../src/publish/judge.ts';
import { runRunner } from '../src/process/run-runner.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { Job, testClient } from './support/lab.ts';
import { sha256, summary } from './support/request.ts';
import { zip, type ZipEntry } from './support/zip.ts';

let fake: FakeGitHub;
let folder: string;
beforeAll(async () => { fake = await startFakeGitHub(); folder = fs.mkdtempSync(path.join(os.tmpdir(), 'judging-')); });
afterAll(async () => { Job.removeAll(); fs.rmSync(folder, { recursive: true }); await fake.stop(); });
beforeEach(() => { fake.reset(); fs.rmSync(folder, { recursive: true }); fs.mkdirSync(folder); });

const at = (name: string): string => path.join(folder, name);
const read = (name: string): string => fs.readFileSync(at(name), 'utf8');

interface Said { readonly text?: string; readonly code?: number }

/** A runner that says these: to `compare`, which writes `report` and `page` (null: it can't), and to `report --max-chars`. It keeps what it was called with, and where it was told to work. */
function runner({ compare = { text: summary({ unchanged: 1 }) }, report = '**1 unchanged**\n', page = '<html>', cut = { text: 'cut\n' }, stderr = '' }: { compare?: Said; report?: string | null; page?: string | null; cut?: Said; stderr?: string } = {}): string {
  const written = Object.entries({ 'comparison.json': compare.text ?? '', 'report.md': report, 'report.html': page }).filter(([, text]) => text !== null);
  for (const [name, text] of [['answer-compare', compare.text ?? ''], ['answer-cut', cut.text ?? ''], ...written.map(([name, text]) => [`new-${name}`, text])]) fs.writeFileSync(at(name!), text!);
  fs.writeFileSync(at('answer-stderr'), stderr);
  const say = (name: string, { code = 0 }: Said): string => `cat '${at(`answer-${name}`)}'; exit ${code}`;
  fs.writeFileSync(at('runner'), `#!/bin/sh\necho "$@" "root=$PERF_LAB_ROOT" >> '${at('called')}'\ncat '${at('answer-stderr')}' >&2\ncase "$*" in compare*) cd '${folder}'; ${written.map(([name]) => `cp new-${name} ${name}`).join('; ')}; ${say('compare', compare)} ;; *--max-chars*) ${say('cut', cut)} ;; *) exit 9 ;; esac\n`, { mode: 0o755 });
  return at('runner');
}

const judged = (said: Parameters<typeof runner>[0] = {}, more: Partial<Judging> = {}): Promise<Judgement> => judge({ runner: runner(said), folder, plan: '/plan.json', ...more });
const withHeadline = (headline: unknown): string => JSON.stringify({ ...JSON.parse(summary({ unchanged: 1 })) as object, headline });
const answerTo = async (report: string, headline: string): Promise<unknown> => {
  const found = await judged({ compare: { text: withHeadline(headline) }, report });
  return found.kind === 'judged' ? [found.answer, found.reports.comment] : found;
};
const NONE = { regressed: 0, improved: 0, unchanged: 0, undecided: 0, tooNoisy: 0, identicalBuild: 0, failed: 0, unavailable: 0, doesNotHold: 0, notSteady: 0, allocatesMore: 0, untouched: 0, overBudget: 0 };

describe('judging a journal', () => {
  it('compares_reports_and_keeps_both_files', async () => {
    const report = '**1 regressed, 2 unchanged**\n\nbase `source=0123456789ab` -> head `source=ba9876543210`\n\n### What moved\n';
    const comparison = JSON.stringify({ ...JSON.parse(summary({ regressed: 1, unchanged: 2, doesNotHold: 3 })), headline: '1 regressed, 2 unchanged', falseFlags: { flagged: 0, runs: 20, low: 0, high: 1 } });
    expect(await judged({ compare: { text: comparison }, report }, { root: '/lab' })).toEqual({
      kind: 'judged', summary: { ...NONE, regressed: 1, unchanged: 2, doesNotHold: 3 }, answer: '1 regressed, 2 unchanged',
      reports: { comment: '### What moved\n', jobSummary: '### What moved\n' }, falseFlags: { flagged: 0, runs: 20, low: 0, high: 1 },
    });
    expect([read('comparison.json'), read('report.md'), read('report.html')]).toEqual([comparison, report, '<html>']);
    expect(read('called')).toBe(`compare ${at('samples.ndjson')} --plan /plan.json --json --out ${folder} root=/lab\n`);
  });
  it('tells_cells_that_failed_with_the_rest', async () => { expect(await judged({ compare: { text: summary({ failed: 1 }), code: 1 } })).toMatchObject({ kind: 'judged', summary: { failed: 1 } }); });
  it.each<[string, Said, number]>([['ends with 2', { text: summary({}), code: 2 }, 2], ['says nothing', { text: '' }, 0], ['says nothing and fails', { text: '', code: 3 }, 3]])('is_refused_when_compare_%s', async (_, compare, code) => {
    expect(await judged({ compare, stderr: 'record 7 @org/team' })).toEqual({ kind: 'unreadable', lines: [`The journal was refused: \`perf-lab compare\` ended with ${code}.`, '', '```text\nrecord 7 @org/team\n```'] });
    expect(fs.existsSync(at('comparison.json'))).toBe(false);
  });
  it('is_refused_when_no_report_was_written_and_takes_none_that_lay_there', async () => {
    fs.writeFileSync(at('report.md'), '**1 improved**\n');
    expect(await judged({ compare: { text: summary({}), code: 1 }, report: null, stderr: 'why' })).toEqual({ kind: 'unreadable', lines: ['The journal was refused: `perf-lab compare` ended with 1.', '', '```text\nwhy\n```'] });
    expect(fs.existsSync(at('report.md'))).toBe(false);
  });
  it('is_told_without_a_page_where_none_can_be_made_and_with_none_that_lay_there', async () => {
    fs.writeFileSync(at('report.html'), 'theirs');
    expect(await judged({ compare: { text: summary({ unchanged: 1 }), code: 1 }, page: null, stderr: 'disk full' })).toMatchObject({ kind: 'judged' });
    expect(fs.existsSync(at('report.html'))).toBe(false);
  });
  const changed = (change: object): string => JSON.stringify({ ...JSON.parse(summary({})), ...change });
  const flags = (more: object): string => changed({ falseFlags: { flagged: 1, runs: 2, low: 0.5, high: 0.5, ...more } });
  it.each([
    ['is no JSON', 'nonsense', 'comparison.json'], ['has no summary', changed({ summary: undefined }), 'summary: missing'], ['is of another format', changed({ schema: 'perf-lab/comparison/2' }), 'schema: is not perf-lab/comparison/1'],
    ['counts less than none', summary({ regressed: -1 }), 'summary.regressed'], ['counts halves', summary({ doesNotHold: 0.5 }), 'summary.doesNotHold'], ['lost the false flags', changed({ falseFlags: undefined }), 'falseFlags: missing'],
    ['flags with less than no chance', flags({ low: -0.1 }), 'falseFlags.low'], ['flags with more than certainty', flags({ high: 1.1 }), 'falseFlags.high'], ['has a low above one', flags({ low: 1.1 }), 'falseFlags.low'], ['has a high below none', flags({ high: -0.1 }), 'falseFlags.high'],
  ])('is_refused_by_its_member_when_what_compare_printed_%s', async (_, text, member) => {
    const found = await judged({ compare: { text, code: 1 }, stderr: 'why' });
    expect(found).toEqual({ kind: 'unreadable', lines: [expect.stringMatching(/^`perf-lab compare` ended with 1, and what it printed can't be used: `.*`\.$/), '', '```text\nwhy\n```'] });
    expect(JSON.stringify(found)).toContain(member);
    expect(fs.existsSync(at('comparison.json'))).toBe(false);
  });
});

describe('a report', () => {
  it.each<[string, string, string, string]>([
    ['without the answer', 'text\n', '1 regressed', 'text\n'], ['with the answer behind', 'text\n\n**1 regressed**\n\n', '1 regressed', 'text\n\n**1 regressed**\n\n'], ['with an answer that goes on', '**1 regressed** x\n', '1 regressed', '**1 regressed** x\n'],
    ['with nothing else', '**1 regressed**\n', '1 regressed', ''], ['with lines between', '**1 regressed**\n\n\n\nrest', '1 regressed', 'rest'], ['with an answer that names nobody, because the names are in several journals', '**1 regressed, 8.0 % slower**\n\nrest', 'primes is 8.0 % slower', 'rest'],
    ['with bold markup that is no answer', '**[x](y)**\n\nrest', '1 regressed', '**[x](y)**\n\nrest'],
    ['with all signs of an answer', '**aZ09 ,.:;%()+_-**\nrest', 'aZ09 ,.:;%()+_-', 'rest'],
    ['with commits behind', '**1**\nrest\nbase `source=0123456789ab` -> head `source=ba9876543210`\n\n', '1', 'rest\nbase `source=0123456789ab` -> head `source=ba9876543210`\n\n'],
    ['with commits and nothing else', '**1**\nbase `source=0123456789ab` -> head `source=ba9876543210`\n', '1', ''], ['with more than commits', '**1**\n\nbase `source=0123,pgo=off` -> head `source=ba98`\n', '1', 'base `source=0123,pgo=off` -> head `source=ba98`\n'],
  ])('gives_its_answer_once: %s', async (_, report, headline, rest) => { expect(await answerTo(report, headline)).toEqual([headline, rest]); });
  it.each<[string, unknown]>([['missing', undefined], ['no text', null], ['empty', ''], ['too long', 'x'.repeat(601)], ['a mention', 'ping @org'], ['a link', '[x](y)'], ['code', '`x`'], ['HTML', '<b>'], ['bold', '**'], ['two lines', 'a\nb']])('is_refused_when_its_answer_is_%s', async (_, headline) => {
    expect(JSON.stringify(await judged({ compare: { text: withHeadline(headline) } }))).toContain('headline');
  });

  const within = async (length: number, cut: Said, reportChars = 1000): Promise<unknown> => {
    const found = await judged({ report: 'x'.repeat(length), cut }, { reportChars });
    return found.kind === 'judged' ? [found.reports.comment, found.reports.jobSummary.length] : found;
  };
  const TOO_LONG = 'The report is too long to be shown here. It is with the files of this run.';
  it('is_shown_whole_as_long_as_may_be', async () => {
    expect(await within(1000, { text: 'cut' })).toEqual(['x'.repeat(1000), 1000]);
    expect(read('called')).not.toContain('--max-chars');
  });
  it('is_cut_by_the_runner_when_it_is_longer', async () => {
    expect(await within(1001, { text: 'cut' })).toEqual(['cut', 1001]);
    expect(read('called')).toContain(`report ${at('comparison.json')} --format markdown --max-chars 1000 root=\n`);
  });
  it.each<[string, Said, string]>([['as long as may be', { text: 'y'.repeat(1000) }, 'y'.repeat(1000)], ['too long all the same', { text: 'y'.repeat(1001) }, TOO_LONG], ['a failure', { text: 'cut', code: 1 }, TOO_LONG]])('is_replaced_by_a_sentence_when_its_cut_is_not_what_was_asked_for: %s', async (_, cut, shown) => {
    expect(await within(1001, cut)).toEqual([shown, 1001]);
  });
  it('leaves_4000_characters_of_a_comment_to_what_stands_around_it_and_fits_a_job_summary', async () => {
    await judged({ report: 'x'.repeat(340_001) });
    expect(read('called').match(/--max-chars \d+/g)).toEqual(['--max-chars 56000', '--max-chars 340000']);
  });
});

describe('calling the runner', () => {
  it('gives_what_it_said', async () => { expect(await runRunner(runner({ compare: { text: 'out', code: 7 }, stderr: 'err' }), ['compare'])).toEqual({ code: 7, stdout: 'out', stderr: 'err' }); });
  it('gives_it_a_bare_environment', async () => {
    fs.writeFileSync(at('runner'), '#!/bin/sh\nenv\n', { mode: 0o755 });
    const given = ['HOME', 'DOTNET_ROOT', 'TMPDIR', 'PERF_LAB_PROGRAM'], before = { ...process.env };
    const told = async (root?: string): Promise<Record<string, string>> => Object.fromEntries((await runRunner(at('runner'), [], root)).stdout.split('\n').map(line => line.split('=') as [string, string]));
    try {
      process.env['PERF_LAB_TOKEN'] = 'secret';
      for (const name of given) process.env[name] = `/${name}`;
      const env = await told('/lab');
      expect(env).toMatchObject({ PATH: before['PATH'], LANG: 'C.UTF-8', PERF_LAB_ROOT: '/lab', ...Object.fromEntries(given.map(name => [name, `/${name}`])) });
      expect(Object.keys(env).filter(name => ![...given, 'PATH', 'LANG', 'PERF_LAB_ROOT', 'PWD', 'OLDPWD', '_', 'SHLVL', ''].includes(name))).toEqual([]);
      delete process.env['PERF_LAB_PROGRAM'];
      const bare = await told();
      expect([bare['PERF_LAB_ROOT'], bare['PERF_LAB_PROGRAM']]).toEqual([undefined, undefined]);
    } finally {
      for (const name of [...given, 'PERF_LAB_TOKEN']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });
  it('takes_32_MiB_of_it_and_stops_it_at_more', async () => {
    fs.writeFileSync(at('runner'), `#!/bin/sh\nhead -c $1 /dev/zero\nexit 3\n`, { mode: 0o755 });
    expect([(await runRunner(at('runner'), [String(32 << 20)])).stdout.length]).toEqual([32 << 20]);
    await expect(runRunner(at('runner'), [String((32 << 20) + 1)])).rejects.toThrow(`${(32 << 20) + 1} was stopped after 5 minutes or 33554432 bytes of output`);
  });
  it('says_when_there_is_none', async () => { await expect(runRunner(at('nothing'), ['compare'])).rejects.toThrow(`starting the runner ${at('nothing')}: spawn`); });
});

describe('fetching', () => {
  const env: Record<string, string> = {};
  beforeEach(() => { for (const name of Object.keys(env)) delete env[name]; });
  const hand = (): AtHand => ({ gh: testClient(fake), env, at: { owner: 'example', repo: 'library', runId: 900, runAttempt: 2, apiUrl: fake.url, serverUrl: '' } }) as unknown as AtHand;
  /** An artifact, and what its job says of it. */
  const uploaded = (name: string, file: string, content: string | Buffer, more: Partial<ZipEntry> = {}): void => {
    const id = ++fake.state.lastId, archive = zip([{ name: file, data: Buffer.from(content), ...more }]);
    fake.state.artifacts.push({ id, name, run: 900, zip: archive });
    const said = name === 'samples' ? 'PERF_LAB_SAMPLES' : `PERF_LAB_BUILD_${name.slice('build-log-'.length).toUpperCase()}_LOG`;
    Object.assign(env, { [`${said}_ID`]: String(id), [`${said}_DIGEST`]: `sha256:${sha256(archive)}` });
  };
  const journal = async (): Promise<[Journal, string | null]> => [await fetchJournal(hand(), folder), fs.existsSync(at('samples.ndjson')) ? read('samples.ndjson') : null];

  it('the_journal_by_an_id_and_a_digest', async () => {
    uploaded('samples', 'samples.ndjson', 'record');
    expect(await journal()).toEqual([{ kind: 'there' }, 'record']);
    expect(fake.calls()[0]).toBe('GET /actions/artifacts/:id');
    env['PERF_LAB_SAMPLES_DIGEST'] = '0'.repeat(64);
    expect((await journal())[0]).toEqual({ kind: 'refused', sentence: 'The journal was refused: `the artifact samples is not the one that its job uploaded: another digest`.' });
  });
  it.each(['PERF_LAB_SAMPLES_ID', 'PERF_LAB_SAMPLES_DIGEST'])('no_journal_where_the_job_that_would_name_it_said_nothing: %s', async said => {
    uploaded('samples', 'samples.ndjson', 'record');
    env[said] = '';
    const [found, file] = await journal();
    expect([found.kind, file]).toEqual([said.endsWith('ID') ? 'none' : 'refused', null]);
    expect(fake.seen).toEqual([]);
  });
  it('no_journal', async () => { expect(await journal()).toEqual([{ kind: 'none' }, null]); });
  it('a_journal_that_is_none', async () => {
    uploaded('samples', 'other', 'record');
    expect(await journal()).toEqual([{ kind: 'refused', sentence: 'The journal was refused: `the archive holds "other", which does not belong there`.' }, null]);
  });
  it('nothing_when_GitHub_does_not_answer', async () => {
    uploaded('samples', 'samples.ndjson', 'record');
    uploaded('build-log-head', 'build.log', 'of head');
    fake.fault = () => ({ status: 403, json: { message: 'not for you' } });
    await expect(journal()).rejects.toThrow('not for you');
    await expect(fetchBuildLog(hand(), 'head')).rejects.toThrow('not for you');
  });
  it('the_log_of_the_build_that_is_asked_for', async () => {
    uploaded('build-log-base', 'build.log', 'of base');
    uploaded('build-log-head', 'build.log', 'of head');
    expect([await fetchBuildLog(hand(), 'base'), await fetchBuildLog(hand(), 'head')]).toEqual(['of base', 'of head']);
  });
  it('no_log_where_there_is_none_or_none_to_be_trusted', async () => {
    expect(await fetchBuildLog(hand(), 'base')).toBeNull();
    uploaded('build-log-base', 'other', 'x');
    expect(await fetchBuildLog(hand(), 'base')).toBeNull();
  });
  it.each([[256 << 10, true], [(256 << 10) + 1, false]])('a_log_of_%d_bytes', async (bytes, isTaken) => {
    uploaded('build-log-head', 'build.log', Buffer.alloc(bytes, 'x'), { method: 0 });
    expect((await fetchBuildLog(hand(), 'head'))?.length ?? null).toBe(isTaken ? bytes : null);
  });
});
