import { runUrl } from '../process/environment.ts';
import { explain, say } from '../process/main.ts';
import { updateComment, type OwnComment, type Thread } from '../thread/comments.ts';
import { stateLine, type State } from '../thread/state.ts';
import { Refusal } from '../request/refusal.ts';

const told = new Set<unknown>();
/** Whether the request's own comment says already that the gate failed. */
export const isTold = (error: unknown): boolean => told.has(error);

/**
 * What the gate does once its comment is posted. Nothing follows a gate that fails, so nothing would ever change "accepted": the comment is set to its end.
 * Run again, the same gate finds it and goes on. A refusal has its own answer. `state`: the end.
 */
export async function orEndOf<T>(thread: Thread, comment: OwnComment | null, state: State, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) && comment !== null) {
      const body = [
        stateLine(state), '### perf-lab: failed before anything was started', '',
        `Nothing was built or measured. [The log of the run](${runUrl(thread.at)}) says why. Re-run its failed job, or write the command again.`,
      ].join('\n');
      told.add(error);
      await updateComment(thread, comment, body).catch((second: unknown) => { say(`the comment may still say "accepted": ${explain(second)}`); });
    }
    throw error;
  }
}
