import type { Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import type { Thread } from '../thread/comments.ts';
import type { WorkflowRuns } from '../thread/runs.ts';
import type { LiveComment } from './comment.ts';
import type { CommentEvent } from './event.ts';

/** What the gate knows once the comment proved to be a command of somebody who may ask. */
export interface Asked {
  readonly gh: Client;
  readonly at: Workplace;
  readonly event: CommentEvent;
  readonly comment: LiveComment;
  readonly thread: Thread;
  readonly runs: WorkflowRuns;
  readonly now: number;
}
