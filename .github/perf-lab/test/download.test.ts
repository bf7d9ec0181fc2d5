import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BadArtifact } from '../src/artifact/bad-artifact.ts';
import { downloadArtifact, MAX_BYTES } from '../src/artifact/download.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import type { Artifact } from './fake/state.ts';
import { testClient } from './support/lab.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

const ARCHIVE = Buffer.from('archive'), DIGEST = createHash('sha256').update(ARCHIVE).digest('hex');
const add = (more: Partial<Artifact> = {}): number => {
  const id = ++fake.state.lastId;
  fake.state.artifacts.push({ id, name: 'samples', run: 900, zip: ARCHIVE, ...more });
  return id;
};
const get = async (wanted: { id?: number | null; digest?: string | null } = {}, apiUrl = fake.url) =>
  await downloadArtifact(testClient(fake), { owner: 'example', repo: 'library', runId: 900, runAttempt: 1, apiUrl, serverUrl: '' }, { name: 'samples', id: fake.state.artifacts[0]?.id ?? null, digest: DIGEST, ...wanted });
const redirect = (headers: Record<string, string>, status = 302): void => { fake.fault = call => (call.path.endsWith('/zip') ? { status, headers, json: {} } : undefined); };

describe('an artifact', () => {
  it('is_found_by_the_id_that_its_job_told', async () => { expect(await get({ id: add() })).toEqual(ARCHIVE); });
  it('is_nobodys_without_an_id_whatever_its_name', async () => {
    add();
    expect(await get({ id: null })).toBeNull();
    expect(fake.seen).toEqual([]);
  });
  it('is_refused_without_a_digest', async () => {
    add();
    await expect(get({ digest: null })).rejects.toThrow('has no digest that its job told');
    expect(fake.seen).toEqual([]);
  });
  it.each([404, 410])('that_something_deleted_is_a_finding_and_no_failure: %i', async status => {
    add();
    fake.fault = call => (/artifacts\/\d+$/.test(call.path) ? { status, json: { message: 'Not Found' } } : undefined);
    await expect(get()).rejects.toThrow(new BadArtifact('the artifact samples is gone: it was uploaded, and something deleted it'));
  });
  it('of_another_id_is_not_taken_in_the_place_of_one_that_was_replaced', async () => {
    const id = add();
    fake.state.artifacts = [];
    add();    // an overwriting upload deletes the old one and gets an id of its own
    await expect(get({ id })).rejects.toThrow('something deleted it');
  });
  it('is_a_failure_when_github_does_not_answer', async () => {
    add();
    fake.fault = () => ({ status: 403, json: { message: 'not for you' } });
    await expect(get()).rejects.toThrow('not for you');
  });
  it.each([`sha256:${DIGEST}`, DIGEST])('has_the_digest_that_its_job_told: %s', async digest => {
    add();
    expect(await get({ digest })).toEqual(ARCHIVE);
  });
  it.each([`sha256:${'0'.repeat(64)}`, `x sha256:${DIGEST}`, `${DIGEST.slice(0, 4)}sha256:${DIGEST.slice(4)}`, ''])('of_another_digest_is_refused: %s', async digest => {
    add();
    await expect(get({ digest })).rejects.toThrow('another digest');
  });
  it.each<[string, Partial<Artifact>, string]>([
    ['another name', { name: 'other' }, 'is not samples of this run'], ['another run', { run: 899 }, 'is not samples of this run'], ['expired', { expired: true }, 'has expired'], ['too large', { size: MAX_BYTES + 1 }, 'more than 67108864'],
  ])('of_%s_is_refused_unread', async (_, more, why) => {
    const id = add(more);
    await expect(get({ id })).rejects.toThrow(why);
    expect(fake.storage.seen).toEqual([]);
  });
  it('of_no_run_at_all_is_refused', async () => {
    fake.fault = call => (/artifacts\/\d+$/.test(call.path) ? { status: 200, json: { id: 1, name: 'samples', expired: false, size_in_bytes: 1, workflow_run: null } } : undefined);
    await expect(get({ id: 1 })).rejects.toThrow('is not samples of this run');
  });
  it('may_be_as_large_as_the_limit', async () => { expect(await get({ id: add({ size: MAX_BYTES }) })).toEqual(ARCHIVE); });

  it.each<[string, Record<string, string>, number, string]>([
    ['names no place', {}, 302, 'names no store'], ['names what is no address', { location: 'nowhere' }, 302, 'names no store'], ['is no redirect', { location: 'https://example.org/' }, 200, 'names no store'],
    ['leads to a place without TLS', { location: 'http://example.org/x' }, 302, 'is not https'], ['leads to a file', { location: 'file:///etc/passwd' }, 302, 'is not https'],
  ])('is_not_fetched_when_the_answer_%s', async (_, headers, status, why) => {
    add();
    redirect(headers, status);
    await expect(get()).rejects.toThrow(why);
  });
  it('is_not_fetched_without_tls_when_github_itself_has_it', async () => {
    add();
    await expect(get({}, 'https://api.github.com')).rejects.toThrow('is not https');
    expect(fake.storage.seen).toEqual([]);
  });
  it('is_fetched_with_tls_from_wherever_github_says', async () => {
    add();
    redirect({ location: 'https://localhost:1/x' });    // nobody listens there
    await expect(get()).rejects.toThrow('fetch failed');
  });
  it('that_the_store_does_not_have_is_an_error_and_no_archive', async () => {
    add();
    redirect({ location: `${fake.storage.url}/blob/7?sig=x` });
    await expect(get()).rejects.toThrow('the store answered 404');
  });
});
