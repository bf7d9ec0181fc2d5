import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { append, BRANCH, fetchFile, isOurs, MOST_JOURNALS, readBranch, strangersSince } from '../src/history/branch.ts';
import { fetchBundle } from '../src/history/history.ts';
import { pushCommit, putBlob } from './fake/git-routes.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BOT } from './fake/state.ts';
import { Job, testClient } from './support/lab.ts';

let fake: FakeGitHub;
const at = { owner: 'example', repo: 'library', runId: 900, runAttempt: 1, apiUrl: '', serverUrl: 'https://github.com' };
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const gh = () => testClient(fake, { maxBytes: 96 << 20, timeoutMs: 20_000 });
const named = (text: string, day = '20260105'): [string, Buffer] =>
  [`2026/${day}-030000-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.ndjson`, Buffer.from(text)];
const files = (...texts: string[]): Map<string, Buffer> => new Map(texts.map((text, index) => named(text, `202601${String(index + 5).padStart(2, '0')}`)));
const head = (): string | undefined => fake.state.git.refs.get(`heads/${BRANCH}`);
const paths = (): string[] => [...fake.state.git.trees.get(fake.state.git.commits.get(head()!)!.tree)!.keys()];
/** Somebody with write permission pushes a tree. */
const push = (entries: Record<string, { bytes: Buffer; mode?: string } | { sha: string; mode?: string }>, parent: string | null = head() ?? null): string =>
  pushCommit(fake.state, BRANCH, new Map(Object.entries(entries).map(([path, it]) => [path, { sha: 'bytes' in it ? putBlob(fake.state, it.bytes) : it.sha, mode: it.mode ?? '100644' }])), { parent });
const bundle = (): { runner: string; root: string; bundle: string } => {
  const job = new Job(fake);
  return { runner: '', root: job.path('root'), bundle: job.path('bundle') };
};
const fetched = (folder: string): string[] => (fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true }).map(String).filter(name => /\./.test(name)).sort() : []);

it('the_first_run_makes_the_branch_without_the_history_of_the_code', async () => {
  await append(gh(), at, files('a'));
  expect(paths()).toEqual(['README.md', named('a')[0]]);
  expect(fake.state.git.commits.get(head()!)!.parents).toEqual([]);
});

it('a_later_run_adds_its_files_only_and_the_same_again_adds_nothing', async () => {
  await append(gh(), at, files('a'));
  const first = head();
  await append(gh(), at, files('a', 'b'));
  expect([paths().length, fake.state.git.commits.get(head()!)!.parents]).toEqual([3, [first]]);
  const second = head();
  await append(gh(), at, files('a', 'b'));
  expect(head()).toBe(second);
});

it('two_runs_at_once_both_keep_their_files_and_none_is_forced', async () => {
  await append(gh(), at, files('a'));
  let pushed = false;
  fake.fault = call => {
    if (call.method === 'PATCH' && !pushed) {
      pushed = true;
      push({ 'README.md': { bytes: Buffer.from('x') }, [named('other')[0]]: { bytes: Buffer.from('other') } });
    }
    return undefined;
  };
  await append(gh(), at, files('a', 'b'));
  expect(paths()).toEqual(expect.arrayContaining([named('other')[0], named('b', '20260106')[0]]));
  expect(fake.seen.filter(call => call.method === 'PATCH').map(call => call.body.force)).toEqual([false, false]);
});

it.each([['502 after', { after: { status: 502, json: {} } }], ['lost after', { after: 'abort' as const }], ['429', { status: 429, json: { message: 'slow' }, headers: { 'retry-after': '1' } }]])('a_run_that_broke_off_at_any_call_is_finished_by_the_next: %s', async (_, fault) => {
  await append(gh(), at, files('a'));
  const calls = fake.seen.length;
  for (let broken = 0; broken < 8; broken++) {
    fake.seen.length = 0;
    fake.fault = (__, index) => (index === broken ? fault : index > broken ? { status: 401, json: { message: 'Bad credentials' } } : undefined);
    await append(gh(), at, files('a', `b${broken}`)).catch(() => {});
    fake.fault = undefined;
    await append(gh(), at, files('a', `b${broken}`));
    expect(paths().filter(path => path.includes(named(`b${broken}`)[0].slice(-23)))).toHaveLength(1);
  }
  expect(calls).toBeGreaterThan(3);
});

it('a_file_of_2_GB_is_left_alone_unread_and_said', async () => {
  push({ [named('a')[0]]: { bytes: Buffer.from('a') }, '2026/20260112-030000-0123456789abcdef.ndjson': { sha: 'f'.repeat(40) } });
  const where = bundle();
  const notes = await fetchBundle(gh(), at, await readBranch(gh(), at), BOT.id, where);
  expect(fetched(where.bundle)).toEqual([named('a')[0]]);
  expect(notes).toContain('1 file on `perf-lab-data` is larger than 64 MiB: left alone, not read.');
  expect(fake.seen.some(call => call.path.endsWith('f'.repeat(40)))).toBe(false);
});

it('a_journal_that_github_takes_no_more_is_not_kept_and_said', async () => {
  const big = Buffer.alloc(40 << 20, 'x');
  const { notes } = await append(gh(), at, new Map([[`2026/20260105-030000-${createHash('sha256').update(big).digest('hex').slice(0, 16)}.ndjson`, big], named('a')]));
  expect(paths()).toEqual(['README.md', named('a')[0]]);
  expect(notes.join()).toContain('39 MiB, which GitHub does not take');
});

const STRANGE = ['../../etc/passwd', 'x2026/20260105-030000-0123456789abcdef.ndjson', '/etc/passwd', '2026/../../x.ndjson', '.git/hooks/post-checkout', '2026/20260105-030000-0123456789abcdef.ndjson/x', '2025/20260105-030000-0123456789abcdef.ndjson', '2026/20260105-030000-0123456789ABCDEF.ndjson', '2026/<img src=x>.ndjson', "2026/'; DROP TABLE sessions; --.ndjson", 'a\nb.ndjson', '2026/20260105-030000-0123456789abcdef.ndjson\u202e'];

it('names_of_any_kind_never_become_a_path', async () => {
  push(Object.fromEntries(STRANGE.map(name => [name, { bytes: Buffer.from('x') }])));
  const where = bundle();
  const notes = await fetchBundle(gh(), at, await readBranch(gh(), at), BOT.id, where);
  expect(fetched(where.bundle)).toEqual([]);
  expect(notes).toEqual([`${STRANGE.length} files on \`perf-lab-data\` are no journals by name or kind: left alone, not read.`]);
});

it.each([['a link', '120000'], ['a submodule', '160000'], ['a program', '100755']])('%s_is_no_journal', async (_, mode) => {
  push({ [named('a')[0]]: { bytes: Buffer.from('a'), mode } });
  expect((await readBranch(gh(), at)).journals).toEqual([]);
});

it('a_file_that_is_not_what_its_name_says_is_left_alone', async () => {
  push({ '2026/20260105-030000-0123456789abcdef.ndjson': { bytes: Buffer.from('forged') } });
  const where = bundle();
  expect(await fetchBundle(gh(), at, await readBranch(gh(), at), BOT.id, where)).toEqual(['1 file on the data branch is not what the name says: left alone.']);
  expect(fetched(where.bundle)).toEqual([]);
});

it('bytes_that_are_not_what_git_called_them_are_refused', async () => {
  push({ [named('a')[0]]: { bytes: Buffer.from('a') } });
  const branch = await readBranch(gh(), at);
  fake.fault = call => (call.path.includes('/blobs/') ? { status: 200, json: { encoding: 'base64', content: Buffer.from('b').toString('base64') } } : undefined);
  expect(await fetchFile(gh(), at, branch.journals[0]!)).toBeNull();
});

it('what_is_known_of_the_trend_is_believed_only_as_we_left_it', async () => {
  const state = Buffer.from('{"schema":"perf-lab/trend/1"}');
  await append(gh(), at, new Map([named('a'), ['trend.json', state]]));
  const ours = bundle();
  expect(await fetchBundle(gh(), at, await readBranch(gh(), at), BOT.id, ours)).toEqual([]);
  expect(fetched(ours.bundle)).toContain('trend.json');

  push({ [named('a')[0]]: { bytes: Buffer.from('a') }, 'trend.json': { bytes: Buffer.from('{"forged":1}') } });
  const theirs = bundle();
  const notes = await fetchBundle(gh(), at, await readBranch(gh(), at), BOT.id, theirs);
  expect(fetched(theirs.bundle)).toEqual([named('a')[0]]);
  expect(notes.join()).toContain('not written by this workflow');
});

it('a_commit_with_our_name_and_without_githubs_word_is_not_ours', async () => {
  push({ [named('a')[0]]: { bytes: Buffer.from('a') } });
  const forged = pushCommit(fake.state, BRANCH, new Map(), { parent: head()!, author: BOT.id, verified: false });
  expect(await isOurs(gh(), at, forged, BOT.id)).toBe(false);
});

it('a_force_push_a_deleted_branch_and_a_strangers_commit_are_said', async () => {
  const { head: left } = await append(gh(), at, files('a'));
  expect(await strangersSince(gh(), at, left, left, BOT.id)).toEqual([]);
  const { head: next } = await append(gh(), at, files('a', 'b'));
  expect(await strangersSince(gh(), at, left, next, BOT.id)).toEqual([]);
  const stranger = push({});
  expect((await strangersSince(gh(), at, left, stranger, BOT.id)).join()).toContain('1 commit on `perf-lab-data` since the last run is not of this workflow');
  expect((await strangersSince(gh(), at, left, push({}, null), BOT.id)).join()).toContain('was rewritten');
  expect((await strangersSince(gh(), at, left, null, BOT.id)).join()).toContain('was deleted');
});

it('after_a_force_push_the_next_run_adds_to_what_is_there', async () => {
  await append(gh(), at, files('a', 'b'));
  push({ [named('a')[0]]: { bytes: Buffer.from('a') } }, null);
  await append(gh(), at, files('a', 'c'));
  expect(paths()).toHaveLength(2);
});

it('more_files_than_github_lists_end_with_a_sentence', async () => {
  push({ [named('a')[0]]: { bytes: Buffer.from('a') } });
  fake.fault = call => (call.path.includes('/trees/') ? { status: 200, json: { sha: 'a'.repeat(40), truncated: true, tree: [] } } : undefined);
  await expect(readBranch(gh(), at)).rejects.toThrow('holds more files than GitHub lists at once');
});

it('the_newest_journals_count_and_how_many_are_older_is_said', async () => {
  const many = Object.fromEntries(Array.from({ length: MOST_JOURNALS + 3 }, (_, i) => [`2026/202601${String(1 + i % 28).padStart(2, '0')}-${String(i).padStart(6, '0')}-0123456789abcdef.ndjson`, { bytes: Buffer.from(String(i)) }]));
  push(many);
  const branch = await readBranch(gh(), at);
  expect([branch.journals.length, branch.notes]).toEqual([MOST_JOURNALS, ['3 files on `perf-lab-data` are older than the newest 400: left alone, not read.']]);
});

it('what_is_kept_is_named_by_its_run_and_explained_on_the_branch', async () => {
  await append(gh(), at, files('a'));
  await append(gh(), at, files('a', 'b', 'c'));
  expect(fake.seen.filter(call => call.path.endsWith('/git/commits')).map(call => call.body.message)).toEqual(['Keep 1 file of run 900', 'Keep 2 files of run 900']);
  const readme = fake.state.git.trees.get(fake.state.git.commits.get(head()!)!.tree)!.get('README.md')!;
  expect(fake.state.git.blobs.get(readme.sha)!.toString()).toContain('a journal a session');
  expect(fake.seen.filter(call => call.method === 'POST' && call.path.endsWith('/git/trees')).map(call => 'base_tree' in call.body)).toEqual([false, true]);
});

it('a_branch_without_anything_new_to_keep_is_still_made', async () => {
  const { head: made, notes } = await append(gh(), at, new Map());
  expect([paths(), made, notes]).toEqual([['README.md'], head(), []]);
});

it('a_file_whose_text_changed_is_kept_anew', async () => {
  await append(gh(), at, new Map([['trend.json', Buffer.from('{}')]]));
  await append(gh(), at, new Map([['trend.json', Buffer.from('{"a":1}')]]));
  const { sha } = fake.state.git.trees.get(fake.state.git.commits.get(head()!)!.tree)!.get('trend.json')!;
  expect(fake.state.git.blobs.get(sha)!.toString()).toBe('{"a":1}');
});

it('somebody_who_is_always_faster_ends_it_after_four_tries', async () => {
  await append(gh(), at, files('a'));
  fake.seen.length = 0;
  fake.fault = call => (call.method === 'PATCH' ? { status: 422, json: { message: 'Update is not a fast forward' } } : undefined);
  await expect(append(gh(), at, files('b'))).rejects.toThrow('not a fast forward');
  expect(fake.seen.filter(call => call.method === 'PATCH')).toHaveLength(4);
});

it.each(['PATCH', 'POST'])('a_branch_that_may_not_be_written_ends_it_at_once: %s', async method => {
  if (method === 'PATCH') await append(gh(), at, files('a'));
  fake.seen.length = 0;
  fake.fault = call => (/\/git\/refs/.test(call.path) ? { status: 403, json: { message: 'protected' } } : undefined);
  await expect(append(gh(), at, files('b'))).rejects.toThrow('protected');
  expect(fake.seen.filter(call => call.method === method && /\/git\/refs/.test(call.path))).toHaveLength(1);
});

it('a_branch_that_appears_in_between_is_added_to', async () => {
  let once = false;
  fake.fault = call => {
    if (call.method === 'POST' && call.path.endsWith('/git/refs') && !once) {
      once = true;
      push({ [named('other')[0]]: { bytes: Buffer.from('other') } }, null);
    }
    return undefined;
  };
  await append(gh(), at, files('a'));
  expect(paths().sort()).toEqual([named('other')[0], named('a')[0]].sort());
});

it('what_GitHub_does_not_say_of_the_branch_is_no_empty_branch', async () => {
  fake.fault = () => ({ status: 403, json: { message: 'not for you' } });
  await expect(readBranch(gh(), at)).rejects.toThrow('not for you');
  await expect(strangersSince(gh(), at, 'a'.repeat(40), 'b'.repeat(40), BOT.id)).rejects.toThrow('not for you');
});

it('more_than_one_of_a_kind_is_counted', async () => {
  const far = (day: number): string => `2026/202601${day}-030000-0123456789abcdef.ndjson`;
  push({ [far(12)]: { sha: 'f'.repeat(40) }, [far(13)]: { sha: 'e'.repeat(40) }, 'README.md': { bytes: Buffer.from('x') }, 'x.txt': { bytes: Buffer.from('x') }, 'trend.json': { bytes: Buffer.from('{}') } });
  const branch = await readBranch(gh(), at);
  expect(branch).toMatchObject({ head: head(), journals: [], state: { path: 'trend.json', size: 2 } });
  expect(branch.notes).toEqual(['1 file on `perf-lab-data` is no journal by name or kind: left alone, not read.', '2 files on `perf-lab-data` are larger than 64 MiB: left alone, not read.']);
});

it('a_state_that_is_too_large_is_none', async () => {
  push({ 'trend.json': { sha: 'f'.repeat(40) } });
  expect((await readBranch(gh(), at)).state).toBeNull();
});

it('a_branch_that_is_not_there_holds_nothing', async () => { expect(await readBranch(gh(), at)).toEqual({ head: null, tree: null, journals: [], state: null, issues: null, notes: [] }); });

it('the_newest_journal_comes_first', async () => {
  push(Object.fromEntries([6, 8, 7].map(day => [named('x', `2026010${day}`)[0], { bytes: Buffer.from('x') }])));
  expect((await readBranch(gh(), at)).journals.map(({ path }) => path.slice(11, 13))).toEqual(['08', '07', '06']);
});

it.each([['another encoding', { encoding: 'utf-8', content: 'a' }], ['fewer bytes', { encoding: 'base64', content: '' }]])('a_file_that_comes_with_%s_is_not_taken', async (_, json) => {
  push({ [named('a')[0]]: { bytes: Buffer.from('a') } });
  const branch = await readBranch(gh(), at);
  fake.fault = () => ({ status: 200, json });
  expect(await fetchFile(gh(), at, branch.journals[0]!)).toBeNull();
});

it('a_file_that_is_no_journal_has_no_digest_in_its_name', async () => {
  push({ 'trend.json': { bytes: Buffer.from('{}') } });
  expect((await fetchFile(gh(), at, (await readBranch(gh(), at)).state!))!.toString()).toBe('{}');
});

it('two_commits_of_strangers_are_linked_and_what_was_ours_is_not_counted', async () => {
  const { head: left } = await append(gh(), at, files('a'));
  push({});
  push({ [named('a')[0]]: { bytes: Buffer.from('a') } });
  const { head: now } = await append(gh(), at, files('a', 'b'));
  expect(await strangersSince(gh(), at, left, now, BOT.id)).toEqual([`2 commits on \`perf-lab-data\` since the last run are not of this workflow: [what came in](https://github.com/example/library/compare/${left}...${now}). Journals that are whole count.`]);
  expect(await strangersSince(gh(), at, 'd'.repeat(40), now, BOT.id)).toEqual([expect.stringContaining(`was rewritten since the last run, which left it at \`${'d'.repeat(12)}\``)]);
});

it.each([[BOT.id, true, true], [43, true, false], [null, true, false]])('a_commit_of_%s_that_GitHub_vouches_for', async (author, verified, isOne) => {
  await append(gh(), at, files('a'));
  expect(await isOurs(gh(), at, pushCommit(fake.state, BRANCH, new Map(), { parent: head()!, author, verified }), BOT.id)).toBe(isOne);
});
