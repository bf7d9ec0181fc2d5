import type { KnownRequest } from '../thread/requests.ts';
import type { WorkflowRuns } from '../thread/runs.ts';
import type { CommentEvent } from './event.ts';
import { Refusal } from './refusal.ts';

const DAY = 86_400_000;

/**
 * Step 8, first half: how many requests of this person and of this pull request were accepted in the last 24 hours, counted from our own comments.
 * What was refused costs nothing, so strangers and typing mistakes can't use anybody's share up.
 */
export async function refuseTooMany(requests: readonly KnownRequest[], runs: WorkflowRuns, event: CommentEvent, perUserPerDay: number, now: number): Promise<void> {
  const counted = requests.filter(({ comment, state }) => comment.createdAt >= now - DAY && state.stage !== 'refused' && !isAbout(comment.marker, event.commentId));
  const ofUser = counted.filter(({ state }) => state.requester === event.userId);
  if (await areAtLeast(perUserPerDay, ofUser, runs)) {
    throw new Refusal('user-limit', `${perUserPerDay} of your requests were accepted in the last 24 hours, which is the limit of this lab (perf-lab.yaml, \`github.budget.per-user-per-day\`).`);
  }
  const perPull = perPullRequest(perUserPerDay);
  if (await areAtLeast(perPull, counted.filter(({ comment }) => comment.marker.pullRequest === event.pullRequest), runs)) {
    throw new Refusal('pull-request-limit', `${perPull} requests for this pull request were accepted in the last 24 hours, which is the limit of this lab: twice that of a person.`);
  }
}

export const perPullRequest = (perUserPerDay: number): number => 2 * perUserPerDay;

const isAbout = (marker: KnownRequest['comment']['marker'], comment: number): boolean => 'request' in marker && marker.request === comment;

// Whether this workflow wrote them is asked only when the answer counts: it is a call for each.
async function areAtLeast(limit: number, claimed: readonly KnownRequest[], runs: WorkflowRuns): Promise<boolean> {
  if (claimed.length < limit) return false;
  let believed = 0;
  for (const { state } of claimed) {
    if (believed >= limit) break;
    if (await runs.of(state) !== null) believed++;
  }
  return believed >= limit;
}
