import { Comment, read } from '../github/answers.ts';
import { statusOf, type Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import type { CommentEvent } from './event.ts';
import { Refusal } from '../request/refusal.ts';

export interface LiveComment {
  readonly createdAt: number;
  readonly userId: number;
  readonly login: string;
}

/** Step 2: the comment is still there, was never edited, and is the one of the event. */
export async function rereadComment(gh: Client, at: Workplace, event: CommentEvent): Promise<LiveComment> {
  const answer = await gh.rest.issues.getComment({ owner: at.owner, repo: at.repo, comment_id: event.commentId }).catch((error: unknown) => {
    if (statusOf(error) === 404 || statusOf(error) === 410) throw new Refusal('comment-gone', 'The comment with the command was deleted, so nothing was started.');
    throw error;
  });
  const data = read(Comment, answer.data, 'the comment');
  if (data.updated_at !== data.created_at) throw new Refusal('comment-edited', 'The comment was edited. Only a new comment counts: write the command again.');
  if (data.body !== event.body || data.user?.id !== event.userId || !data.issue_url.endsWith(`/issues/${event.pullRequest}`)) throw new Refusal('comment-differs', 'The comment is not the one that started this run. Write the command again.');
  return { createdAt: Date.parse(data.created_at), userId: event.userId, login: data.user.login };
}
