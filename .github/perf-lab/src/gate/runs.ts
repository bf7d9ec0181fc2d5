import { statusOf, type Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import type { OwnComment } from '../thread/comments.ts';
import { isEnd, readState, type State } from '../thread/state.ts';

export interface ActiveRequest {
  readonly comment: OwnComment;
  readonly state: State;
}

/** Requests of this pull request that say they are under way, newest first. Their runs may have died: ask `isRunning`. */
export function unfinished(comments: readonly OwnComment[], exceptRun: number): ActiveRequest[] {
  return withState(comments).filter(({ state }) => !isEnd(state.stage) && state.run !== exceptRun);
}

/** All requests of this pull request, newest first. */
export function withState(comments: readonly OwnComment[]): ActiveRequest[] {
  return comments.filter(({ marker }) => 'request' in marker).toReversed()
    .flatMap(comment => { const state = readState(comment.body); return state === null ? [] : [{ comment, state }]; });
}

/** Whether that run still goes on. The number comes from a comment that maintainers can edit, so only runs started by a comment count. */
export async function isRunning(gh: Client, at: Workplace, run: number): Promise<boolean> {
  try {
    const { data } = await gh.rest.actions.getWorkflowRun({ owner: at.owner, repo: at.repo, run_id: run });
    return data.event === 'issue_comment' && data.status !== 'completed';
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw error;
  }
}

/** How many requests of the repository wait or run before this one; null when this token may not look. */
export async function queueLength(gh: Client, at: Workplace): Promise<number | null> {
  try {
    const own = await gh.rest.actions.getWorkflowRun({ owner: at.owner, repo: at.repo, run_id: at.runId });
    const { data } = await gh.rest.actions.listWorkflowRuns({ owner: at.owner, repo: at.repo, workflow_id: Number(own.data.workflow_id), event: 'issue_comment', per_page: 100 });
    return data.workflow_runs.filter(run => run.status !== 'completed' && Number(run.id) < at.runId).length;
  } catch (error) {
    if (statusOf(error) === 403 || statusOf(error) === 404) return null;
    throw error;
  }
}
