import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { append, blobHash, fetchFile, isOurs, readBranch, STATE_FILE, strangersSince } from '../src/history/branch.ts';
import { issuesFile, readIssueNumbers } from '../src/trend/issue-numbers.ts';
import { MOST_ISSUES } from '../src/trend/marker.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BOT } from './fake/state.ts';
import { testClient } from './support/lab.ts';
import { at } from './support/trend.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

const gh = () => testClient(fake);
const SHA = 'e'.repeat(40), BYTES = Buffer.from('{"a":1}\n');
const name = (bytes: Buffer): string => `2026/20260105-030000-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.ndjson`;
const answer = (part: string, json: object): void => { fake.fault = call => (call.method === 'GET' && call.path.includes(part) ? { status: 200, json } : undefined); };

describe('what the branch holds', () => {
  const listed = async (...tree: object[]) => {
    await append(gh(), at, new Map([[STATE_FILE, BYTES]]));
    answer('/git/trees/', { sha: SHA, truncated: false, tree: tree.map(entry => ({ mode: '100644', type: 'blob', sha: SHA, size: 1, ...entry })) });
    return await readBranch(gh(), at);
  };
  it('are_files_and_folders_are_nothing_strange', async () => {
    const { journals, notes } = await listed({ path: '2026', mode: '040000', type: 'tree' }, { path: name(BYTES) });
    expect([journals.map(({ path }) => path), notes]).toEqual([[name(BYTES)], []]);
  });
  it('is_strange_where_it_has_the_mode_of_a_file_and_is_none', async () => {
    expect((await listed({ path: name(BYTES), type: 'commit' })).notes).toEqual(['1 file on `perf-lab-data` is no journal by name or kind: left alone, not read.']);
  });
  it.each([[64 << 20, 1], [(64 << 20) + 1, 0]])('is_read_up_to_64_MiB: %i', async (size, read) => {
    const { journals, state } = await listed({ path: name(BYTES), size }, { path: STATE_FILE, size });
    expect([journals.length, state === null ? 0 : 1]).toEqual([read, read]);
  });
});

it('what_is_there_is_not_written_again', async () => {
  const files = new Map([[STATE_FILE, BYTES], [name(BYTES), BYTES]]), { head } = await append(gh(), at, files);
  fake.seen.length = 0;
  expect((await append(gh(), at, files)).head).toBe(head);
  expect(fake.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
});
it('what_GitHub_does_not_take_is_said_in_one_sentence', async () => {
  const big = Buffer.alloc((39 << 20) + 1);
  expect((await append(gh(), at, new Map([['a', big], ['b', big]]))).notes).toEqual(['2 files for `perf-lab-data` are larger than 39 MiB, which GitHub does not take: not kept beyond the files of this run.']);
});

describe('a file', () => {
  const entry = { path: STATE_FILE, sha: blobHash(BYTES), size: BYTES.length };
  const blob = (bytes: Buffer, encoding = 'base64') => ({ sha: SHA, size: bytes.length, encoding, content: bytes.toString('base64') });
  it.each<[string, object, Partial<typeof entry>, boolean]>([
    ['as it is', blob(BYTES), {}, true], ['of other bytes', blob(Buffer.from('{"a":2}\n')), {}, false], ['of another length than the list said', blob(BYTES), { size: BYTES.length + 1 }, false],
    ['that says to be text', blob(BYTES, 'utf-8'), {}, false], ['named by its content', blob(BYTES), { path: name(BYTES) }, true], ['named by other content', blob(BYTES), { path: name(Buffer.from('x')) }, false],
  ])('is_taken_only_when_name_size_and_hash_agree: %s', async (_, json, more, isTaken) => {
    answer('/git/blobs/', json);
    expect(await fetchFile(gh(), at, { ...entry, ...more })).toEqual(isTaken ? BYTES : null);
  });
});

describe('the issues of what was filed', () => {
  const known = async (numbers: ReadonlyMap<string, number>) => {
    await append(gh(), at, issuesFile(numbers));
    return await readIssueNumbers(gh(), at, BOT.id);
  };
  const id = (number: number): string => number.toString(16).padStart(12, '0');
  it('are_remembered_whatever_their_numbers', async () => {
    const numbers = new Map([[id(1), 7], [id(2), 42], [id(3), 1_234_567_890]]);
    expect(await known(numbers)).toEqual(numbers);
  });
  it('are_the_last_thousand', async () => {
    const all = Array.from({ length: MOST_ISSUES + 2 }, (_, at) => [id(at + 1), at + 1] as const);
    expect(await known(new Map(all))).toEqual(new Map(all.slice(2)));
  });
  it('are_none_without_the_branch_without_the_file_and_where_its_bytes_can_not_be_had', async () => {
    expect(await readIssueNumbers(gh(), at, BOT.id)).toEqual(new Map());
    await append(gh(), at, new Map([[STATE_FILE, BYTES]]));
    expect(await readIssueNumbers(gh(), at, BOT.id)).toEqual(new Map());
    await append(gh(), at, issuesFile(new Map([[id(1), 7]])));
    answer('/git/blobs/', { sha: SHA, size: 1, encoding: 'none', content: '' });
    expect(await readIssueNumbers(gh(), at, BOT.id)).toEqual(new Map());
  });
  it('are_not_taken_from_somebody_else', async () => {
    await append(gh(), at, issuesFile(new Map([[id(1), 7]])));
    expect(await readIssueNumbers(gh(), at, BOT.id + 1)).toEqual(new Map());
  });
});

describe('who wrote a commit', () => {
  it.each<[string, object, boolean]>([
    ['us, signed', { verification: { verified: true } }, true], ['us, not signed', { verification: { verified: false } }, false], ['us, with nothing said of a signature', {}, false],
  ])('is_believed_by_signature: %s', async (_, commit, isBelieved) => {
    answer('/commits/', { sha: SHA, author: { id: BOT.id }, commit });
    expect(await isOurs(gh(), at, SHA, BOT.id)).toBe(isBelieved);
  });
  it('is_not_asked_of_a_branch_that_is_gone', async () => {
    expect(await strangersSince(gh(), at, SHA, null, BOT.id)).toEqual([expect.stringContaining('was deleted since the last run')]);
    expect(fake.seen).toEqual([]);
  });
});

it.each(['/git/blobs', '/git/trees', '/git/commits'])('a_lost_answer_of_what_is_named_by_its_content_is_asked_for_again: %s', async part => {
  let once = false;
  fake.fault = call => {
    if (call.method !== 'POST' || !call.path.endsWith(part) || once) return undefined;
    once = true;
    return { after: 'abort' as const };
  };
  await append(gh(), at, new Map([[name(BYTES), BYTES]]));
  expect([once, (await readBranch(gh(), at)).journals.map(({ path }) => path)]).toEqual([true, [name(BYTES)]]);
});
