import { read, Successes, WorkflowOf } from '../github/answers.ts';
import { isRefusedByGitHub, statusOf, type Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';

/** The caller's file, by the name that the documentation gives it. */
const FILE = 'trend.yml';
/** docs.github.com, "Get a workflow": the states beside `active`. */
const WHY: Readonly<Record<string, string>> = {
  disabled_inactivity: ' GitHub has switched it off: a schedule ends after 60 days without a commit.',
  disabled_manually: ' Somebody has switched it off (Actions, trend, Enable workflow).',
  disabled_fork: ' It is switched off, as all are in a new fork (Actions, Enable workflow).',
};

const MOST_DAYS = 10;
const DAY = 86_400_000;

/**
 * A sentence when the weekly trend of this repository has not succeeded for ten days: nobody looks at a schedule that stopped. Null when all is well,
 * when there is no weekly trend, and when this token may not ask: a warning is worth no failed request.
 */
export async function staleTrend(gh: Client, { owner, repo }: Workplace, now: number): Promise<string | null> {
  try {
    const workflow = { owner, repo, workflow_id: FILE };
    const { state, created_at } = read(WorkflowOf, (await gh.rest.actions.getWorkflow(workflow)).data, 'the weekly trend');
    if (state === 'deleted') return null;    // GitHub remembers a file that was taken away
    const [last] = read(Successes, (await gh.rest.actions.listWorkflowRuns({ ...workflow, status: 'success', per_page: 1 })).data, 'the runs of the weekly trend');
    const days = Math.floor((now - Date.parse(last?.created_at ?? created_at)) / DAY);
    if (days < MOST_DAYS) return null;
    const why = WHY[state] ?? (state === 'active' ? '' : ` GitHub calls its state \`${/^[a-z_]{1,40}$/.test(state) ? state : 'unknown'}\`.`);
    return last === undefined ? `the weekly trend has not succeeded once in ${days} days.${why}` : `the weekly trend last succeeded ${days} days ago.${why}`;
  } catch (error) {
    if (isRefusedByGitHub(statusOf(error))) return null;
    throw error;
  }
}
