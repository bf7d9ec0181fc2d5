import { read, Run } from './github/answers.ts';
import { statusOf, type Client } from './github/client.ts';
import { clientFrom, integer, readWorkplace, type Environment } from './process/environment.ts';
import { main, say } from './process/main.ts';

/** Cancels the run that the gate found. Its own publishing job then says "cancelled" in its comment; ended already is fine. */
export async function cancel(gh: Client, env: Environment): Promise<number> {
  const { owner, repo, runId } = readWorkplace(env);
  const run = { owner, repo, run_id: integer(env, 'PERF_LAB_RUN_TO_CANCEL') };
  try {
    const { event, status } = read(Run, (await gh.rest.actions.getWorkflowRun(run)).data, 'the run to cancel');
    if (run.run_id === runId || event !== 'issue_comment' || status === 'completed') {
      say(`run ${run.run_id} is not under way any more`);
      return 0;
    }
    await gh.rest.actions.cancelWorkflowRun({ ...run, request: { repeatable: true } as object });
  } catch (error) {
    if (statusOf(error) !== 409 && statusOf(error) !== 404) throw error;    // it ended between the two calls, or was deleted
  }
  return 0;
}

main(import.meta.url, () => cancel(clientFrom(process.env, { log: say }), process.env));
