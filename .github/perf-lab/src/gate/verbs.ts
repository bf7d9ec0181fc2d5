import { Comment, read } from '../github/answers.ts';
import { statusOf } from '../github/client.ts';
import type { Command, Verb } from '../request/command.ts';
import { MAX_KEPT_CHARS, parseCommand } from '../request/command.ts';
import { COMMAND } from '../request/first-word.ts';
import type { LabConfig } from '../request/lab-config.ts';
import type { BenchmarkRequest } from '../request/request.ts';
import type { Words } from '../request/words.ts';
import { digestOf } from '../snippet/snippet.ts';
import { ownComments } from '../thread/comments.ts';
import { helpText } from '../thread/help.ts';
import { linkToComment, linkToCommit } from '../thread/links.ts';
import { reply } from '../thread/reply.ts';
import { newestOf, requestsAmong, unfinished } from '../thread/requests.ts';
import type { State } from '../thread/state.ts';
import { Refusal } from '../request/refusal.ts';
import type { Asked } from './asked.ts';

/** `cancel`, `status`, `help`: what the gate answers by itself, whatever state the pull request is in. Returns the outputs of the job. */
export async function answerVerb(asked: Asked, verb: Verb, config: LabConfig | null, note: (text: string) => void, summary: (text: string) => void): Promise<Readonly<Record<string, string | number>>> {
  if (verb === 'cancel') return { 'decision': 'cancel', 'run-to-cancel': await runToCancel(asked) };
  const lines = verb === 'help' ? [helpText(config)] : await statusLines(asked);
  const isPosted = await reply(asked.thread, { comment: asked.event.commentId, user: asked.event.userId, title: verb, lines }, note);
  if (!isPosted) summary(lines.join('\n'));
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

/** The last request for `rerun`; for `confirm` with at least two sessions, which take fixed rounds, and on the machine that it names. */
export async function askedBefore(asked: Asked, command: Extract<Command, { kind: 'rerun' | 'confirm' }>): Promise<{ readonly words: Words; readonly snippet: BenchmarkRequest['snippet'] }> {
  const { words, snippet } = await lastAsked(asked);
  return { snippet, words: command.kind === 'rerun' ? words : { ...words, machine: command.machine ?? words.machine, sessions: Math.max(2, words.sessions ?? 0), within: null } };
}

/** What the last request asked for. It comes from our comment, which a maintainer can edit, so it is parsed like any other command. */
async function lastAsked(asked: Asked): Promise<{ readonly words: Words; readonly snippet: BenchmarkRequest['snippet'] }> {
  const among = requestsAmong(await ownComments(asked.thread));
  // What was refused has a mistake: it is repeated only where there is nothing else.
  const last = await newestOf(among.filter(({ state }) => state.stage !== 'refused'), asked.runs) ?? await newestOf(among, asked.runs);
  const nothing = new Refusal('nothing-to-rerun', 'There is no earlier request on this pull request to repeat.');
  if (last === null) throw nothing;
  const { command: typed, snippet } = last.state, command = parseCommand(typed, COMMAND, MAX_KEPT_CHARS);
  if (command.kind !== 'run') throw nothing;
  return { words: command.words, snippet: snippet === undefined ? null : await snippetAgain(asked, snippet) };
}

/** Our comment shows a snippet and is no place to read it from: it is read where it was written, and must be what was measured. */
async function snippetAgain({ gh, at, event }: Asked, { comment, digest }: NonNullable<State['snippet']>): Promise<NonNullable<BenchmarkRequest['snippet']>> {
  const gone = (what: string): Refusal => new Refusal('nothing-to-rerun', `The last request measured a block of C# in [a comment](${linkToComment(at, event.pullRequest, comment)}) that was ${what} since. Write the command again, with the block below it.`);
  const answer = await gh.rest.issues.getComment({ owner: at.owner, repo: at.repo, comment_id: comment }).catch((error: unknown) => {
    if (statusOf(error) === 404 || statusOf(error) === 410) throw gone('deleted');
    throw error;
  });
  const { body, issue_url } = read(Comment, answer.data, 'the comment with the block of C#'), command = parseCommand(body ?? '', at.word);
  const snippet = command.kind === 'run' && issue_url.endsWith(`/issues/${event.pullRequest}`) ? command.snippet : undefined;
  if (snippet === undefined || digestOf(snippet) !== digest) throw gone('changed');
  return { comment, ...snippet };
}
