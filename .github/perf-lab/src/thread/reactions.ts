import type { Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';

/** A reaction of one kind exists once per user, whoever asks how often: the call may be repeated. Not worth failing for. */
export async function react(gh: Client, at: Workplace, commentId: number, content: 'eyes' | 'rocket' | 'confused', note: (text: string) => void): Promise<void> {
  try {
    await gh.rest.reactions.createForIssueComment({ owner: at.owner, repo: at.repo, comment_id: commentId, content, request: { repeatable: true } as object });
  } catch (error) {
    note(`the reaction ${content} could not be set: ${(error as Error).message}`);
  }
}
