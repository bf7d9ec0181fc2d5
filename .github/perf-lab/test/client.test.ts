import { createVerify, generateKeyPairSync, createSign } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appAuth } from '../src/github/app-auth.ts';
import { createClient, type ClientOptions } from '../src/github/client.ts';
import { keyVaultSigner } from '../src/github/key-vault.ts';
import { waitBefore } from '../src/github/retry.ts';
import { ownComments, postComment } from '../src/thread/comments.ts';
import { startFakeGitHub, type Answer, type FakeGitHub, type Fault } from './fake/server.ts';
import { BOT, NOW } from './fake/state.ts';
import { comment, noPacing, ownComments as texts, testClient } from './support/lab.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

const AT = { owner: 'example', repo: 'library', runId: 900, runAttempt: 1, apiUrl: '', serverUrl: '' };
const read = (more: Partial<ClientOptions> = {}) => testClient(fake, more).rest.pulls.get({ owner: 'example', repo: 'library', pull_number: 5 });
const once = (fault: Fault) => { fake.fault = (_, index) => (index === 0 ? fault : undefined); };

describe('an answer that is none', () => {
  it.each<[string, Answer, string]>([
    ['HTML', { status: 200, raw: '<html>', headers: { 'content-type': 'text/html' } }, 'is not JSON'], ['empty body', { status: 200, raw: '' }, 'is not JSON'], ['null', { status: 200, json: null }, 'is not JSON'],
    ['redirect to another host', { status: 302, headers: { location: 'https://example.org/' } }, 'redirects are not followed'], ['redirect that keeps the method', { status: 307, headers: { location: 'https://example.org/' } }, 'redirects are not followed'],
    ['larger than the limit', { status: 200, raw: `"${'x'.repeat(9 << 20)}"` }, 'larger than'], ['gzip bomb', { status: 200, raw: gzipSync(Buffer.alloc(20 << 20, 'x')), headers: { 'content-encoding': 'gzip' } }, 'larger than'],
  ])('is_a_named_error_and_not_repeated: %s', async (_, answer, why) => {
    fake.fault = () => answer;
    await expect(read()).rejects.toThrow(why);
    expect(fake.seen).toHaveLength(1);
  });
  it('cut_in_the_middle_is_no_data', async () => { fake.fault = () => ({ status: 200, raw: '{"id":' }); await expect(read()).rejects.toThrow(); });
  it('that_never_comes_ends_by_the_clock', async () => { fake.fault = () => 'hang'; await expect(read({ timeoutMs: 30, tries: 2 })).rejects.toThrow(); expect(fake.seen).toHaveLength(2); });
});

describe('the token', () => {
  it('never_follows_a_page_link_to_another_host', async () => {
    for (let i = 0; i < 150; i++) comment(fake, 'x');
    fake.foreign = fake.storage.url;
    await expect(ownComments({ gh: testClient(fake), at: AT, pullRequest: 5, me: BOT.id })).rejects.toThrow('refusing to call');
    expect(fake.storage.seen).toEqual([]);
  });
  it('is_never_sent_without_tls_beyond_this_machine', () => { expect(() => createClient({ baseUrl: 'http://github.example.org' })).toThrow('only sent over https'); });
  it('goes_to_an_enterprise_server_below_its_path', async () => {
    const server = await startFakeGitHub('/api/v3');
    try {
      const client = testClient(server);
      expect((await client.rest.pulls.get({ owner: 'example', repo: 'library', pull_number: 5 })).data.number).toBe(5);
      expect(await client.graphql('query($id: ID!) { node(id: $id) { id } }', { id: 'x' })).toEqual({ node: { isMinimized: false } });
    } finally {
      await server.stop();
    }
  });
});

describe('how long is waited before the next try', () => {
  const limits = { tries: 5, maxWaitSeconds: 120 };
  const wait = (status: number, headers: Record<string, string> = {}, message = '', isSafe = false, tried = 1) => waitBefore({ status, headers, message }, isSafe, tried, NOW, limits);
  const inSeconds = (s: number) => String(Math.floor(NOW / 1000) + s);
  it.each<[string, number | null, number | null]>([
    ['429 with retry-after', wait(429, { 'retry-after': '7' }), 7], ['429 with retry-after 0', wait(429, { 'retry-after': '0' }), 0], ['429 with negative retry-after', wait(429, { 'retry-after': '-5' }), null],
    ['429 with retry-after 10⁹', wait(429, { 'retry-after': '1000000000' }), null], ['429 with retry-after as a date', wait(429, { 'retry-after': new Date(NOW + 9000).toUTCString() }), 9], ['429 with rubbish', wait(429, { 'retry-after': 'soon' }), null],
    ['429 without headers', wait(429), 60], ['429 without headers, second time', wait(429, {}, '', false, 2), 120], ['429 without headers, third time', wait(429, {}, '', false, 3), null],
    ['403 primary limit', wait(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(5) }), 6], ['403 primary limit, reset in the past', wait(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(-9) }), 1], ['403 primary limit, reset in an hour', wait(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(3600) }), null],
    ['403 secondary limit', wait(403, {}, 'You have exceeded a secondary rate limit'), 60], ['403 abuse', wait(403, {}, 'triggered an abuse detection mechanism'), 60],
    ['403 plain', wait(403, {}, 'Resource not accessible'), null], ['403 SSO', wait(403, { 'x-github-sso': 'required' }, 'SAML enforcement', true), null], ['404', wait(404, {}, '', true), null], ['409', wait(409, {}, '', true), null], ['410', wait(410, {}, '', true), null], ['422', wait(422, {}, '', true), null], ['401', wait(401, {}, '', true), null],
    ['502 to a POST', wait(502), null], ['502 to a GET', wait(502, {}, '', true), 1], ['502 to a GET, third time', wait(502, {}, '', true, 3), 9], ['lost connection of a POST', wait(0), null], ['lost connection of a GET', wait(0, {}, '', true), 1], ['the fifth try', wait(502, {}, '', true, 5), null],
  ])('%s', (_, is, expected) => { expect(is).toBe(expected); });

  it('is_obeyed_and_counted', async () => {
    const waits: number[] = [];
    fake.fault = () => ({ status: 429, json: { message: 'Too many requests' }, headers: { 'retry-after': '3' } });
    await expect(read({ wait: async ms => { waits.push(ms); } })).rejects.toThrow('Too many');
    expect([waits, fake.seen.length]).toEqual([[3000, 3000, 3000, 3000], 5]);
  });
});

describe('one comment', () => {
  const post = (body = 'text') => postComment({ gh: testClient(fake), at: AT, pullRequest: 5, me: BOT.id }, { pullRequest: 5, request: 1 }, body);
  it.each<[string, Fault]>([
    ['502 after the effect', { after: { status: 502, json: { message: 'Bad Gateway' } } }], ['connection lost after the effect', { after: 'abort' }], ['rubbish after the effect', { after: { status: 200, raw: '<html>' } }],
  ])('although_the_answer_is_lost: %s', async (_, fault) => {
    fake.fault = call => (call.method === 'POST' ? fault : undefined);
    await post();
    expect([texts(fake).length, fake.seen.filter(call => call.method === 'POST').length]).toEqual([1, 1]);
  });
  it('although_two_jobs_post_at_once', async () => {
    await Promise.all([post(), post()]);
    expect(texts(fake)).toHaveLength(1);
  });
  it('among_10_000_foreign_ones_with_our_marker', async () => {
    for (let i = 0; i < 10_000; i++) comment(fake, '<!-- perf-lab:v1 pr=5 req=1 -->\nforeign', { user: { id: 43, login: 'mallory' } });
    await post();
    await post('changed');
    expect(texts(fake)).toEqual(['<!-- perf-lab:v1 pr=5 req=1 -->\nchanged']);
    expect(fake.state.comments.filter(c => c.user.id === 43 && c.body.endsWith('foreign'))).toHaveLength(10_000);
  });
  it('is_not_sent_again_when_it_says_so_already', async () => {
    await post();
    fake.seen.length = 0;
    await post();
    expect(fake.calls()).toEqual(['GET /issues/:id/comments']);
  });
});

describe('a GitHub App whose key is elsewhere', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const sign = async (text: string) => createSign('RSA-SHA256').update(text).sign(privateKey);
  const client = () => createClient({ baseUrl: fake.url, pacing: noPacing(), wait: async () => {}, ...appAuth({ appId: '12', installationId: '34', sign }) });
  const jwtOf = (authorization = '') => authorization.replace(/^bearer /i, '').split('.') as [string, string, string];

  it('signs_outside_and_works_with_the_installation_token', async () => {
    await client().rest.pulls.get({ owner: 'example', repo: 'library', pull_number: 5 });
    const [header, payload, signature] = jwtOf(fake.seen[0]!.headers.authorization);
    expect(createVerify('RSA-SHA256').update(`${header}.${payload}`).verify(publicKey, signature, 'base64url')).toBe(true);
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ iss: '12' });
    expect(fake.seen[1]!.headers.authorization).toBe('token ghs_installation1');
  });
  it('learns_the_clock_of_the_server', async () => {
    once({ status: 401, json: { message: '\'Issued at\' claim (\'iat\') must be an Integer representing the time that the assertion was issued' }, headers: { date: new Date(Date.now() - 600_000).toUTCString() } });
    await client().rest.pulls.get({ owner: 'example', repo: 'library', pull_number: 5 });
    const issued = fake.seen.slice(0, 2).map(call => JSON.parse(Buffer.from(jwtOf(call.headers.authorization)[1], 'base64url').toString()).iat as number);
    expect(issued[0]! - issued[1]!).toBeGreaterThan(550);
  });
  it('asks_key_vault_for_a_digest_and_nothing_else', async () => {
    const asked: { url: string; init: any }[] = [];
    const vault = keyVaultSigner({ url: 'https://lab.vault.azure.net/keys/app', token: 't', fetch: (async (url: string, init: unknown) => { asked.push({ url, init }); return Response.json({ kid: 'k', value: 'A'.repeat(342) }); }) as never });
    expect((await vault('text')).length).toBe(256);
    expect(asked).toMatchObject([{ url: 'https://lab.vault.azure.net/keys/app/sign?api-version=7.4', init: { method: 'POST', body: '{"alg":"RS256","value":"mC2ePrmW9VnmM_TRlN7zdh2Qn1o7ZH0ahR_q1nwyydE"}' } }]);
  });
  it.each(['http://lab.vault.azure.net/keys/app', 'https://lab.vault.azure.net.example.org/keys/app', 'https://lab.vault.azure.net/secrets/app', 'https://x@example.org/keys/a'])('sends_the_vault_token_nowhere_else: %s', url => { expect(() => keyVaultSigner({ url, token: 't' })).toThrow('not the address of a key'); });
});
