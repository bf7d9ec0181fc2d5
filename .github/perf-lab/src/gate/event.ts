import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';

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
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new Error(`the event file has ${size} bytes, more than ${MAX_BYTES}: refused unread`);
  const parsed = IssueComment.safeParse(parse(path));
  if (!parsed.success) throw new Error(`the event file is not an issue_comment event: ${parsed.error.issues[0]?.path.join('.') || 'the whole'}: ${parsed.error.issues[0]?.message}`);
  const { action, issue, comment } = parsed.data;
  if (action !== 'created') return { ignored: 'only new comments count: an edited one is a new, unreviewed instruction' };
  if (issue.pull_request === undefined) return { ignored: 'an issue, not a pull request' };
  if (comment.user.type !== 'User' || comment.user.id === botId) return { ignored: 'written by a bot' };
  return { pullRequest: issue.number, commentId: comment.id, body: comment.body, userId: comment.user.id };
}

function parse(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`the event file (${text.length} characters) is not JSON: it was cut off, or is another file`, { cause: error });
  }
}
