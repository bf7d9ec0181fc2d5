import type { BenchmarkRequest } from '../request/request.ts';
import { COMMAND } from '../request/first-word.ts';
import { commandLine } from '../request/words.ts';
import { progressBody, stateOf } from '../thread/bodies.ts';
import { setCheck } from '../thread/check.ts';
import { deleteComment, isLocked, ownComments, postComment, type OwnComment } from '../thread/comments.ts';
import { linkToComment } from '../thread/links.ts';
import { recentRequests, requestsAmong, requestsInLine, unfinished, type KnownRequest } from '../thread/requests.ts';
import { runUrl } from '../process/environment.ts';
import { say } from '../process/main.ts';
import type { Asked } from './asked.ts';
import type { Chosen } from '../request/names.ts';
import { endDead } from './dead.ts';
import { orEndOf } from './fallen.ts';
import { refuseTooMany } from './limits.ts';
import { Refusal } from '../request/refusal.ts';

export interface Accepted {
  readonly request: BenchmarkRequest;
  /** Null: the conversation is locked, so the check tells all. */
  readonly statusComment: number | null;
  readonly checkRun: number;
}

export interface Accepting {
  readonly chosen: Chosen;
  readonly snippet: BenchmarkRequest['snippet'];
  readonly commits: { readonly base: string; readonly head: string };
  readonly recent: readonly KnownRequest[];
  readonly perUserPerDay: number;
}

/** Step 9: the request, the comment that will live, and the check. The same request a second time is led to the first. */
export async function accept(asked: Asked, { chosen, snippet, commits, recent, perUserPerDay }: Accepting): Promise<Accepted> {
  const { gh, at, event, thread, now, runs } = asked;
  const { machine } = chosen;
  const request: BenchmarkRequest = {
    schema: 'perf-lab/request/1',
    repository: `${at.owner}/${at.repo}`,
    pullRequest: event.pullRequest,
    commentId: event.commentId,
    requesterId: event.userId,
    ...commits,
    word: at.word ?? COMMAND,
    words: chosen.words as BenchmarkRequest['words'],
    snippet,
  };
  const known = await ownComments(thread);
  await endDead(asked, known);
  await refuseSecond(asked, request, requestsAmong(known), null);
  const notes = chosen.kind === 'hosted' ? [] : inLine(await requestsInLine(recent, machine, runs, at.runId), machine);    // of GitHub's own machines there are many
  const comment = await post(asked, progressBody('accepted', { request, at, machine, now, notes }), known);
  const checkRun = await orEndOf(thread, comment, stateOf('failed', { request, at, machine }), async () => {
    if (comment !== null) await giveWay(asked, request, comment, perUserPerDay);
    return await setCheck({ gh, at, head: request.head, request: event.commentId }, {
      status: 'queued', title: 'accepted', url: runUrl(at),
      summary: `Asked for by ${linkToComment(at, event.pullRequest, event.commentId)}.${comment === null ? ' The conversation is locked, so this check and the summary of the run tell what comes of it.' : ''}`,
    });
  });
  return { request, statusComment: comment?.id ?? null, checkRun };
}

/** Null: the conversation is locked. An earlier attempt of this very gate may have answered that it failed: that is over. */
async function post({ thread, event }: Asked, body: string, known: readonly OwnComment[]): Promise<OwnComment | null> {
  try {
    const posted = await postComment(thread, { pullRequest: event.pullRequest, request: event.commentId }, body, known);
    for (const { id, marker } of known) if ('replyTo' in marker && marker.comment === event.commentId) await deleteComment(thread, id);
    return posted;
  } catch (error) {
    if (!isLocked(error)) throw error;
    say('the conversation is locked: the check and the summary of the run tell what comes of this request');
    return null;
  }
}

/** Looked at once more now that our comment is there, because other gates may have looked in the same moment. Who gives way takes it back. */
async function giveWay(asked: Asked, request: BenchmarkRequest, comment: OwnComment, perUserPerDay: number): Promise<void> {
  const { thread, now } = asked;
  try {
    const recent = await recentRequests(thread, now);
    await refuseSecond(asked, request, recent.filter(one => one.comment.marker.pullRequest === thread.pullRequest), comment);
    await refuseTooMany(asked, recent, perUserPerDay, comment);
  } catch (error) {
    if (error instanceof Refusal) await deleteComment(thread, comment.id);
    throw error;
  }
}

/** Sentences, none when nobody may say how many. */
export function inLine(requests: number | null, machine: string): string[] {
  if (requests === null) return [];
  return [requests === 0 ? `nobody holds \`${machine}\` or waits for it` : `${requests} request${requests === 1 ? '' : 's'} before this one ${requests === 1 ? 'holds' : 'hold'} \`${machine}\` or wait${requests === 1 ? 's' : ''} for it`];
}

// Asked before our comment is written, and again when it is there: of two gates that run at once, the one whose comment came later gives way.
async function refuseSecond(asked: Asked, request: BenchmarkRequest, known: readonly KnownRequest[], own: OwnComment | null): Promise<void> {
  const { at, event, runs } = asked;
  for (const { state, comment } of unfinished(known)) {
    if (state.run === at.runId || comment.id === own?.id || (own !== null && comment.id > own.id)) continue;
    const { snippet } = stateOf('accepted', { request, at, machine: state.machine });
    const isSame = state.head === request.head && state.base === request.base && state.command === commandLine(request.words) && state.snippet?.digest === snippet?.digest;
    if (!isSame || (await runs.of(state))?.isUnderWay !== true) continue;
    throw new Refusal('already-running', `The same request is already under way: see [its comment](${linkToComment(at, event.pullRequest, comment.id)}).`);
  }
}
