import { isClosedForComments, deleteComment, ownComments, postComment, type Thread } from './comments.ts';
import { linkToComment } from './links.ts';

export interface Reply {
  /** The comment that is answered. */
  readonly comment: number;
  readonly user: number;
  readonly title: string;
  readonly lines: readonly string[];
}

/**
 * Answers a comment. One answer per person stands on a pull request: older ones go, so that asking often doesn't bury the conversation.
 * In a locked conversation nobody can be answered, and the command does its work all the same: false is returned then.
 */
export async function reply(thread: Thread, { comment, user, title, lines }: Reply, note: (text: string) => void): Promise<boolean> {
  const { at, pullRequest } = thread;
  const known = await ownComments(thread);
  const older = known.filter(({ marker }) => 'replyTo' in marker && marker.replyTo === user && marker.comment < comment);
  const to = `[Your command](${linkToComment(at, pullRequest, comment)})`;
  let isPosted = true;
  try {
    await postComment(thread, { pullRequest, replyTo: user, comment }, [`### perf-lab: ${title}`, '', ...lines, '', `${to}.`].join('\n'), known);
  } catch (error) {
    if (!isClosedForComments(error)) throw error;
    note('the conversation takes no comments: the answer is in the job summary only');
    isPosted = false;
  }
  for (const { id } of older) await deleteComment(thread, id);
  return isPosted;
}
