import { isRunning } from './gate/runs.ts';
import { statusOf, type Client } from './github/client.ts';
import { clientFrom, integer, readWorkplace, type Environment } from './process/environment.ts';
import { main, say } from './process/main.ts';

/** Cancels the run that the gate found. Its own publishing job then says "cancelled" in its comment; ended already is fine. */
export async function cancel(gh: Client, env: Environment): Promise<number> {
  const at = readWorkplace(env);
  const run = integer(env, 'PERF_LAB_RUN_TO_CANCEL');
  if (run === at.runId || !await isRunning(gh, at, run)) {
    say(`run ${run} is not under way any more`);
    return 0;
  }
  try {
    await gh.rest.actions.cancelWorkflowRun({ owner: at.owner, repo: at.repo, run_id: run, request: { repeatable: true } as object });
  } catch (error) {
    if (statusOf(error) !== 409) throw error;    // it ended between the two calls
  }
  return 0;
}

main(import.meta.url, () => cancel(clientFrom(process.env, { log: say }), process.env));
