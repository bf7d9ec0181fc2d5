import { createHash } from 'node:crypto';
import { notFound, ok, route, type Route } from './answers.ts';
import type { Answer } from './server.ts';
import { BOT, type State } from './state.ts';

// Limits and answers: docs.github.com, "REST API endpoints for Git database" (100,000 entries or 7 MB in a recursive tree); 40 MiB for a new blob as measured by
// tom_core_storage (pub.dev, maxBlobBytes); the messages of 422 as quoted in philschatz/octokit.js#21 and usk6666/yorishiro-proxy#82.
const MOST_BLOB = 41_820_160, MOST_ENTRIES = 100_000;

const invalid = (message: string): Answer => ({ status: 422, json: { message } });
const hash = (kind: string, bytes: Buffer): string => createHash('sha1').update(`${kind} ${bytes.length}\0`).update(bytes).digest('hex');

export function putBlob(s: State, bytes: Buffer): string {
  const sha = hash('blob', bytes);
  s.git.blobs.set(sha, bytes);
  return sha;
}

/** A commit on a branch, made by anybody: a person's push, or a force-push when `parent` is null. */
export function pushCommit(s: State, branch: string, files: ReadonlyMap<string, { sha: string; mode: string }>, { parent, author = 43 as number | null, verified = false }: { parent: string | null; author?: number | null; verified?: boolean }): string {
  const tree = hash('tree', Buffer.from(JSON.stringify([...files])));
  s.git.trees.set(tree, new Map(files));
  const sha = hash('commit', Buffer.from(JSON.stringify([tree, parent, author, s.git.commits.size])));
  s.git.commits.set(sha, { tree, parents: parent === null ? [] : [parent], author, verified });
  s.git.refs.set(`heads/${branch}`, sha);
  return sha;
}

function ancestors(s: State, sha: string): string[] {
  const all: string[] = [];
  for (let at: string | undefined = sha; at !== undefined; at = s.git.commits.get(at)?.parents[0]) all.push(at);
  return all;
}

/** What the comparison says of two commits of the default branch, or of the data branch; null: neither. */
export function statusBetween(s: State, range: string): object | null {
  const [from = '', to = ''] = range.split('...');
  const answer = (status: string, commits: object[]): object => ({ status, ahead_by: commits.length, behind_by: 0, total_commits: commits.length, commits, files: [], merge_base_commit: { sha: from } });
  const [a, b] = [s.history.indexOf(from), s.history.indexOf(to)];
  if (a >= 0 && b >= 0) return answer(a < b ? 'ahead' : a > b ? 'behind' : 'identical', []);
  if (!s.git.commits.has(from) || !s.git.commits.has(to)) return null;
  const way = ancestors(s, to), found = way.indexOf(from);
  return found < 0 ? answer('diverged', []) : answer(found === 0 ? 'identical' : 'ahead', way.slice(0, found).reverse().map(sha => shownCommit(s, sha)!));
}

export function shownCommit(s: State, ref: string): object | null {
  const sha = s.git.commits.has(ref) ? ref : s.history.filter(known => known.startsWith(ref)).length === 1 ? s.history.find(known => known.startsWith(ref))! : null;
  if (sha === null) return null;
  const { author = null, verified = false } = s.git.commits.get(sha) ?? {};
  return { sha, author: author === null ? null : { id: author, login: author === BOT.id ? BOT.login : 'somebody' }, commit: { verification: { verified, reason: verified ? 'valid' : 'unsigned' } } };
}

/** The git database: content has its own hash, branches only move forward. */
export const gitRoutes: readonly Route[] = [
  route('GET', 'REPO/git/ref/:w', (s, _, [name]) => {
    const ref = decodeURIComponent(name!), sha = s.git.refs.get(ref);
    return sha === undefined ? notFound() : ok({ ref: `refs/${ref}`, object: { type: 'commit', sha } });
  }),
  route('GET', 'REPO/git/commits/:w', (s, _, [sha]) => { const found = s.git.commits.get(sha!); return found ? ok({ sha, tree: { sha: found.tree }, parents: found.parents.map(parent => ({ sha: parent })) }) : notFound(); }),
  route('GET', 'REPO/git/trees/:w', (s, _, [sha]) => {
    const found = s.git.trees.get(sha!);
    if (!found) return notFound();
    const all = [...found].map(([path, { sha: file, mode }]) => ({ path, mode, type: mode === '160000' ? 'commit' : 'blob', sha: file, size: s.git.blobs.get(file)?.length ?? Number(mode === '100644' ? 2 ** 31 : 0) }));
    return ok({ sha, truncated: all.length > MOST_ENTRIES, tree: all.slice(0, MOST_ENTRIES) });
  }),
  route('GET', 'REPO/git/blobs/:w', (s, _, [sha]) => {
    const bytes = s.git.blobs.get(sha!);
    return bytes ? ok({ sha, size: bytes.length, encoding: 'base64', content: bytes.toString('base64').replace(/.{60}/g, '$&\n') }) : { status: 403, json: { message: 'This API returns blobs up to 100 MB in size.' } };
  }),
  route('POST', 'REPO/git/blobs', (s, { body }) => {
    const bytes = Buffer.from(body.content, body.encoding === 'base64' ? 'base64' : 'utf8');
    return bytes.length > MOST_BLOB ? invalid('Sorry, your input was too large to process. Consider creating the blob in a local clone of the repository and then pushing it to GitHub.') : ok({ sha: putBlob(s, bytes) }, 201);
  }),
  route('POST', 'REPO/git/trees', (s, { body }) => {
    const base = body.base_tree === undefined ? new Map<string, { sha: string; mode: string }>() : s.git.trees.get(body.base_tree);
    if (base === undefined) return invalid('base_tree is not a valid tree oid');
    const tree = new Map(base);
    for (const { path, mode, sha } of body.tree) {
      if (/(^|\/)\.{0,2}(\/|$)|^\//.test(path) || /(^|\/)\.git(\/|$)/i.test(path)) return invalid('tree.path contains a malformed path component');
      if (!s.git.blobs.has(sha)) return invalid(`tree.sha ${sha} is not a valid blob`);
      tree.set(path, { sha, mode });
    }
    const name = hash('tree', Buffer.from(JSON.stringify([...tree])));
    s.git.trees.set(name, tree);
    return ok({ sha: name, truncated: false, tree: [] }, 201);
  }),
  route('POST', 'REPO/git/commits', (s, { body }) => {
    if (!s.git.trees.has(body.tree)) return invalid('Tree SHA does not exist');
    if (body.parents.some((parent: string) => !s.git.commits.has(parent))) return invalid('Parent SHA does not exist or is not a commit object');
    const sha = hash('commit', Buffer.from(JSON.stringify([body, s.git.commits.size])));
    s.git.commits.set(sha, { tree: body.tree, parents: body.parents, author: BOT.id, verified: true });
    return ok({ sha, tree: { sha: body.tree }, message: body.message }, 201);
  }),
  route('POST', 'REPO/git/refs', (s, { body }) => {
    if (!/^refs\/[^/]+\/.+/.test(body.ref)) return invalid('Reference name must start with \'refs/\' and have at least two slashes.');
    if (!s.git.commits.has(body.sha)) return invalid('Object does not exist');
    const name = body.ref.slice('refs/'.length);
    if (s.git.refs.has(name)) return invalid('Reference already exists');
    s.git.refs.set(name, body.sha);
    return ok({ ref: body.ref, object: { type: 'commit', sha: body.sha } }, 201);
  }),
  route('PATCH', 'REPO/git/refs/:w', (s, { body }, [name]) => {
    const ref = decodeURIComponent(name!), now = s.git.refs.get(ref);
    if (now === undefined) return invalid('Reference does not exist');
    if (!s.git.commits.has(body.sha)) return invalid('Object does not exist');
    if (body.force !== true && !ancestors(s, body.sha).includes(now)) return invalid('Update is not a fast forward');
    s.git.refs.set(ref, body.sha);
    return ok({ ref: `refs/${ref}`, object: { type: 'commit', sha: body.sha } });
  }),
];
