import type { BenchmarkRequest } from '../request/request.ts';
import { commandLine } from '../request/words.ts';
import { progressBody } from '../thread/bodies.ts';
import { setCheck } from '../thread/check.ts';
import { ownComments, postComment, type OwnComment } from '../thread/comments.ts';
import { runUrl } from '../process/environment.ts';
import type { Asked } from './asked.ts';
import type { Chosen } from './names.ts';
import { Refusal } from './refusal.ts';
import { isRunning, queueLength, unfinished } from './runs.ts';

export interface Accepted {
  readonly request: BenchmarkRequest;
  readonly statusComment: number;
  readonly checkRun: number;
}

/** Step 9: the request, the comment that will live, and the check. The same request a second time is led to the first. */
export async function accept(asked: Asked, chosen: Chosen, commits: { base: string; head: string }): Promise<Accepted> {
  const { gh, at, event, thread, now } = asked;
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
  await refuseSecond(asked, request, known);
  const ahead = await queueLength(gh, at);
  const notes = ahead === null ? [] : [ahead === 0 ? 'queue: nothing is before it' : `queue: ${ahead} before it`];
  const body = progressBody('accepted', { request, at, machine: chosen.machine, now, notes });
  const comment = await postComment(thread, { pullRequest: event.pullRequest, request: event.commentId }, body, known);
  const checkRun = await setCheck({ gh, at, head: request.head, request: event.commentId },
    { status: 'queued', title: 'accepted', summary: `Asked for by ${commentUrl(asked)}.`, url: runUrl(at) });
  return { request, statusComment: comment.id, checkRun };
}

async function refuseSecond(asked: Asked, request: BenchmarkRequest, known: readonly OwnComment[]): Promise<void> {
  const { gh, at } = asked;
  for (const { state, comment } of unfinished(known, at.runId)) {
    const isSame = state.head === request.head && state.base === request.base && state.command === commandLine(request.words);
    if (isSame && await isRunning(gh, at, state.run)) {
      throw new Refusal('already-running', `The same request is already under way: see [its comment](${commentUrl(asked, comment.id)}).`);
    }
  }
}

const commentUrl = ({ at, event }: Asked, id = event.commentId): string => `${at.serverUrl}/${at.owner}/${at.repo}/pull/${event.pullRequest}#issuecomment-${id}`;
