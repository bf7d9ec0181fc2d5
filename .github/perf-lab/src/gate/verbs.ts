import type { Verb } from '../request/command.ts';
import { parseCommand } from '../request/command.ts';
import type { LabConfig } from '../request/lab-config.ts';
import type { Words } from '../request/words.ts';
import { ownComments } from '../thread/comments.ts';
import { helpText } from '../thread/help.ts';
import { reply } from '../thread/reply.ts';
import { Refusal } from './refusal.ts';
import { isRunning, unfinished, withState } from './runs.ts';
import type { Asked } from './asked.ts';

/** `cancel`, `status`, `help`: what the gate answers by itself. Returns the outputs of the job. */
export async function answerVerb(asked: Asked, verb: Exclude<Verb, 'rerun'>, config: LabConfig): Promise<Readonly<Record<string, string | number>>> {
  if (verb === 'cancel') return { 'decision': 'cancel', 'run-to-cancel': await runToCancel(asked) };
  const lines = verb === 'help' ? [helpText(config)] : await statusLines(asked);
  await reply(asked.thread, { comment: asked.event.commentId, user: asked.event.userId, title: verb, lines });
  return { decision: 'done' };
}

async function runToCancel({ gh, at, thread }: Asked): Promise<number> {
  for (const { state } of unfinished(await ownComments(thread), at.runId)) {
    if (await isRunning(gh, at, state.run)) return state.run;
  }
  throw new Refusal('nothing-to-cancel', 'Nothing is under way for this pull request.');
}

const MOST_LISTED = 5;

async function statusLines({ at, thread }: Asked): Promise<string[]> {
  const requests = withState(await ownComments(thread));
  if (requests.length === 0) return ['Nothing was asked for on this pull request yet.'];
  return requests.slice(0, MOST_LISTED).map(({ comment, state }) => {
    const link = `${at.serverUrl}/${at.owner}/${at.repo}/pull/${thread.pullRequest}#issuecomment-${comment.id}`;
    return `- [${state.stage}](${link}): head \`${state.head}\``;
  });
}

/** The words of the last request. They come from our comment, which a maintainer can edit, so they are parsed like any other command. */
export async function wordsToRepeat({ thread }: Asked): Promise<Words> {
  const [last] = withState(await ownComments(thread));
  const command = last === undefined ? null : parseCommand(last.state.command);
  if (command?.kind !== 'run') throw new Refusal('nothing-to-rerun', 'There is no earlier request on this pull request to repeat.');
  return command.words;
}
