import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { appAuth } from '../src/github/app-auth.ts';
import { boundedFetch } from '../src/github/bounded-fetch.ts';
import { createClient, failureOf, isRefusedByGitHub, statusOf, type ClientOptions } from '../src/github/client.ts';
import { graphql } from '../src/github/graphql.ts';
import { keyVaultSigner } from '../src/github/key-vault.ts';
import { pages } from '../src/github/pages.ts';
import { isRateLimit, isRepeatable, waitBefore } from '../src/github/retry.ts';
import { startFakeGitHub, type Answer, type FakeGitHub } from './fake/server.ts';
import { NOW } from './fake/state.ts';
import { testClient } from './support/lab.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

const PULL = { owner: 'example', repo: 'library', pull_number: 5 };
const pull = (more: Partial<ClientOptions> = {}) => testClient(fake, more).rest.pulls.get(PULL);

describe('a fetch with bounds', () => {
  let url = '';
  let answer: (request: http.IncomingMessage, response: http.ServerResponse) => void;
  let asked: string[] = [];
  const server = http.createServer((request, response) => { asked.push(`${request.method} ${request.url}`); answer(request, response); });
  beforeAll(async () => {
    await new Promise<void>(done => { server.listen(0, '127.0.0.1', done); });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => { await new Promise(done => { server.close(done); server.closeAllConnections(); }); });
  beforeEach(() => { asked = []; });
  const call = (path = '/x', init?: RequestInit, more = {}) => boundedFetch({ origin: url, timeoutMs: 5000, maxBytes: 1000, ...more })(`${url}${path}`, init);

  it('calls_one_origin_only', async () => {
    await expect(boundedFetch({ origin: 'https://api.github.com', timeoutMs: 5000, maxBytes: 1000 })(`${url}/x`)).rejects.toThrow(`refusing to call ${url}: only https://api.github.com gets our token`);
    expect(asked).toEqual([]);
  });
  it('hands_on_status_headers_address_and_body', async () => {
    answer = (_, response) => { response.writeHead(404, 'Nowhere', { 'x-a': 'b' }).end('text'); };
    const got = await call('/y', { method: 'PUT', headers: { 'x-a': 'c' } });
    expect([got.status, got.statusText, got.headers.get('x-a'), got.url, await got.text(), asked]).toEqual([404, 'Nowhere', 'b', `${url}/y`, 'text', ['PUT /y']]);
  });
  it.each([204, 205, 304])('takes_an_answer_that_has_no_body: %i', async status => {
    answer = (_, response) => { response.writeHead(status).end(); };
    const got = await call();
    expect([got.status, got.body]).toEqual([status, null]);
  });
  it('takes_an_answer_to_HEAD', async () => {
    answer = (_, response) => { response.writeHead(200).end(); };
    expect(await (await call('/x', { method: 'HEAD' })).text()).toBe('');
  });
  it.each([[1000, true], [1001, false]])('takes_so_many_bytes: %i', async (bytes, isTaken) => {
    answer = (_, response) => { response.write('x'.repeat(600)); setImmediate(() => response.end('x'.repeat(bytes - 600))); };
    if (isTaken) expect(await (await call()).text()).toBe('x'.repeat(bytes));
    else await expect(call()).rejects.toThrow('the answer is larger than 1000 bytes');
  });
  it('counts_what_was_packed_unpacked_and_hands_it_on_as_such', async () => {
    const send = (bytes: number) => { answer = (_, response) => { response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(bytes))); }; };
    send(1000);
    const got = await call();
    expect([got.headers.get('content-encoding'), got.headers.get('content-length'), (await got.text()).length]).toEqual([null, null, 1000]);
    send(1001);
    await expect(call()).rejects.toThrow('larger than');
  });
  it('does_not_tell_how_long_the_answer_was_on_the_way', async () => {
    answer = (_, response) => { response.writeHead(200, { 'content-length': '4' }).end('text'); };
    expect((await call()).headers.get('content-length')).toBeNull();
  });
  it('follows_no_redirect', async () => {
    answer = (_, response) => { response.writeHead(302, { location: `${url}/elsewhere` }).end(); };
    const got = await call();
    expect([got.status, got.headers.get('location'), asked]).toEqual([302, `${url}/elsewhere`, ['GET /x']]);
  });
  it('gives_up_by_the_clock', async () => {
    answer = () => {};
    await expect(call('/x', undefined, { timeoutMs: 20 })).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('a client', () => {
  it('asks_for_JSON_of_one_version', async () => {
    await pull();
    expect(fake.seen[0]!.headers).toMatchObject({ 'accept': 'application/vnd.github+json, application/json;q=0.9', 'x-github-api-version': '2022-11-28', 'user-agent': expect.stringMatching(/^perf-lab /), 'authorization': 'token the-token' });
  });
  it('takes_an_address_that_ends_with_slashes', async () => {
    await pull({ baseUrl: `${fake.url}//` });
    expect(fake.seen[0]!.path).toBe('/repos/example/library/pulls/5');
  });
  it('calls_nobody_else', async () => {
    await expect(testClient(fake).request(`GET ${fake.storage.url}/x`)).rejects.toThrow(`refusing to call ${fake.storage.url}: only ${fake.url} gets our token`);
    expect([fake.seen, fake.storage.seen]).toEqual([[], []]);
  });
  it.each(['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1', 'https://api.github.com', 'https://github.example.org/api/v3'])('may_be_one_of: %s', baseUrl => { createClient({ baseUrl, pacing: { enabled: false } }); });
  it.each(['http://api.github.com', 'http://127.0.0.1.example.org', 'ftp://github.example.org'])('may_not_be_one_of: %s', baseUrl => { expect(() => createClient({ baseUrl })).toThrow('the token is only sent over https'); });
  it('tells_what_its_plugins_warn_of_and_nothing_else', () => {
    const told: string[] = [];
    const { log } = testClient(fake, { log: line => { told.push(line); } });
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level);
    expect(told).toEqual(['warn']);
  });

  const first = async (fault: Answer | 'abort', more: Partial<ClientOptions> = {}): Promise<{ told: string[]; waits: number[] }> => {
    const told: string[] = [], waits: number[] = [];
    fake.fault = (_, index) => (index === 0 ? fault : undefined);
    await pull({ log: line => { told.push(line); }, wait: async ms => { waits.push(ms); }, ...more });
    return { told, waits };
  };
  it('tells_why_and_when_it_calls_again', async () => {
    const what = 'GET /repos/{owner}/{repo}/pulls/{pull_number}: ';
    expect((await first({ status: 502, json: { message: `Bad Gateway\nmore` } })).told).toEqual([`${what}502 Bad Gateway; again in 1 s (try 2 of 5)`]);
    fake.seen.length = 0;
    expect((await first('abort', { tries: 2 })).told).toEqual([`${what}no answer; again in 1 s (try 2 of 2)`]);
    fake.seen.length = 0;
    expect((await first({ status: 500, json: { message: 'x'.repeat(200) } })).told).toEqual([`${what}500 ${'x'.repeat(120)}; again in 1 s (try 2 of 5)`]);
  });
  it('waits_by_its_own_clock', async () => {
    expect((await first({ status: 429, json: { message: 'slow' }, headers: { 'retry-after': new Date(NOW + 9000).toUTCString() } })).waits).toEqual([9000]);
  });
  it('really_waits', async () => {
    fake.fault = (_, index) => (index === 0 ? { status: 502, json: { message: 'Bad Gateway' } } : undefined);
    const from = performance.now();
    await createClient({ baseUrl: fake.url, auth: 'the-token', pacing: { enabled: false } }).rest.pulls.get(PULL);
    expect(performance.now() - from).toBeGreaterThan(900);    // a second, by the real clock
  });
  it.each<[string, Answer]>([
    ['the limit of an hour', { status: 403, json: { message: 'API rate limit exceeded' }, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9999999999' } }],
    ['the limit of what is too fast', { status: 403, json: { message: 'You have exceeded a secondary rate limit' }, headers: { 'retry-after': '9' } }],
  ])('decides_itself_who_waits_for: %s', async (_, answer) => {
    fake.fault = (_, index) => (index === 0 ? answer : undefined);
    await expect(pull({ maxWaitSeconds: 1, pacing: { retryAfterBaseValue: 0 } })).rejects.toMatchObject({ status: 403 });
    expect(fake.seen).toHaveLength(1);
  });

  it.each<[string, Answer, string]>([
    ['300', { status: 300, json: {} }, 'was redirected (300); redirects are not followed'], ['302', { status: 302, json: {} }, 'was redirected (302)'], ['HTML', { status: 200, raw: '<html>', headers: { 'content-type': 'text/html' } }, 'the answer to GET /repos/{owner}/{repo}/pulls/{pull_number} is not JSON'],
    ['a number', { status: 200, json: 7 }, 'is not JSON'], ['null', { status: 200, json: null }, 'is not JSON'], ['accepted, without a word', { status: 202 }, 'is not JSON'],
  ])('takes_no: %s', async (_, answer, why) => {
    fake.fault = () => answer;
    await expect(pull()).rejects.toThrow(why);
    expect(fake.seen).toHaveLength(1);
  });
  it.each([204, 205])('takes_nothing_for_an_answer_where_it_is_one: %i', async status => {
    fake.fault = () => ({ status });
    expect((await pull()).status).toBe(status);
  });
  it('takes_a_redirect_only_where_it_is_expected_and_then_only_that_one', async () => {
    const ask = (answer: Answer, expectRedirect = true): Promise<{ status: number }> => {
      fake.fault = () => answer;
      return testClient(fake).request('GET /x', { request: { expectRedirect } as object });
    };
    expect((await ask({ status: 302, headers: { location: 'https://example.org' } })).status).toBe(302);
    await expect(ask({ status: 302 }, false)).rejects.toThrow('was redirected (302)');
    await expect(ask({ status: 301 })).rejects.toThrow('was redirected (301)');
    await expect(ask({ status: 200, raw: '<html>', headers: { 'content-type': 'text/html' } })).rejects.toThrow('is not JSON');
  });
  it('repeats_a_POST_only_where_it_may', async () => {
    const post = (request?: object) => testClient(fake).request('POST /x', request === undefined ? {} : { request });
    fake.fault = () => ({ status: 502, json: { message: 'Bad Gateway' } });
    await expect(post()).rejects.toThrow('Bad Gateway');
    expect(fake.seen).toHaveLength(1);
    await expect(post({ repeatable: true })).rejects.toThrow('Bad Gateway');
    expect(fake.seen).toHaveLength(6);
  });
});

describe('an error of a call', () => {
  const response = { headers: { a: 'b' } };
  it.each<[unknown, object]>([
    [{ status: 500, message: 'x' }, { status: 0, headers: {}, message: 'x' }], [{ status: 500, message: 'x', response }, { status: 500, headers: { a: 'b' }, message: 'x' }], [{ message: 'x', response }, { status: 0, headers: { a: 'b' }, message: 'x' }], ['text', { status: 0, headers: {}, message: 'text' }],
  ])('is_taken_apart: %j', (error, failure) => {
    expect(failureOf(error)).toEqual(failure);
    expect(statusOf(error)).toBe((failure as { status: number }).status);
  });
  it.each([[403, true], [404, true], [401, false], [410, false], [0, false]])('is_not_for_us: %i', (status, isOurs) => { expect(isRefusedByGitHub(status)).toBe(isOurs); });
});

describe('whether and when a call is sent again', () => {
  it.each([['GET', true], ['HEAD', true], ['PUT', true], ['DELETE', true], ['PATCH', true], ['get', true], ['POST', false], ['OPTIONS', false], ['', false]])('leaves the same state when sent twice: %s', (method, isOne) => { expect(isRepeatable(method)).toBe(isOne); });
  const limits = { tries: 5, maxWaitSeconds: 120 };
  const wait = (status: number, headers: Record<string, string | number> = {}, message = '', isSafe = false, tried = 1): number | null => waitBefore({ status, headers, message }, isSafe, tried, NOW, limits);
  const reset = (seconds: number): string => String(NOW / 1000 + seconds);
  it.each<[string, number | null, number | null]>([
    ['500 to a GET', wait(500, {}, '', true), 1], ['499 to a GET', wait(499, {}, '', true), null], ['no answer to a GET, fourth time', wait(0, {}, '', true, 4), 16], ['no answer to a GET, fifth time', wait(0, {}, '', true, 5), null],
    ['refused with a time', wait(422, { 'retry-after': '7' }), null], ['refused with nothing left', wait(422, { 'x-ratelimit-remaining': '0' }, 'secondary rate limit'), null], ['forbidden with a time', wait(403, { 'retry-after': '7' }), 7],
    ['spaces', wait(429, { 'retry-after': ' 7 ' }), 7], ['less than none', wait(429, { 'retry-after': '-1' }), null], ['two digits', wait(429, { 'retry-after': '17' }), 17], ['a number', wait(429, { 'retry-after': 17 }), 17], ['a date that ends with digits', wait(429, { 'retry-after': '2026-11-20T10:00:29+00:00' }), 9],
    ['a date in the past', wait(429, { 'retry-after': '2026-11-20T10:00:00Z' }), 0], ['a part of a second', wait(429, { 'retry-after': '2026-11-20T10:00:20.001Z' }), 1], ['the most', wait(429, { 'retry-after': '120' }), 120], ['more than that', wait(429, { 'retry-after': '121' }), null],
    ['some left', wait(403, { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': reset(5) }, 'secondary rate limit'), 60], ['none left and no reset', wait(429, { 'x-ratelimit-remaining': '0' }), 60], ['none left and a reset that is none', wait(429, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }), 60],
    ['none left', wait(429, { 'x-ratelimit-remaining': 0, 'x-ratelimit-reset': reset(5) }), 6], ['none left, reset now', wait(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset(0) }), 1], ['none left, reset long ago', wait(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset(-50) }), 1],
    ['none left, a part of a second', wait(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset(0.5) }), 2],
  ])('%s', (_, is, expected) => { expect(is).toBe(expected); });
  it.each<[number, Record<string, string>, string, boolean]>([
    [429, {}, '', true], [403, { 'retry-after': '1' }, '', true], [403, { 'x-ratelimit-remaining': '0' }, '', true], [403, {}, 'Secondary Rate limit', true], [403, {}, 'Abuse detection', true], [403, {}, 'abuse detections', false], [403, {}, 'xabuse detection', false],
    [403, { 'x-ratelimit-remaining': '1' }, 'no', false], [404, { 'x-ratelimit-remaining': '0' }, '', false], [200, {}, 'abuse detection', false],
  ])('is a rate limit or not: %i %j %s', (status, headers, message, isOne) => { expect(isRateLimit({ status, headers, message })).toBe(isOne); });
});

describe('a list, page by page', () => {
  const link = (page: number | string, form = '<URL>; rel="next"'): string => form.replace('URL', `${fake.url}/x?page=${page}`);
  /** What is read of these pages: the answer's rows, or the error. `next`: the link of each page. */
  const rows = async (next: readonly (string | null)[], mostPages = 3): Promise<number[]> => {
    fake.fault = call => {
      const page = Number(call.query.get('page')), told = next[page - 1];
      return { status: 200, json: [page], headers: typeof told === 'string' ? { link: told } : {} };
    };
    const read: number[] = [];
    for await (const page of pages(testClient(fake), { route: 'GET /x', parameters: { a: 'b' }, rows: z.array(z.int()), what: 'the pages', mostPages })) read.push(...page);
    return read;
  };
  it('asks_for_a_hundred_at_once', async () => {
    expect(await rows([link(2), null])).toEqual([1, 2]);
    expect(fake.seen.map(({ query }) => query.toString())).toEqual(['a=b&per_page=100&page=1', 'a=b&per_page=100&page=2']);
  });
  it.each([['one of one', 1], ['two of two', 2], ['three of three', 3]])('may_be_as_long_as_it_may: %s', async (_, count) => {
    expect(await rows([...Array.from({ length: count - 1 }, (_, i) => link(i + 2)), null], count)).toHaveLength(count);
  });
  it('may_not_be_longer', async () => {
    await expect(rows([link(2), link(3), null], 2)).rejects.toThrow('there are more than 2 pages of the pages: gave up reading them');
    expect(fake.seen).toHaveLength(2);
  });
  it.each(['<URL>; rel="next"', '<URL>;rel="next"', '<URL> ;  rel="next"', '<URL>  ; rel="next"', '<https://api.github.com/x?page=1>; rel="prev", <URL>; rel="next", <https://api.github.com/x?page=9>; rel="last"'])('goes_on_by: %s', async form => { expect(await rows([link(2, form), null])).toEqual([1, 2]); });
  it.each(['', 'next', '<>; rel="next"', '<https://example.org>; rel="prev"', '<https://example.org>; rel=next', '<https://example.org>, rel="next"'])('ends_by: %j', async told => { expect(await rows([told])).toEqual([1]); });
  it('takes_an_address_without_a_host_for_one_of_ours', async () => { expect(await rows(['</x?page=2>; rel="next"', null])).toEqual([1, 2]); });
  it.each([['1', 1], ['3', 3], ['x', NaN]])('is_none_when_page_1_is_followed_by: %s', async (page, told) => { await expect(rows([link(page)])).rejects.toThrow(`GitHub's list of the pages says that page 1 is followed by page ${told}`); });
  it('is_none_when_the_next_page_has_no_number', async () => { await expect(rows([`<${fake.url}/x>; rel="next"`])).rejects.toThrow('is followed by page NaN'); });
  it('is_none_when_the_next_page_is_elsewhere', async () => {
    await expect(rows(['<https://example.org/x?page=2>; rel="next"'])).rejects.toThrow(`refusing to call https://example.org: only ${fake.url} gets our token`);
    await expect(rows(['<http://[/x?page=2>; rel="next"'])).rejects.toThrow('refusing to call what is no address');
  });
});

describe('a question in GraphQL', () => {
  const ask = (answer: Answer | undefined) => {
    fake.fault = answer === undefined ? undefined : () => answer;
    return graphql(testClient(fake), 'query($id: ID!) { node(id: $id) { id } }', { id: 'x' }, z.object({ node: z.unknown() }), 'it');
  };
  it('is_answered', async () => {
    expect(await ask(undefined)).toEqual({ node: { isMinimized: false } });
    expect(fake.seen[0]!.body).toEqual({ query: 'query($id: ID!) { node(id: $id) { id } }', variables: { id: 'x' } });
  });
  it('may_be_asked_again', async () => {
    await expect(ask({ status: 502, json: { message: 'Bad Gateway' } })).rejects.toThrow('Bad Gateway');
    expect(fake.seen).toHaveLength(5);
  });
  it('is_a_named_error_when_the_answer_is_none', async () => {
    await expect(ask({ status: 200, json: { data: null, errors: 'none' } })).rejects.toThrow('GitHub\'s answer about it is not of GraphQL\'s form');
    await expect(ask({ status: 200, json: { data: null, errors: [{ message: 'not so' }] } })).rejects.toThrow('not so');
    await expect(ask({ status: 200, json: { data: 'x' } })).rejects.toThrow('GitHub\'s answer about it');
  });
});

describe('a key that is elsewhere', () => {
  it('signs_a_token_of_nine_minutes_from_half_a_minute_ago', async () => {
    const signed: string[] = [];
    const sign = async (text: string): Promise<Buffer> => { signed.push(text); return Buffer.from([0xfb, 0xff]); };
    const { auth, authStrategy } = appAuth({ appId: '12', installationId: '34', sign }, () => NOW + 999) as { auth: any; authStrategy: unknown };
    expect([auth.appId, auth.installationId, typeof authStrategy]).toEqual(['12', '34', 'function']);
    for (const [difference, issued] of [[undefined, NOW / 1000 - 30], [5, NOW / 1000 - 25]] as const) {
      const { jwt, expiresAt } = await auth.createJwt('12', difference) as { jwt: string; expiresAt: string };
      expect(jwt).toBe(`${signed.at(-1)}.-_8`);
      expect(jwt.split('.').slice(0, 2).map(part => JSON.parse(Buffer.from(part, 'base64url').toString()))).toEqual([{ alg: 'RS256', typ: 'JWT' }, { iat: issued, exp: issued + 570, iss: '12' }]);
      expect(expiresAt).toBe(new Date((issued + 570) * 1000).toISOString());
    }
  });
  const vault = (answer: Response, url = 'https://lab.vault.azure.net/keys/app') => keyVaultSigner({ url, token: 't', fetch: (async () => answer) as never })('text');
  it.each([`https://lab.vault.azure.net/keys/app/${'0'.repeat(32)}`, 'https://a-9.vault.usgovcloudapi.net/keys/A-9', 'https://lab.vault.azure.cn/keys/app'])('may_be_at: %s', async url => { expect(await vault(Response.json({ value: 'A'.repeat(684) }), url)).toHaveLength(513); });
  it.each([' https://lab.vault.azure.net/keys/app', 'https://lab.vault.azure.net/keys/app ', `https://lab.vault.azure.net/keys/app/${'0'.repeat(31)}`, 'https://la.vault.azure.net/keys/app', 'https://LAB.vault.azure.net/keys/app', 'https://lab.vault.azure.net/keys/'])('may_not_be_at: %j', url => { expect(() => keyVaultSigner({ url, token: 't' })).toThrow(`expected https://NAME.vault.azure.net/keys/KEY, got ${JSON.stringify(url)}`); });
  it('says_what_is_missing_when_it_does_not_sign', async () => {
    await expect(vault(new Response('', { status: 403 }))).rejects.toThrow('answered 403. The job\'s identity needs the role "Key Vault Crypto User" on that key');
    for (const value of ['A'.repeat(341), 'A'.repeat(685), `${'A'.repeat(342)}=`, `+${'A'.repeat(342)}`, 7]) await expect(vault(Response.json({ value }))).rejects.toThrow('the answer holds no RSA signature');
  });
});
