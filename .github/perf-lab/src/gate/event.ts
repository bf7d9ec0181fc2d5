import * as z from 'zod';
import { parseFormat, readText } from '../text/file.ts';

const MAX_BYTES = 8 << 20;
const Id = z.int().min(1);

const IssueComment = z.object({
  action: z.string(),
  issue: z.object({ number: Id, pull_request: z.object({}).optional() }),
  comment: z.object({ id: Id, body: z.string().max(1 << 17), created_at: z.iso.datetime(), user: z.object({ id: Id, login: z.string(), type: z.string() }) }),
});

/** The comment as the event told it. Nothing here is believed further than "there may be a command". */
export interface CommentEvent {
  readonly pullRequest: number;
  readonly commentId: number;
  readonly body: string;
  readonly userId: number;
}

/** Step 1 of the gate as far as it needs no call. Returns why not, in a word, when the event is none of ours: then nothing is answered. */
export function readEvent(path: string, name: string | undefined, botId: number): CommentEvent | { ignored: string } {
  if (name !== 'issue_comment') return { ignored: 'the event is not issue_comment' };
  const { action, issue, comment } = parseFormat(IssueComment, readText(path, 'the event file', MAX_BYTES), 'the event file');
  if (action !== 'created') return { ignored: 'only new comments count: an edited one is a new, unreviewed instruction' };
  if (issue.pull_request === undefined) return { ignored: 'an issue, not a pull request' };
  if (comment.user.type !== 'User' || comment.user.id === botId) return { ignored: 'written by a bot' };
  return { pullRequest: issue.number, commentId: comment.id, body: comment.body, userId: comment.user.id };
}
