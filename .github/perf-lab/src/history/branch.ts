import { createHash } from 'node:crypto';
import { Blob, Distance, GitCommit, Object40, read, Reference, Tree, Written } from '../github/answers.ts';
import { statusOf, type Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';

/** The branch that holds the lab's history: a file a session, and what is known of the trend. Only the publishing job writes it. */
export const BRANCH = 'perf-lab-data';
export const STATE_FILE = 'trend.json';
/** The issue of each change: people delete issues, the one that summarises among them. */
export const ISSUES_FILE = 'issues.txt';

/** A journal's own limit where it crosses a border. */
const MOST_BYTES = 64 << 20;
/** GitHub takes no larger blob: 41,820,160 bytes were taken, 40 MiB were answered with 422 (github-inputs.md). */
const MOST_WRITTEN = 39 << 20;
/** One call each, and a job's token has 1,000 calls an hour: seven years of weeks. */
export const MOST_JOURNALS = 400;
const TRIES = 4;

const JOURNAL = /^([0-9]{4})\/\1[0-9]{4}-[0-9]{6}-([0-9a-f]{16})\.ndjson$/;
const README = 'README.md';
const ABOUT = 'The history of this repository\'s perf-lab: a journal a session, named by its start and the beginning of its SHA-256; what is known of its trend, and the issue of each change. Written by the weekly trend run only; '
  + '`perf-lab history import` reads it.\n';

interface Entry { readonly path: string; readonly sha: string; readonly size: number }

export interface DataBranch {
  /** Null: there is no such branch yet. */
  readonly head: string | null;
  readonly tree: string | null;
  readonly journals: readonly Entry[];
  readonly state: Entry | null;
  readonly issues: Entry | null;
  /** Sentences about what lies there and was not taken. */
  readonly notes: readonly string[];
}

const NOTHING: DataBranch = { head: null, tree: null, journals: [], state: null, issues: null, notes: [] };

/** What the branch holds, by names and sizes: nothing is fetched yet. Whoever may push to the repository may have written it. */
export async function readBranch(gh: Client, at: Workplace): Promise<DataBranch> {
  const where = { owner: at.owner, repo: at.repo };
  let head: string;
  try {
    const { object } = read(Reference, (await gh.rest.git.getRef({ ...where, ref: `heads/${BRANCH}` })).data, `the branch ${BRANCH}`);
    head = object.sha;
  } catch (error) {
    if (statusOf(error) === 404) return NOTHING;
    throw error;
  }
  const { tree: { sha: tree } } = read(GitCommit, (await gh.rest.git.getCommit({ ...where, commit_sha: head })).data, `the newest commit of ${BRANCH}`);
  const listed = read(Tree, (await gh.rest.git.getTree({ ...where, tree_sha: tree, recursive: '1' })).data, `the files of ${BRANCH}`);
  if (listed.truncated) throw new Error(`${BRANCH} holds more files than GitHub lists at once (100,000): move what is no journal elsewhere`);
  const files = listed.tree.filter(({ type }) => type !== 'tree');
  const ours = files.filter(({ path, mode, type }) => type === 'blob' && mode === '100644' && (JOURNAL.test(path) || [STATE_FILE, ISSUES_FILE, README].includes(path)));
  const entries = ours.map(({ path, sha, size = 0 }) => ({ path, sha, size }));
  const journals = entries.filter(({ path }) => JOURNAL.test(path)).sort((a, b) => (a.path < b.path ? 1 : -1));
  const fitting = journals.filter(({ size }) => size <= MOST_BYTES);
  const entry = (name: string): Entry | null => entries.find(({ path, size }) => path === name && size <= MOST_BYTES) ?? null;
  return {
    head, tree,
    journals: fitting.slice(0, MOST_JOURNALS),
    state: entry(STATE_FILE),
    issues: entry(ISSUES_FILE),
    notes: [
      ...counted(files.length - ours.length, 'is no journal by name or kind', 'are no journals by name or kind'),
      ...counted(journals.length - fitting.length, `is larger than ${MOST_BYTES >> 20} MiB`, `are larger than ${MOST_BYTES >> 20} MiB`),
      ...counted(Math.max(0, fitting.length - MOST_JOURNALS), `is older than the newest ${MOST_JOURNALS}`, `are older than the newest ${MOST_JOURNALS}`),
    ],
  };
}

const counted = (files: number, one: string, more: string): string[] =>
  files === 0 ? [] : [`${files} file${files === 1 ? '' : 's'} on \`${BRANCH}\` ${files === 1 ? one : more}: left alone, not read.`];

/** The bytes of a file, or null when they are not what its name and git's own hash say. */
export async function fetchFile(gh: Client, at: Workplace, { path, sha, size }: Entry): Promise<Buffer | null> {
  const { content, encoding } = read(Blob, (await gh.rest.git.getBlob({ owner: at.owner, repo: at.repo, file_sha: sha })).data, `a file of ${BRANCH}`);
  if (encoding !== 'base64') return null;
  const bytes = Buffer.from(content, 'base64');
  const named = JOURNAL.exec(path)?.[2];
  const isWhole = bytes.length === size && blobHash(bytes) === sha;
  return isWhole && (named === undefined || createHash('sha256').update(bytes).digest('hex').startsWith(named)) ? bytes : null;
}

/** Git's own name for these bytes. */
export const blobHash = (bytes: Buffer): string => createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

/**
 * Whether this very commit is ours: written by our user, and signed by GitHub, which signs what an app makes by the API. A name alone can be
 * written into any commit.
 */
export async function isOurs(gh: Client, at: Workplace, commit: string, me: number): Promise<boolean> {
  const { data } = await gh.rest.repos.getCommit({ owner: at.owner, repo: at.repo, ref: commit, per_page: 1 });
  return isSigned(read(Written, data, `who wrote to ${BRANCH}`), me);
}

const isSigned = ({ author, commit }: Written, me: number): boolean => author?.id === me && commit.verification?.verified === true;

/** What happened to the branch since we left it at this commit, in sentences; none when nobody else touched it. */
export async function strangersSince(gh: Client, at: Workplace, left: string, now: string | null, me: number): Promise<string[]> {
  if (now === left) return [];
  const between = now === null ? null : await distance(gh, at, left, now);
  if (between?.status !== 'ahead') {
    return [`\`${BRANCH}\` was ${now === null ? 'deleted' : 'rewritten'} since the last run, which left it at \`${left.slice(0, 12)}\`: what is gone from it is gone from the trend, unless somebody pushes it again.`];
  }
  const others = between.commits.filter(commit => !isSigned(commit, me)).length;
  return others === 0 ? [] : [`${others} commit${others === 1 ? '' : 's'} on \`${BRANCH}\` since the last run ${others === 1 ? 'is' : 'are'} not of this workflow: [what came in](${at.serverUrl}/${at.owner}/${at.repo}/compare/${left}...${now!}). Journals that are whole count.`];
}

/** How `to` stands to `from`; null when one of them is gone. */
export async function distance(gh: Client, at: Workplace, from: string, to: string) {
  try {
    const { data } = await gh.rest.repos.compareCommitsWithBasehead({ owner: at.owner, repo: at.repo, basehead: `${from}...${to}`, per_page: 100 });
    return read(Distance, data, 'the distance of two commits');
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

export interface Appended {
  readonly head: string;
  readonly notes: readonly string[];
}

/**
 * Adds files in one commit, never by force: when somebody else was faster, it looks again and adds to what is there then. Blobs and trees
 * are named by their content, so whatever a broken run left is taken up or forgotten by git.
 */
export async function append(gh: Client, at: Workplace, files: ReadonlyMap<string, Buffer>): Promise<Appended> {
  const where = { owner: at.owner, repo: at.repo };
  const again = { request: { repeatable: true } as object };
  const fitting = [...files].filter(([, bytes]) => bytes.length <= MOST_WRITTEN);
  const notes = counted(files.size - fitting.length, `is larger than ${MOST_WRITTEN >> 20} MiB, which GitHub does not take`, `are larger than ${MOST_WRITTEN >> 20} MiB, which GitHub does not take`)
    .map(note => note.replace('left alone, not read', 'not kept beyond the files of this run').replace(' on ', ' for '));
  for (let tried = 1; ; tried++) {
    const branch = await readBranch(gh, at);
    const there = new Map([...branch.journals, branch.state, branch.issues].filter(entry => entry !== null).map(({ path, sha }) => [path, sha]));
    const missing = fitting.filter(([path, bytes]) => there.get(path) !== blobHash(bytes));
    if (branch.head !== null && missing.length === 0) return { head: branch.head, notes };
    const all: [string, Buffer][] = branch.head === null ? [[README, Buffer.from(ABOUT)], ...missing] : missing;
    const tree = [];
    for (const [path, bytes] of all) {
      const { data } = await gh.rest.git.createBlob({ ...where, content: bytes.toString('base64'), encoding: 'base64', ...again });
      tree.push({ path, mode: '100644' as const, type: 'blob' as const, sha: read(Object40, data, 'a new file').sha });
    }
    const made = read(Object40, (await gh.rest.git.createTree({ ...where, ...(branch.tree === null ? {} : { base_tree: branch.tree }), tree, ...again })).data, 'the new tree');
    const commit = read(Object40, (await gh.rest.git.createCommit({
      ...where, message: `Keep ${missing.length} file${missing.length === 1 ? '' : 's'} of run ${at.runId}`, tree: made.sha, parents: branch.head === null ? [] : [branch.head], ...again,
    })).data, 'the new commit');
    try {
      if (branch.head === null) await gh.rest.git.createRef({ ...where, ref: `refs/heads/${BRANCH}`, sha: commit.sha });
      else await gh.rest.git.updateRef({ ...where, ref: `heads/${BRANCH}`, sha: commit.sha, force: false });
      return { head: commit.sha, notes };
    } catch (error) {
      // 422: not a fast forward, or the branch is there now. Everything else is told as it is.
      if (statusOf(error) !== 422 || tried >= TRIES) throw error;
    }
  }
}
