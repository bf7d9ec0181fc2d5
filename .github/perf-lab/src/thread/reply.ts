import { deleteComment, ownComments, postComment, type Thread } from './comments.ts';

export interface Reply {
  /** The comment that is answered. */
  readonly comment: number;
  readonly user: number;
  readonly title: string;
  readonly lines: readonly string[];
}

/** Answers a comment. One answer per person stands on a pull request: older ones go, so that asking often doesn't bury the conversation. */
export async function reply(thread: Thread, { comment, user, title, lines }: Reply): Promise<void> {
  const { at, pullRequest } = thread;
  const known = await ownComments(thread);
  const older = known.filter(({ marker }) => 'replyTo' in marker && marker.replyTo === user && marker.comment < comment);
  const to = `[Your command](${at.serverUrl}/${at.owner}/${at.repo}/pull/${pullRequest}#issuecomment-${comment})`;
  await postComment(thread, { pullRequest, replyTo: user, comment }, [`### perf-lab: ${title}`, '', ...lines, '', `${to}.`].join('\n'), known);
  for (const { id } of older) await deleteComment(thread, id);
}
