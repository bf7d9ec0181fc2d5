import type { OwnComment } from '../thread/comments.ts';
import type { KnownRequest } from '../thread/requests.ts';
import type { WorkflowRuns } from '../thread/runs.ts';
import type { Asked } from './asked.ts';
import { Refusal } from '../request/refusal.ts';

const DAY = 86_400_000;

/**
 * Step 8, first half: how many requests of this person and of this pull request were accepted in the last 24 hours, counted from our own comments; each time that one
 * was run again counts, too. What was refused costs nothing, so strangers and typing mistakes can't use anybody's share up. `own`: our comment, once it is there;
 * of gates that run at once, those whose comments came first are counted, so that any number of them together accept no more than the limit.
 */
export async function refuseTooMany({ at, runs, event, now }: Asked, requests: readonly KnownRequest[], perUserPerDay: number, own: OwnComment | null): Promise<void> {
  const counted = requests.filter(({ comment, state }) => comment.createdAt >= now - DAY && state.stage !== 'refused' && !isAbout(comment.marker, event.commentId) && (own === null || comment.id < own.id));
  const again = at.runAttempt - 1;    // this request's own earlier attempts
  const ofUser = counted.filter(({ state }) => state.requester === event.userId);
  if (await areAtLeast(perUserPerDay - again, ofUser, runs)) {
    throw new Refusal('user-limit', `${perUserPerDay} of your requests were accepted in the last 24 hours, those that were run again among them, which is the limit of this lab (perf-lab.yaml, \`github.budget.per-user-per-day\`). Each counts for 24 hours: ask again when the oldest is a day old, or let somebody else ask.`);
  }
  const perPull = perPullRequest(perUserPerDay);
  if (await areAtLeast(perPull - again, counted.filter(({ comment }) => comment.marker.pullRequest === event.pullRequest), runs)) {
    throw new Refusal('pull-request-limit', `${perPull} requests for this pull request were accepted in the last 24 hours, which is the limit of this lab: twice that of a person. Ask again when the oldest is a day old.`);
  }
}

export const perPullRequest = (perUserPerDay: number): number => 2 * perUserPerDay;

const isAbout = (marker: KnownRequest['comment']['marker'], comment: number): boolean => 'request' in marker && marker.request === comment;

// Whether this workflow wrote them, and how often each was run, is asked only when the answer counts: it is a call for each.
async function areAtLeast(limit: number, claimed: readonly KnownRequest[], runs: WorkflowRuns): Promise<boolean> {
  if (claimed.reduce((sum, { state }) => sum + Math.max(1, state.attempt), 0) < limit) return false;
  let believed = 0;
  for (const { state } of claimed) {
    if (believed >= limit) break;
    believed += (await runs.of(state))?.attempts ?? 0;
  }
  return believed >= limit;
}
