import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancel } from '../src/cancel.ts';
import { authorise } from '../src/gate/authorise.ts';
import { mergeBase } from '../src/gate/merge-base.ts';
import { readPullRequest, refuseRetarget } from '../src/gate/pull-request.ts';
import { createClient } from '../src/github/client.ts';
import { runner } from '../src/runner.ts';
import { getRunner, listRunners } from '../src/runner/registered.ts';
import { setCheck } from '../src/thread/check.ts';
import { findComment, ownComments } from '../src/thread/comments.ts';
import { WorkflowRuns } from '../src/thread/runs.ts';
import { whoAmI } from '../src/thread/who-am-i.ts';
import { append, distance, fetchFile, isOurs, readBranch, strangersSince } from '../src/history/branch.ts';
import { bodyOf, createIssue, fateOf, ownIssues, setIssue } from '../src/trend/issues.ts';
import { staleTrend } from '../src/trend/last-success.ts';
import { answerProblems, templateOf, unknownParameters } from './contract/description.ts';
import { startPrism, type Prism } from './contract/prism.ts';
import { ROUTES } from './fake/routes.ts';
import { startFakeGitHub, type Call, type FakeGitHub } from './fake/server.ts';
import { BOT, NOW, HEAD } from './fake/state.ts';
import { comment, Job, noPacing, runGate, testClient } from './support/lab.ts';
import { Journey } from './support/request.ts';

let fake: FakeGitHub;
let calls: Call[];
let prism: Prism;

// Every command once, with the detours that need calls of their own.
beforeAll(async () => {
  fake = await startFakeGitHub();
  const journey = (await Journey.accepted(fake, { text: `/benchmark ${HEAD.slice(0, 12)}` })).journal().runner();
  await journey.status('plan');
  await journey.status('waiting');
  await journey.status('measuring');
  fake.state.jobs.push({ run: 900, name: 'benchmark / machine / measure', conclusion: 'cancelled', started_at: '2026-11-20T10:00:00Z', completed_at: '2026-11-20T16:00:01Z' });
  journey.results({ MEASURE: 'cancelled' });
  fake.state.comments = fake.state.comments.filter(c => c.id !== Number(journey.job.env['PERF_LAB_STATUS_COMMENT']));
  await journey.publish();
  await runGate(fake, comment(fake, '/benchmark x y'));
  await runGate(fake, comment(fake, '/benchmark x z'));
  fake.state.pulls.get(5)!.head.repo!.pushed_at = '2026-11-20T10:00:05Z';    // to another branch: GitHub is asked which
  fake.state.activity = [{ ref: 'refs/heads/feature', after: HEAD, timestamp: '2026-11-20T09:00:00Z' }];
  await runGate(fake, comment(fake, '/benchmark --workload other'));
  await cancel(testClient(fake), { ...journey.job.env, GITHUB_RUN_ID: '1', PERF_LAB_RUN_TO_CANCEL: '901' });
  await whoAmI(testClient(fake), { GITHUB_API_URL: fake.url });
  const clock = { now: () => NOW, wait: async () => {}, note: () => {} };
  const env = { ...journey.job.env, PERF_LAB_JIT_FILE: journey.job.path('jit') };
  await runner('register', testClient(fake), env, clock);
  const id = String(fake.state.runners[0]!.id);
  await runner('wait', testClient(fake), { ...env, PERF_LAB_RUNNER_ID: id }, clock);
  await runner('remove', testClient(fake), { ...env, PERF_LAB_RUNNER_ID: id }, clock);
  fake.state.pulls.get(5)!.locked = true;    // no comment says how far the request is, so the check is asked
  await (await Journey.accepted(fake, { text: '/benchmark --workload locked' })).status('waiting');
  fake.state.pulls.get(5)!.locked = false;
  await trendCalls(fake);
  calls = fake.seen.filter(call => call.path !== '/graphql');
  prism = await startPrism(new Set(calls.flatMap(call => templateOf(call) ?? [])));
}, 30_000);
afterAll(async () => { Job.removeAll(); await fake.stop(); await prism.stop(); });

/** What the weekly trend asks and says, a new branch and a later commit of it. */
async function trendCalls(fake: FakeGitHub): Promise<void> {
  const gh = testClient(fake), at = { owner: 'example', repo: 'library', runId: 900, runAttempt: 1, apiUrl: fake.url, serverUrl: 'https://github.com' }, tracker = { gh, at, me: BOT.id };
  fake.state.trendWorkflow = { state: 'active', created_at: '2026-01-01T00:00:00Z', successes: ['2026-01-02T00:00:00Z'] };
  fake.state.history = ['1', '2'].map(digit => digit.repeat(40));
  await staleTrend(gh, at, NOW);
  const name = `2026/20260105-030000-${createHash('sha256').update('x').digest('hex').slice(0, 16)}.ndjson`;
  const { head } = await append(gh, at, new Map([[name, Buffer.from('x')]]));
  const later = await append(gh, at, new Map([[name, Buffer.from('x')], ['trend.json', Buffer.from('{}')]]));
  const branch = await readBranch(gh, at);
  await fetchFile(gh, at, branch.journals[0]!);
  await isOurs(gh, at, later.head, BOT.id);
  await strangersSince(gh, at, head, later.head, BOT.id);
  await distance(gh, at, fake.state.history[0]!, fake.state.history[1]!);
  await ownIssues(tracker);
  const issue = await createIssue(tracker, 'summary', 'a title', bodyOf('summary', 'x', ['text']));
  await setIssue(tracker, issue, { body: 'other', state: 'closed' });
  await setIssue(tracker, { ...issue, isOpen: false }, { body: 'more', state: 'open' });
  await fateOf(tracker, issue.number);
  await gh.rest.repos.get({ owner: at.owner, repo: at.repo });
}

/** The call again, to Prism. 404: no such call; 422: not its form; 406: no such answer. */
async function replay({ method, path, query, body, headers }: Call): Promise<number> {
  const { accept, 'content-type': type, 'x-github-api-version': version } = headers;
  const answer = await fetch(`${prism.url}${path}?${query}`, {
    method, redirect: 'manual', headers: { accept: accept!, 'x-github-api-version': String(version), ...(body === undefined ? {} : { 'content-type': type! }) }, body: body === undefined ? null : JSON.stringify(body),
  });
  await answer.arrayBuffer();
  return answer.status;
}

describe('a mock server that has only GitHub\'s own description', () => {
  it('takes_every_call_of_every_command', async () => {
    const distinct = [...new Map(calls.map(call => [`${call.method} ${call.path} ${Object.keys(call.body ?? {}).join()}`, call])).values()];
    expect(distinct.length).toBeGreaterThan(22);
    const refused: string[] = [];
    for (const call of distinct) {
      const status = await replay(call);
      if (status >= 400) refused.push(`${call.method} ${call.path}: ${status}`);
    }
    expect(refused).toEqual([]);
    expect([...new Set(calls.flatMap(unknownParameters))]).toEqual([]);
  });

  it('would_notice_a_wrong_one', async () => {
    const call = (method: string, path: string, body?: unknown): Call => ({ method, path, body, query: new URLSearchParams(), headers: { 'accept': 'application/json', 'content-type': 'application/json' } } as Call);
    expect(await replay(call('POST', '/repos/o/r/issues/comments/5/reactions', { content: 'applause' }))).toBe(422);
    expect(await replay(call('POST', '/repos/o/r/actions/runners/generate-jitconfig', { name: 'n', labels: ['x'] }))).toBe(422);
    expect(await replay(call('POST', '/repos/o/r/issues/5/comments', { text: 'x' }))).toBe(422);
    expect(await replay(call('GET', '/repos/o/r/pull/5'))).toBe(404);
    expect(unknownParameters({ ...call('GET', '/repos/o/r/pulls/5'), query: new URLSearchParams('pages=2') })).not.toEqual([]);
  });

  // Not what the fake says, which is ours: the examples of GitHub's own documentation.
  it('is_understood_in_its_own_words', async () => {
    const gh = createClient({ baseUrl: prism.url, auth: 'x', pacing: noPacing(), wait: async () => {}, tries: 1 });
    const at = { owner: 'octocat', repo: 'Hello-World', runId: 1, runAttempt: 1, apiUrl: prism.url, serverUrl: 'https://github.com' };
    const pull = await readPullRequest(gh, at, 1347);
    expect(pull).toMatchObject({ headSha: expect.stringMatching(/^[0-9a-f]{40}$/), isFork: false, pushedAt: expect.any(Number) });
    expect(await authorise(gh, at, { createdAt: 0, userId: 1, login: 'octocat' })).toBe('admin');
    expect(await mergeBase(gh, at, pull, pull.headSha)).toMatchObject({ base: expect.stringMatching(/^[0-9a-f]{40}$/), files: ['file1.txt'], isComplete: true });
    expect(await findComment({ gh, at, pullRequest: 1347, me: 1 }, 1, { pullRequest: 1347, request: 1 })).toBeNull();
    expect(await setCheck({ gh, at, head: pull.headSha, request: 1 }, { status: 'queued', title: 't', summary: 's', url: 'https://example.org' })).toBe(4);
    const state = { stage: 'done', run: 30433642, attempt: 1, requester: 1, base: '', head: '', machine: 'm', command: '' } as const;
    expect(await new WorkflowRuns(gh, at).of(state)).toBeNull();    // the example's run is of a push
    expect(await getRunner(gh, at, 23)).toMatchObject({ id: 23, isOnline: true, isBusy: true });
    // The second page of its lists is on the real host, which is not where the token belongs.
    for (const list of [refuseRetarget(gh, at, pull, { createdAt: NOW, userId: 1, login: 'octocat' }), ownComments({ gh, at, pullRequest: 1347, me: 1 }), listRunners(gh, at), new WorkflowRuns(gh, at).underWay()]) {
      await expect(list).rejects.toThrow('refusing to call https://api.github.com');
    }
  });
});

describe('the fake GitHub', () => {
  it('says_nothing_that_github_could_not_say', () => {
    expect(calls.filter(call => call.answer?.json !== undefined).length).toBeGreaterThan(30);
    expect([...new Set(calls.flatMap(answerProblems))]).toEqual([]);
  });

  // What none of these calls asks, GitHub's description has not judged. It does not speak of GraphQL, and Octokit's own library asks for an app's token.
  it('is_asked_by_each_of_its_routes', () => {
    const unasked = ROUTES.filter(([method, pattern]) => !calls.some(call => call.method === method && pattern.test(call.path))).map(([, pattern]) => pattern.source.replace(/[\\^$]/g, ''));
    expect(unasked).toEqual(['/app/installations/([0-9]+)/access_tokens', '/graphql']);
  });

  it('would_be_caught_lying', () => {
    const said = (path: string, json: unknown, status = 200): string[] => answerProblems({ method: 'GET', path, answer: { status, json } } as Call);
    expect(said('/repos/o/r/pulls/5', { state: 'opened' })).not.toEqual([]);
    expect(said('/repos/o/r/pulls/5', { head: { sha: 1 } })).not.toEqual([]);
    expect(said('/repos/o/r/pulls/5', { is_draft: true })).not.toEqual([]);
    expect(said('/repos/o/r/pulls/5', {}, 201)).not.toEqual([]);
    expect(said('/repos/o/r/pulls/5', { state: 'open', draft: true, head: { sha: 'x' } })).toEqual([]);
  });
});
