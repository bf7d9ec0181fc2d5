import { Comment, read } from '../github/answers.ts';
import { statusOf, type Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import type { BenchmarkRequest } from '../request/request.ts';

/**
 * What the requester is called today: `@login`, or null when the command is gone or somebody else has that name now. It goes into the last word
 * only, because GitHub notifies nobody of an edit, but everybody whom an edit mentions for the first time.
 */
export async function requesterOf(gh: Client, at: Workplace, request: BenchmarkRequest): Promise<string | null> {
  try {
    const { data } = await gh.rest.issues.getComment({ owner: at.owner, repo: at.repo, comment_id: request.commentId });
    const { user } = read(Comment, data, 'the comment with the command');
    return user?.id === request.requesterId && /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(user.login) ? `@${user.login}` : null;
  } catch (error) {
    if (statusOf(error) === 404 || statusOf(error) === 410) return null;
    throw error;
  }
}
