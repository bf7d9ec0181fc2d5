import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clientFrom } from '../src/process/environment.ts';
import { bodyOf, ownIssues, type Tracker } from '../src/trend/issues.ts';
import { memoryLine, NOTHING_KNOWN } from '../src/trend/marker.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BOT, type Issue } from './fake/state.ts';
import { Job, ownComments, testClient } from './support/lab.ts';
import { Journey, summary } from './support/request.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

describe('twelve thousand issues', () => {
  const issue = (number: number, body: string, labels: string[] = [], user = { id: 43, login: 'mallory' }): Issue =>
    ({ number, id: 50_000 + number, title: 'x', body, state: 'open', state_reason: null, labels, user, locked: false, created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' });
  const change = bodyOf({ changes: ['0123456789ab'] }, 'x', []), remembering = bodyOf('summary', memoryLine({ ...NOTHING_KNOWN, issues: new Map([['0123456789ab', 11_500]]) }), []);
  const others = (): Issue[] => Array.from({ length: 12_000 }, (_, at) => issue(at + 1, 'text'));
  const tracker = (): Tracker => ({ gh: testClient(fake), at: { owner: 'example', repo: 'library', runId: 900, runAttempt: 1, apiUrl: fake.url, serverUrl: '' }, me: BOT.id });
  const found = async (): Promise<number[]> => (await ownIssues(tracker())).map(({ number }) => number);
  const put = (number: number, body: string, labels: string[] = []): void => { fake.state.issues[number - 1] = issue(number, body, labels, BOT); };

  it('are_read_to_their_end_by_cursor_where_no_label_helps', async () => {
    fake.state.issues = others();
    put(11_500, change);
    put(11_900, remembering);
    expect(await found()).toEqual([11_500, 11_900]);
    expect(fake.seen.filter(call => call.query.has('page') && call.query.get('page') !== '1')).toEqual([]);
    expect(fake.seen).toHaveLength(1 + 120);
  }, 60_000);
  it('are_not_read_where_the_labelled_summary_remembers_ours', async () => {
    fake.state.issues = others();
    put(11_500, change);
    put(11_900, remembering, ['perf-lab']);
    expect(await found()).toEqual([11_500, 11_900]);
    expect(fake.seen).toHaveLength(2);
  });
  it.each<[string, Partial<Issue>]>([['deleted', { deleted: true }], ['moved', { moved: 'https://api.github.com/repos/o/r/issues/1' }], ['edited', { body: 'text' }]])('one_that_is_remembered_and_was_%s_is_none', async (_, gone) => {
    fake.state.issues = others();
    put(11_500, change);
    put(11_900, remembering, ['perf-lab']);
    Object.assign(fake.state.issues[11_499]!, gone);
    expect(await found()).toEqual([11_900]);
  });
  it.each<[string, string, string]>([
    ['leads to itself', 'after=abc', 'is followed by itself'], ['leads to another host', 'https://example.org/?after=abc', 'refusing to call https://example.org'],
  ])('a_cursor_that_%s_ends_the_list', async (_, link, why) => {
    fake.fault = call => (call.path.endsWith('/issues') ? { status: 200, json: [], headers: { link: `<${link.startsWith('http') ? link : `${fake.url}/x?${link}`}>; rel="next"` } } : undefined);
    await expect(ownIssues(tracker())).rejects.toThrow(why);
  });
  it('a_cursor_alone_without_a_page_is_followed_and_kept_from_the_question\'s_other_words', async () => {
    const asked: string[] = [];
    fake.fault = call => {
      if (!call.path.endsWith('/issues')) return undefined;
      asked.push(`${call.query.get('page')} ${call.query.get('after')} ${call.query.get('state')}`);
      return { status: 200, json: [], headers: asked.length % 2 === 1 ? { link: `<${fake.url}/x?after=${encodeURIComponent('a+/=&state=none')}>; rel="next"` } : {} };
    };
    expect(await found()).toEqual([]);
    expect(asked.slice(0, 2)).toEqual(['1 null all', 'null a+/=&state=none all']);
  });
});

describe('a repository that was renamed', () => {
  it('while_it_was_measured_gets_its_verdict_by_its_id', async () => {
    const journey = (await Journey.accepted(fake)).journal().runner({ comparison: summary({ unchanged: 3 }), report: '**no change found in 3**\n' });
    await journey.status('plan');
    fake.state.renamed = true;
    for (const step of ['waiting', 'measuring']) expect(await journey.status(step)).toBe(0);
    expect(await journey.publish()).toBe(0);
    expect(ownComments(fake)).toEqual([expect.stringMatching(/### perf-lab: no change found in 3\n[^]*\n@alice, the answer/)]);
    expect(fake.state.checks).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
  });
  const ask = (env: Record<string, string>, location: string) => {
    const to = location.replace('HERE', fake.url).replace('NAMED', fake.url.replace('//', '//user@'));
    fake.fault = call => (call.path === '/repos/example/library' ? { status: 301, json: {}, headers: { location: to } } : undefined);
    const job = new Job(fake, env);
    return clientFrom(job.env, { pacing: { enabled: false } }).rest.repos.get({ owner: 'example', repo: 'library' });
  };
  it('is_found_by_the_id_that_GitHub_told_the_job', async () => {
    await expect(ask({ GITHUB_REPOSITORY_ID: '500' }, 'HERE/repositories/500/x')).rejects.toMatchObject({ status: 404 });    // asked there, and the fake has no such page
  });
  it.each<[string, string, Record<string, string>]>([
    ['of another id', 'HERE/repositories/5001/x', { GITHUB_REPOSITORY_ID: '500' }], ['elsewhere below', 'HERE/repos/evil/library', { GITHUB_REPOSITORY_ID: '500' }], ['up again', 'HERE/repositories/500/../../user', { GITHUB_REPOSITORY_ID: '500' }],
    ['on another host', 'https://api.github.com.evil.example/repositories/500/x', { GITHUB_REPOSITORY_ID: '500' }], ['with a name in front', 'NAMED/repositories/500/x', { GITHUB_REPOSITORY_ID: '500' }],
    ['where nobody told the id', 'HERE/repositories/500/x', {}], ['where the id is none', 'HERE/repositories/500/x', { GITHUB_REPOSITORY_ID: 'x' }],
  ])('is_not_followed_%s', async (_, location, env) => {
    await expect(ask(env, location)).rejects.toThrow('redirects are not followed');
    expect(fake.seen).toHaveLength(1);
  });
  it.each([200, 201, 302])('is_not_followed_where_the_answer_is_no_redirect_of_a_rename: %d', async status => {
    fake.fault = () => ({ status, json: {}, headers: { location: `${fake.url}/repositories/500/x` } });
    await testClient(fake).rest.repos.get({ owner: 'example', repo: 'library' }).catch(() => {});
    expect(fake.seen).toHaveLength(1);
  });
  it('is_followed_once', async () => {
    fake.fault = call => ({ status: 301, json: {}, headers: { location: `${fake.url}/repositories/500/x${call.path.length}` } });
    await expect(testClient(fake).rest.repos.get({ owner: 'example', repo: 'library' })).rejects.toThrow('redirects are not followed');
    expect(fake.seen).toHaveLength(2);
  });
});

it('a_measured_commit_that_GitHub_no_longer_has_costs_the_check_and_not_the_verdict', async () => {
  const journey = (await Journey.accepted(fake)).journal().runner({ comparison: summary({ unchanged: 3 }), report: '**no change found in 3**\n' });
  fake.fault = call => (call.path.includes('/check-runs') ? { status: call.method === 'POST' ? 422 : call.method === 'PATCH' ? 404 : 422, json: { message: `No commit found for SHA: ${'a'.repeat(40)}` } } : undefined);
  expect(await journey.publish()).toBe(0);
  expect(ownComments(fake)).toEqual([expect.stringContaining('@alice')]);
  fake.fault = call => (call.path.includes('/check-runs') ? { status: 422, json: { message: 'Validation Failed' } } : undefined);
  journey.job.env['GITHUB_RUN_ATTEMPT'] = '2';
  await expect(journey.publish()).rejects.toMatchObject({ status: 422 });
});
