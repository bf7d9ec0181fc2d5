import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { digestOf, readTrusted } from '../src/artifact/trusted-file.ts';
import { acknowledge } from '../src/gate/acknowledge.ts';
import type { Asked } from '../src/gate/asked.ts';
import { readEvent } from '../src/gate/event.ts';
import { boundedFetch } from '../src/github/bounded-fetch.ts';
import { WorkflowRuns } from '../src/thread/runs.ts';
import { trend } from '../src/trend.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BOT, HEAD } from './fake/state.ts';
import { comment, CONFIG, Job, runGate, testClient } from './support/lab.ts';
import { expectRefusal } from './support/refusal.ts';
import { Journey, summary } from './support/request.ts';

// Comparisons that decide something are exact: what is longer, shorter or holds the right value somewhere else is another one.
let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

describe('a file from another job', () => {
  const digest = digestOf('abc');
  it.each([['the beginning', digest.slice(0, 12)], ['nothing', ''], ['more', `${digest}0`], ['another case', digest.toUpperCase()], ['the end', digest.slice(12)]])('is_refused_by_%s_of_its_digest', (_, said) => {
    const path = new Job(fake).write('file', 'abc');
    expect(() => readTrusted(path, said, 10)).toThrow('refused');
    expect(readTrusted(path, digest, 10).toString()).toBe('abc');
  });
});

describe('an origin', () => {
  const refused = (origin: string, url: string) => expect(boundedFetch({ origin, timeoutMs: 2000, maxBytes: 1000 })(url)).rejects.toThrow('refusing to call');
  it.each([
    ['that begins with ours', 'https://api.github.com', 'https://api.github.com.evil.example/x'], ['of another port', 'https://api.github.com', 'https://api.github.com:8443/x'], ['that holds ours as a name', 'https://api.github.com', 'https://api.github.com@evil.example/x'],
    ['that ours begins with', 'https://api.github.com.evil.example', 'https://api.github.com/x'],
  ])('%s_gets_no_token', async (_, origin, url) => { await refused(origin, url); });
  it('of_our_host_without_TLS_gets_no_token', async () => {
    const seen: string[] = [], server = http.createServer((request, response) => { seen.push(request.headers.authorization ?? ''); response.end('{}'); });
    await new Promise<void>(done => { server.listen(0, '127.0.0.1', done); });
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    await refused(`https://${host}`, `http://${host}/x`);
    server.close();
    expect(seen).toEqual([]);
  });
});

it.each(['/issues/55', '/issues/5/x', '/issues/15', '/pulls/5'])('a_comment_of_another_conversation_is_another_comment: %s', async end => {
  const event = comment(fake, '/benchmark'), [written] = fake.state.comments;
  fake.fault = call => (call.method === 'GET' && call.path.endsWith(`/issues/comments/${written!.id}`) ? { status: 200, json: { ...written, issue_url: `https://api.github.com/repos/example/library${end}` } } : undefined);
  await expectRefusal(fake, 'comment-differs', event);
});

describe('the event', () => {
  it.each(['Bot', 'Organization', 'Mannequin', 'user', ''])('of_an_account_of_type_%s_is_ignored', async type => {
    const event = comment(fake, '/benchmark');
    event.comment.user.type = type;
    expect((await runGate(fake, event)).outputs).toEqual({ decision: 'ignored' });
    expect(fake.seen).toEqual([]);
  });
  it('of_more_than_8_MiB_is_refused_unread', () => {
    const event = JSON.stringify(comment(fake, '/benchmark')), job = new Job(fake), fill = (size: number): string => job.write('event.json', event.padEnd(size));
    expect(readEvent(fill(8 << 20), 'issue_comment', BOT.id)).toMatchObject({ pullRequest: 5 });
    expect(() => readEvent(fill((8 << 20) + 1), 'issue_comment', BOT.id)).toThrow('has 8388609 bytes, more than 8388608: refused unread');
  });
});

describe('accepting regressions', () => {
  const ROW = '| 🔴 **8.7 % slower** | `primes` | 2 → 1 k/s |';
  const verdict = async (): Promise<void> => {
    await (await Journey.accepted(fake)).journal().runner({ comparison: summary({ regressed: 1 }), report: `**1 regressed**\n\n| cell |\n|---|\n${ROW}\n` }).publish();
    fake.state.runs[0]!.status = 'completed';
  };
  it('of_a_commit_with_the_same_twelve_digits_is_refused', async () => {
    await verdict();
    fake.state.pulls.get(5)!.head.sha = `${HEAD.slice(0, 12)}${'b'.repeat(28)}`;
    expect((await runGate(fake, comment(fake, '/benchmark accept it is fine'), { env: { GITHUB_RUN_ID: '901' } })).outputs['code']).toBe('verdict-outdated');
  });
  it('by_a_name_that_is_Markdown_shows_its_letters_alone', async () => {
    await verdict();
    const at = { owner: 'example', repo: 'library', runId: 901, runAttempt: 1, apiUrl: fake.url, serverUrl: 'https://github.com' }, gh = testClient(fake);
    const thread = { gh, at, pullRequest: 5, me: BOT.id };
    await acknowledge({ gh, at, thread, runs: new WorkflowRuns(gh, at), event: { pullRequest: 5 }, comment: { login: 'x](https://evil.example) @org/team\n### ', createdAt: 0, userId: 42 }, now: 0 } as unknown as Asked, 'fine');
    const told = fake.state.comments.find(({ user }) => user.id === BOT.id)!.body;
    expect(told).toContain('**Accepted** by [xhttpsevilexampleorgteam](https://github.com/xhttpsevilexampleorgteam): `fine`.');
    expect(fake.state.checks[0]!.output!.title).toBe('regressions accepted by xhttpsevilexampleorgteam');
  });
});

it.each(['refs/heads/not/main', 'refs/heads/xmain', 'refs/tags/main', 'main', 'refs/heads/x/refs/heads/main', 'refs/heads/main2'])('a_trend_is_of_the_default_branch_and_of_none_that_ends_or_begins_so: %s', async ref => {
  const job = new Job(fake, { GITHUB_SHA: '4'.repeat(40), GITHUB_REF: ref, PERF_LAB_ANCHOR: '1'.repeat(40) });
  job.write('perf-lab.yaml', CONFIG);
  fake.state.history = ['1', '4'].map(digit => digit.repeat(40));
  expect(await trend('start', testClient(fake), job.env)).toBe(1);
  expect(job.read('summary')).toContain('The weekly trend is of the default branch');
  job.env['GITHUB_REF'] = 'refs/heads/main';
  expect(await trend('start', testClient(fake), job.env)).toBe(0);
});
