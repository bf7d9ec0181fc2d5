import type { Command, Verb } from '../request/command.ts';
import { parseCommand } from '../request/command.ts';
import type { LabConfig } from '../request/lab-config.ts';
import type { Words } from '../request/words.ts';
import { ownComments } from '../thread/comments.ts';
import { helpText } from '../thread/help.ts';
import { linkToComment, linkToCommit } from '../thread/links.ts';
import { reply } from '../thread/reply.ts';
import { newestOf, requestsAmong, unfinished } from '../thread/requests.ts';
import { Refusal } from './refusal.ts';
import type { Asked } from './asked.ts';

/** `cancel`, `status`, `help`: what the gate answers by itself, whatever state the pull request is in. Returns the outputs of the job. */
export async function answerVerb(asked: Asked, verb: Verb, config: LabConfig | null, note: (text: string) => void): Promise<Readonly<Record<string, string | number>>> {
  if (verb === 'cancel') return { 'decision': 'cancel', 'run-to-cancel': await runToCancel(asked) };
  const lines = verb === 'help' ? [helpText(config)] : await statusLines(asked);
  await reply(asked.thread, { comment: asked.event.commentId, user: asked.event.userId, title: verb, lines }, note);
  return { decision: 'done' };
}

async function runToCancel({ at, thread, runs }: Asked): Promise<number> {
  for (const { state } of unfinished(requestsAmong(await ownComments(thread)))) {
    if (state.run !== at.runId && (await runs.of(state))?.isUnderWay === true) return state.run;
  }
  throw new Refusal('nothing-to-cancel', 'Nothing is under way for this pull request.');
}

const MOST_LISTED = 5;

async function statusLines({ at, thread, runs }: Asked): Promise<string[]> {
  const lines: string[] = [];
  for (const { comment, state } of requestsAmong(await ownComments(thread))) {
    if (lines.length >= MOST_LISTED) break;
    if (await runs.of(state) !== null) lines.push(`- [${state.stage}](${linkToComment(at, thread.pullRequest, comment.id)}): head ${linkToCommit(at, state.head)} on \`${state.machine}\``);
  }
  return lines.length === 0 ? ['Nothing was asked for on this pull request yet.'] : lines;
}

/** The words of the last request for `rerun`; for `confirm` with at least two sessions, and on the machine that it names. */
export async function wordsAgain(asked: Asked, command: Extract<Command, { kind: 'rerun' | 'confirm' }>): Promise<Words> {
  const words = await wordsToRepeat(asked);
  return command.kind === 'rerun' ? words : { ...words, machine: command.machine ?? words.machine, sessions: Math.max(2, words.sessions ?? 0) };
}

/** The words of the last request. They come from our comment, which a maintainer can edit, so they are parsed like any other command. */
async function wordsToRepeat({ thread, runs }: Asked): Promise<Words> {
  const last = await newestOf(requestsAmong(await ownComments(thread)), runs);
  const command = last === null ? null : parseCommand(last.state.command);
  if (command?.kind !== 'run') throw new Refusal('nothing-to-rerun', 'There is no earlier request on this pull request to repeat.');
  return command.words;
}
