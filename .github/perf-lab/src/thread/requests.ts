import { Comments } from '../github/answers.ts';
import { pages } from '../github/pages.ts';
import { ownComment, type OwnComment, type Thread } from './comments.ts';
import type { WorkflowRuns } from './runs.ts';
import { isEnd, readState, type State } from './state.ts';

/** A comment of ours about one request. What it says is believed once `WorkflowRuns` has found its run. */
export interface KnownRequest {
  readonly comment: OwnComment;
  readonly state: State;
}

/** Those among our comments that are about a request, newest first. */
export function requestsAmong(comments: readonly OwnComment[]): KnownRequest[] {
  return comments.filter(({ marker }) => 'request' in marker).toReversed()
    .flatMap(comment => { const state = readState(comment.body); return state === null ? [] : [{ comment, state }]; });
}

export const unfinished = (requests: readonly KnownRequest[]): KnownRequest[] => requests.filter(({ state }) => !isEnd(state.stage));

/** The newest request of a pull request that this workflow wrote, whatever came of it. */
export async function newestOf(requests: readonly KnownRequest[], runs: WorkflowRuns): Promise<KnownRequest | null> {
  for (const request of requests) if (await runs.of(request.state) !== null) return request;
  return null;
}

// A hundred requests in line, each of an hour: more than four days.
const DAYS = 5;
const MOST_PAGES = 10;

/** Requests of the whole repository that something was said about lately. */
export async function recentRequests({ gh, at, me }: Omit<Thread, 'pullRequest'>, now: number): Promise<KnownRequest[]> {
  const found: OwnComment[] = [];
  let read = 0;
  const list = {
    route: 'GET /repos/{owner}/{repo}/issues/comments',
    parameters: { owner: at.owner, repo: at.repo, since: new Date(now - DAYS * 86_400_000).toISOString(), sort: 'updated', direction: 'desc' },
    rows: Comments, what: 'the comments of this repository', mostPages: MOST_PAGES + 1,
  };
  for await (const page of pages(gh, list)) {
    for (const comment of page) found.push(...ownComment(comment, me).filter(({ marker }) => comment.issue_url.endsWith(`/issues/${marker.pullRequest}`)));
    if (++read >= MOST_PAGES) break;    // a thousand comments: enough to count by
  }
  return requestsAmong(found.sort((a, b) => a.id - b.id));
}

/** How many requests hold this machine or wait for it; null when this token may not look at runs. Comments of other workflows and of dead runs don't count. */
export async function requestsInLine(requests: readonly KnownRequest[], machine: string, runs: WorkflowRuns, own: number): Promise<number | null> {
  const underWay = await runs.underWay();
  if (underWay === null) return null;
  const holds = ({ state }: KnownRequest): boolean => state.machine === machine && (state.stage === 'waiting' || state.stage === 'measuring');
  return new Set(requests.filter(one => holds(one) && one.state.run !== own && underWay.has(one.state.run)).map(({ state }) => state.run)).size;
}
