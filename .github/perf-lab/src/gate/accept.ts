import type { BenchmarkRequest } from '../request/request.ts';
import { commandLine } from '../request/words.ts';
import { progressBody, stateOf } from '../thread/bodies.ts';
import { setCheck } from '../thread/check.ts';
import { deleteComment, ownComments, postComment, type OwnComment } from '../thread/comments.ts';
import { linkToComment } from '../thread/links.ts';
import { requestsAmong, requestsInLine, unfinished, type KnownRequest } from '../thread/requests.ts';
import { runUrl } from '../process/environment.ts';
import type { Asked } from './asked.ts';
import type { Chosen } from './names.ts';
import { orEndOf } from './fallen.ts';
import { Refusal } from './refusal.ts';

export interface Accepted {
  readonly request: BenchmarkRequest;
  readonly statusComment: number;
  readonly checkRun: number;
}

/** Step 9: the request, the comment that will live, and the check. The same request a second time is led to the first. */
export async function accept(asked: Asked, chosen: Chosen, commits: { base: string; head: string }, recent: readonly KnownRequest[]): Promise<Accepted> {
  const { gh, at, event, thread, now, runs } = asked;
  const { machine } = chosen;
  const request: BenchmarkRequest = {
    schema: 'perf-lab/request/1',
    repository: `${at.owner}/${at.repo}`,
    pullRequest: event.pullRequest,
    commentId: event.commentId,
    requesterId: event.userId,
    ...commits,
    words: chosen.words as BenchmarkRequest['words'],
  };
  const known = await ownComments(thread);
  await refuseSecond(asked, request, known, null);
  const body = progressBody('accepted', { request, at, machine, now, notes: inLine(await requestsInLine(recent, machine, runs, at.runId), machine) });
  const comment = await postComment(thread, { pullRequest: event.pullRequest, request: event.commentId }, body, known);
  const checkRun = await orEndOf(thread, comment, stateOf('failed', { request, at, machine }), async () => {
    await refuseSecond(asked, request, await ownComments(thread), comment);
    return await setCheck({ gh, at, head: request.head, request: event.commentId },
      { status: 'queued', title: 'accepted', summary: `Asked for by ${linkToComment(at, event.pullRequest, event.commentId)}.`, url: runUrl(at) });
  });
  return { request, statusComment: comment.id, checkRun };
}

/** Sentences, none when nobody may say how many. */
export function inLine(requests: number | null, machine: string): string[] {
  if (requests === null) return [];
  return [requests === 0 ? `nobody holds \`${machine}\` or waits for it` : `${requests} request${requests === 1 ? '' : 's'} before this one ${requests === 1 ? 'holds' : 'hold'} \`${machine}\` or wait${requests === 1 ? 's' : ''} for it`];
}

// Asked before our comment is written, and again when it is there: of two gates that run at once, the one whose comment came later gives way.
async function refuseSecond(asked: Asked, request: BenchmarkRequest, known: readonly OwnComment[], own: OwnComment | null): Promise<void> {
  const { at, event, thread, runs } = asked;
  for (const { state, comment } of unfinished(requestsAmong(known))) {
    if (state.run === at.runId || comment.id === own?.id || (own !== null && comment.id > own.id)) continue;
    const isSame = state.head === request.head && state.base === request.base && state.command === commandLine(request.words);
    if (!isSame || (await runs.of(state))?.isUnderWay !== true) continue;
    if (own !== null) await deleteComment(thread, own.id);
    throw new Refusal('already-running', `The same request is already under way: see [its comment](${linkToComment(at, event.pullRequest, comment.id)}).`);
  }
}
