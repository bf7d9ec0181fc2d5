import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clientFrom, integer, readWorkplace, required, runUrl } from '../src/process/environment.ts';
import { explain, say } from '../src/process/main.ts';
import { writeOutputs, writeSummary } from '../src/process/outputs.ts';
import { idFrom, takeRequest } from '../src/thread/request-at-hand.ts';
import { digestOf, readTrusted } from '../src/artifact/trusted-file.ts';
import { readRequest, RequestFile, writeRequest } from '../src/request/request.ts';
import { readText } from '../src/text/file.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { NOW } from './fake/state.ts';
import { Job, noPacing } from './support/lab.ts';
import { changed } from './support/mutants.ts';
import { Journey } from './support/request.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const env = (more: Record<string, string | undefined> = {}) => ({ GITHUB_REPOSITORY: 'example/library', GITHUB_RUN_ID: '900', GITHUB_RUN_ATTEMPT: '2', GITHUB_API_URL: fake.url, GITHUB_SERVER_URL: 'https://ghe.example.org', ...more });

describe('where a command runs', () => {
  it('is_said_by_the_environment', () => {
    expect(readWorkplace(env())).toEqual({ owner: 'example', repo: 'library', runId: 900, runAttempt: 2, apiUrl: fake.url, serverUrl: 'https://ghe.example.org' });
    expect(readWorkplace(env({ GITHUB_API_URL: '', GITHUB_SERVER_URL: undefined }))).toMatchObject({ apiUrl: 'https://api.github.com', serverUrl: 'https://github.com' });
    expect(runUrl(readWorkplace(env()))).toBe('https://ghe.example.org/example/library/actions/runs/900');
  });
  it.each([['a_b-C9/d_e.F-9', true], [`${'o'.repeat(39)}/${'r'.repeat(100)}`, true], [`${'o'.repeat(40)}/r`, false], [`o/${'r'.repeat(101)}`, false], ['o', false], ['o/', false], ['/r', false], ['o/r/x', false], ['o/r/', false], ['o!/r', false], ['!o/r', false], ['o/r!', false], ['o/!r', false], ['o.x/r', false]])(
    'is_a_repository_or_not: %s', (name, isOne) => {
      const read = (): unknown => readWorkplace(env({ GITHUB_REPOSITORY: name }));
      if (isOne) expect(read()).toMatchObject({ owner: name.split('/')[0], repo: name.split('/')[1] });
      else expect(read).toThrow('GITHUB_REPOSITORY is not owner/name');
    });
  it('is_not_guessed', () => {
    expect(() => required({}, 'A')).toThrow('the environment variable A is not set');
    expect(() => required({ A: '' }, 'A')).toThrow('the environment variable A is not set');
    expect([integer({ A: '7' }, 'A'), integer({ A: '9'.repeat(15) }, 'A')]).toEqual([7, 999_999_999_999_999]);
    for (const wrong of ['-1', '1.5', 'x1', '1x', '9'.repeat(16), ' 1']) expect(() => integer({ A: wrong }, 'A')).toThrow('the environment variable A is not a whole number');
  });
  it('gets_its_token_from_one_variable', async () => {
    expect(() => clientFrom(env())).toThrow('PERF_LAB_TOKEN is not set');
    await clientFrom(env({ PERF_LAB_TOKEN: 'the-token' }), { pacing: noPacing() }).rest.pulls.get({ owner: 'example', repo: 'library', pull_number: 5 });
    expect(fake.seen[0]!.headers.authorization).toBe('token the-token');
  });
});

describe('what a command leaves', () => {
  it('are_outputs_line_by_line', () => {
    const job = new Job(fake);
    writeOutputs(job.env, { 'a': 'x', 'a-b': 7, [`z${'z'.repeat(39)}`]: true });
    writeOutputs(job.env, { c: `0${'A9._-'.repeat(25)}ab` });
    expect(job.read('output')).toBe(`a=x\na-b=7\nz${'z'.repeat(39)}=true\nc=0${'A9._-'.repeat(25)}ab\n`);
    writeOutputs({}, { a: 'x' });    // by hand, outside of a job
  });
  it.each<[string, string]>([['A', 'x'], ['1a', 'x'], ['a_b', 'x'], ['aB', 'x'], ['xa!', 'x'], [`z${'z'.repeat(40)}`, 'x'], ['a', ''], ['a', 'x\ny'], ['a', 'x y'], ['a', '-x'], ['a', 'x%'], ['a', '$x'], ['a', 'x'.repeat(65_537)], ['a', 'e30=']])('are_outputs_of_a_closed_form: %j', (name, value) => {
    const job = new Job(fake);
    expect(() => { writeOutputs(job.env, { fine: 1, [name]: value }); }).toThrow(`the job output ${name} is not of the closed form`);
    expect(job.read('output')).toBe('');
  });
  it('is_a_summary_that_grows', () => {
    const job = new Job(fake);
    writeSummary(job.env, 'one');
    writeSummary(job.env, 'two');
    expect(job.read('summary')).toBe('one\ntwo\n');
    writeSummary({}, 'nowhere');
  });
  it('is_one_line_of_the_log_for_each_note', () => {
    const written: string[] = [], write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { written.push(String(text)); return true; });
    say(`a\n::error::${'x'.repeat(700)}`);
    write.mockRestore();
    expect(written).toEqual([`perf-lab: a ::error::${'x'.repeat(588)}…\n`]);
  });
});

describe('an error', () => {
  const of = (status: number, request: object | undefined, more: object = { response: { headers: {} } }): string => explain(Object.assign(new Error('why'), { status, request, ...more }));
  it.each<[number, string]>([[401, 'the token is not valid any more: re-run the job'], [403, 'check the permissions of this job'], [404, 'check the permissions of this job'], [500, 're-run this job: every step finds what it has already done']])('of_a_call_says_what_to_do: %i', (status, todo) => {
    expect(of(status, { method: 'PUT', url: 'https://api.github.com/x/y?z=1' })).toBe(`PUT /x/y answered ${status} (why); ${todo}`);
  });
  it('of_a_call_without_an_answer_says_that', () => {
    expect(of(500, { method: 'GET', url: 'http://127.0.0.1/x' }, {})).toBe('GET /x got no answer (why); re-run this job: every step finds what it has already done');
    expect(of(500, { method: 'GET', url: '/x/http://y/z' })).toMatch(/^GET \/x\/http:\/\/y\/z answered 500/);
    expect(of(500, {})).toBe('a call  answered 500 (why); re-run this job: every step finds what it has already done');
  });
  it('of_anything_else_is_its_message', () => { expect([of(500, undefined), explain('text')]).toEqual(['why', 'text']); });
});

describe('a request at hand', () => {
  const changed = async (more: Record<string, string>) => {
    const { job, gh } = await Journey.accepted(fake);
    return await takeRequest(gh, { ...job.env, ...more }, NOW);
  };
  it('knows_its_comment_and_its_check', async () => {
    const hand = await changed({ PERF_LAB_STATUS_COMMENT: '12', PERF_LAB_CHECK_RUN: '34' });
    expect(hand).toMatchObject({ machine: 'azure-d4s', check: 34, now: NOW, living: { known: 12, marker: { pullRequest: 5, request: hand.request.commentId }, thread: { pullRequest: 5, at: { runId: 900 } } } });
    expect(await changed({ PERF_LAB_STATUS_COMMENT: '', PERF_LAB_CHECK_RUN: '' })).toMatchObject({ check: null, living: { known: null } });
  });
  it.each(['Ryzen', '-x', 'x y', 'x!', '!x', 'x'.repeat(65)])('is_for_a_machine_by_name: %s', async machine => { await expect(changed({ PERF_LAB_MACHINE: machine })).rejects.toThrow('PERF_LAB_MACHINE is not a name'); });
  it('may_be_for_the_longest_name', async () => { expect((await changed({ PERF_LAB_MACHINE: `x${'-9'.repeat(31)}z` })).machine).toHaveLength(64); });
  it.each([['7', 7], ['9'.repeat(15), 999_999_999_999_999], ['9'.repeat(16), null], ['0', null], ['07', null], ['x7', null], ['7x', null], ['', null]])('takes_an_id_or_none: %s', (text, id) => { expect(idFrom({ A: text }, 'A')).toBe(id); });
  it('takes_no_id_that_is_not_there', () => { expect(idFrom({}, 'A')).toBeNull(); });
  it.each(['', 'x'.repeat(65_537), 'e30=', 'e3 0', '!e30', 'e30!'])('is_refused_when_the_gate_can_not_have_said_it: %j', text => { expect(() => readRequest(text)).toThrow('is not what the gate says of it'); });
  it('is_read_up_to_the_longest_that_a_job_output_of_ours_may_be', () => { expect(() => readRequest('e'.repeat(65_536))).not.toThrow('is not what the gate says of it'); });
  // What an output may hold (process/outputs.ts), and what coreutils' basenc takes: without padding, a length that three divides before and four after.
  it.each([1, 12, 123])('is_said_in_letters_that_need_no_padding: pull request %d', async pullRequest => {
    const { request } = await changed({}), text = writeRequest({ ...request, pullRequest });
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(text.length % 4).toBe(0);
    expect(readRequest(text)).toEqual({ ...request, pullRequest });
  });
});

describe('a file from another job', () => {
  it('may_be_as_large_as_its_limit', () => {
    const job = new Job(fake), path = job.write('file', 'abc');
    expect([readTrusted(path, digestOf('abc'), 3).toString(), readText(path, 'file', 3)]).toEqual(['abc', 'abc']);
    expect(() => readTrusted(path, digestOf('abc'), 2)).toThrow('has 3 bytes, more than 2');
    expect(() => readText(path, 'file', 2)).toThrow('has 3 bytes, more than 2: refused unread');
  });
  const words = { suite: null, workloads: ['w'], runtimes: [], pgo: ['on'], gc: [], frameworks: [], filters: [], categories: [], machine: 'm', rounds: '8+20', sessions: 1, warmUp: 6, sdk: 'current', within: 10 };
  const request = { schema: 'perf-lab/request/1', repository: 'example/library', pullRequest: 1, commentId: 1, requesterId: 1, base: 'a'.repeat(40), head: 'b'.repeat(40), word: '/benchmark', words, snippet: { comment: 1, text: 'x' } };
  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['base', ['0'.repeat(40)], ['0'.repeat(39), '0'.repeat(41), `x${'0'.repeat(40)}`, `${'0'.repeat(40)}x`]], ['repository', ['a-B9/c._-9', 'a_b/c'], ['a', 'a/b/c', 'a.b/c', `${'a'.repeat(40)}/b`, `a/${'b'.repeat(101)}`, '!a/b', 'a/b!']],
    ['words.rounds', ['0+20', '100+100', null], ['x8+20', '8+20x', '8-20', '1000+1', '1+1000']], ['words.machine', ['m', 'm'.repeat(64), null], ['M', '-m', 'm'.repeat(65), '!m', 'm!']], ['words.workloads', [['A9@.*_-'], ['w'.repeat(64)]], [['w'.repeat(65)], ['!w'], ['w!'], [1]]],
    ['words.sessions', [1, 10, null], [0, 11, 1.5]], ['words.warmUp', [0.001, 6, 3600, null], [0, -1, 3600.5, '6', 1e300]], ['words.within', [0.001, 10, 1440, null], [0, -1, 1440.5, '10m', 1e300]], ['words.sdk', ['current', null], ['', 'newest', '10.0.100', ['current']]], ['pullRequest', [7], [0, -1]], ['word', ['/perf', '/a', `/a${'-9'.repeat(19)}`], ['perf', '/', '/Perf', '/9', '/a b', `/a${'b'.repeat(39)}`, 'x/perf', '/perf!', null]], ['words.pgo', [['off', 'on', 'full'], []], [['maybe']]],
    ['words.filters', [['A9.*?_+-'], ['f'.repeat(200)]], [[''], ['f'.repeat(201)], ['<f'], ['f>']]],
    ['words.categories', [['A9._+-'], ['c'.repeat(64)]], [[''], ['c'.repeat(65)], ['<c'], ['c>'], ['c*']]],
    ['snippet', [null], [undefined, 'x', {}]], ['snippet.comment', [7], [0, null]], ['snippet.text', ['x', 'x'.repeat(16_384)], ['', 'x'.repeat(16_385), null]],
  ])('has_a_member_of_one_form: %s', (path, fine, wrong) => {
    const isTaken = (value: unknown): boolean => RequestFile.safeParse(changed(request, path.split('.'), value)).success;
    for (const value of fine) expect([value, isTaken(value)]).toEqual([value, true]);
    for (const value of wrong) expect([value, isTaken(value)]).toEqual([value, false]);
  });
});
