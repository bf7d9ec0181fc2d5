import { Comment, Comments, read } from '../github/answers.ts';
import { failureOf, statusOf, type Client } from '../github/client.ts';
import { pages } from '../github/pages.ts';
import type { Workplace } from '../process/environment.ts';
import { spoken } from '../request/first-word.ts';
import { markerLine, readMarker, type Marker } from './marker.ts';

/** A pull request's conversation as perf-lab sees it. */
export interface Thread {
  readonly gh: Client;
  readonly at: Workplace;
  readonly pullRequest: number;
  /** Our own user id. */
  readonly me: number;
}

export interface OwnComment {
  readonly id: number;
  readonly nodeId: string;
  readonly body: string;
  readonly marker: Marker;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

const MAX_PAGES = 300;

/** All comments with our user id and a marker of this pull request, oldest first. */
export async function ownComments({ gh, at, pullRequest, me }: Thread): Promise<OwnComment[]> {
  const own: OwnComment[] = [];
  const list = {
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments', parameters: { owner: at.owner, repo: at.repo, issue_number: pullRequest },
    rows: Comments, what: 'the comments of this pull request', mostPages: MAX_PAGES,
  };
  for await (const page of pages(gh, list)) own.push(...page.flatMap(comment => ownComment(comment, me)).filter(({ marker }) => marker.pullRequest === pullRequest));
  return own.sort((a, b) => a.id - b.id);
}

/** The comment when it has our user id and a marker; the marker must be one of its pull request, which is the caller's to see to. */
export function ownComment({ id, node_id, body, user, created_at }: Comment, me: number): OwnComment[] {
  const marker = user?.id === me ? readMarker(body ?? '') : null;
  return marker === null ? [] : [{ id, nodeId: node_id, body: body ?? '', marker, createdAt: Date.parse(created_at) }];
}

const isOf = (marker: Marker) => (comment: OwnComment): boolean => markerLine(comment.marker) === markerLine(marker);

/**
 * One comment per marker, however often this runs, in parallel, or with its answer lost: look, create, look again, keep the oldest.
 * A create that failed may have happened all the same, so it is judged by what is there afterwards and never sent twice.
 */
export async function postComment(thread: Thread, marker: Marker, body: string, known?: readonly OwnComment[]): Promise<OwnComment> {
  const text = `${markerLine(marker)}\n${spoken(body, thread.at.word)}`;
  const [existing] = (known ?? await ownComments(thread)).filter(isOf(marker));
  if (existing !== undefined) return await updateComment(thread, existing, body);
  const { gh, at, pullRequest } = thread;
  let failure: unknown = new Error('the comment was posted and is not there');
  try {
    await gh.rest.issues.createComment({ owner: at.owner, repo: at.repo, issue_number: pullRequest, body: text });
  } catch (error) {
    if (isFinal(statusOf(error))) throw error;
    failure = error;
  }
  const [first, ...extra] = (await ownComments(thread)).filter(isOf(marker));
  if (first === undefined) throw failure;
  for (const comment of extra) await deleteComment(thread, comment.id);
  return first;
}

/** Sets the text of one of our comments; nothing is sent when it already says so. */
export async function updateComment({ gh, at }: Thread, comment: OwnComment, body: string): Promise<OwnComment> {
  const text = `${markerLine(comment.marker)}\n${spoken(body, at.word)}`;
  if (comment.body !== text) await gh.rest.issues.updateComment({ owner: at.owner, repo: at.repo, comment_id: comment.id, body: text });
  return { ...comment, body: text };
}

/** The comment by its id, when it is still there, still ours, and still of that marker. */
export async function findComment({ gh, at, me }: Thread, id: number, wanted: Marker): Promise<OwnComment | null> {
  try {
    const { data } = await gh.rest.issues.getComment({ owner: at.owner, repo: at.repo, comment_id: id });
    return ownComment(read(Comment, data, 'our comment'), me).find(isOf(wanted)) ?? null;
  } catch (error) {
    if (isGone(statusOf(error))) return null;
    throw error;
  }
}

export async function deleteComment({ gh, at }: Thread, id: number): Promise<void> {
  await gh.rest.issues.deleteComment({ owner: at.owner, repo: at.repo, comment_id: id }).catch((error: unknown) => {
    if (!isGone(statusOf(error))) throw error;    // somebody else deleted it: as wanted
  });
}

/** Somebody locked the conversation: people who may write still can, and GITHUB_TOKEN can't (dotnet/runtime#75920 is one that is used so). */
export const isLocked = (error: unknown): boolean => statusOf(error) === 403 && /locked/i.test(failureOf(error).message);

/** Locked, or gone together with its pull request: nothing that a repetition would cure. */
export const isClosedForComments = (error: unknown): boolean => isGone(statusOf(error)) || isLocked(error);

const isGone = (status: number): boolean => status === 404 || status === 410;
const isFinal = (status: number): boolean => status >= 400 && status < 500;
