import { runUrl } from '../process/environment.ts';
import { explain, say } from '../process/main.ts';
import { setCheck } from '../thread/check.ts';
import { updateComment, type OwnComment } from '../thread/comments.ts';
import { requestsAmong, unfinished } from '../thread/requests.ts';
import { stateLine } from '../thread/state.ts';
import type { Asked } from './asked.ts';

/**
 * A run that was cancelled by force, or whose publishing job never got a machine, leaves a comment that says "measuring" for ever. The next request on the pull request ends
 * it: our own comments alone, and only when GitHub says that their run is over. Nobody waits for that, so it may fail with a note.
 */
export async function endDead({ gh, at, thread, runs }: Asked, known: readonly OwnComment[]): Promise<void> {
  for (const { comment, state } of unfinished(requestsAmong(known))) {
    if (state.run === at.runId) continue;
    try {
      if ((await runs.of(state))?.isUnderWay !== false) continue;
      const url = runUrl({ ...at, runId: state.run }), told = `[Its run](${url}) is over and has said no more: it was stopped by force, or its last job never ran. Nothing of it is published.`;
      await updateComment(thread, comment, [stateLine({ ...state, stage: 'failed' }), '### perf-lab: ended without an answer', '', told].join('\n'));
      if ('request' in comment.marker) {
        await setCheck({ gh, at, head: state.head, request: comment.marker.request }, { status: 'completed', conclusion: 'neutral', title: 'ended without an answer', summary: told, url });
      }
    } catch (error) {
      say(`the comment ${comment.id} still says ${state.stage}, and its run is over: ${explain(error)}`);
    }
  }
}
