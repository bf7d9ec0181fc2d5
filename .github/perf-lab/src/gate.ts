import { accept } from './gate/accept.ts';
import { acknowledge } from './gate/acknowledge.ts';
import type { Asked } from './gate/asked.ts';
import { authorise, refuseForkFor } from './gate/authorise.ts';
import { rereadComment } from './gate/comment.ts';
import { readEvent, type CommentEvent } from './gate/event.ts';
import { refuseTooMany } from './gate/limits.ts';
import { mergeBase } from './gate/merge-base.ts';
import { chooseNames, readConfig, refuseOwnMachine } from './request/names.ts';
import { fixHead, readPullRequest, refuseRetarget } from './gate/pull-request.ts';
import { Refusal } from './request/refusal.ts';
import { refuseLabChanges } from './gate/touched.ts';
import { isTold } from './gate/fallen.ts';
import { answerVerb, askedBefore } from './gate/verbs.ts';
import type { Client } from './github/client.ts';
import { clientFrom, readWorkplace, required, runUrl, type Environment, type Workplace } from './process/environment.ts';
import { explain, main, say } from './process/main.ts';
import { writeOutputs, writeSummary } from './process/outputs.ts';
import { parseCommand, type Command } from './request/command.ts';
import { readWord, spoken } from './request/first-word.ts';
import { writeRequest, type BenchmarkRequest } from './request/request.ts';
import { code } from './text/untrusted.ts';
import { helpText } from './thread/help.ts';
import { react } from './thread/reactions.ts';
import { reply } from './thread/reply.ts';
import { recentRequests } from './thread/requests.ts';
import { WorkflowRuns } from './thread/runs.ts';
import { whoAmI } from './thread/who-am-i.ts';

export interface GateInput {
  readonly env: Environment;
  readonly gh: Client;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type Outputs = Readonly<Record<string, string | number>>;

/** Decides who may ask and which commits are meant. Exit code 0 also for events that are none of ours; every refusal has its own. */
export async function gate(input: GateInput): Promise<number> {
  const { env, gh } = input;
  const at = { ...readWorkplace(env), word: readWord(env['PERF_LAB_WORD']) };
  const event = readEvent(required(env, 'GITHUB_EVENT_PATH'), env['GITHUB_EVENT_NAME'], Number(env['PERF_LAB_BOT_ID'] ?? 0));
  const command = 'ignored' in event ? null : parseCommand(event.body, at.word);
  if ('ignored' in event || command === null || command.kind === 'none') {
    say(`ignored: ${'ignored' in event ? event.ignored : 'the comment is no command'}`);
    writeOutputs(env, { decision: 'ignored' });
    return 0;
  }
  await react(gh, at, event.commentId, 'eyes', say);    // first of all: within seconds the author sees that somebody listens
  try {
    writeOutputs(env, await decide(input, at, event, command));
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal)) {
      await fell(input, at, event, error);
      throw error;
    }
    await refuse(input, at, event, error);
    return error.exitCode;
  }
}

/** "The gate, in order" of docs/internals/github.md, one line a step. What asks for no measurement is answered before anything that could stand in its way. */
async function decide(input: GateInput, at: Workplace, event: CommentEvent, command: Exclude<Command, { kind: 'none' }>): Promise<Outputs> {
  const { env, gh, now } = input;
  const comment = await rereadComment(gh, at, event);
  if (command.kind === 'wrong') throw new Refusal(command.code, command.problems, true);
  const permission = await authorise(gh, at, comment);
  const thread = { gh, at, pullRequest: event.pullRequest, me: await whoAmI(gh, env) };
  const asked: Asked = { gh, at, event, comment, now, thread, runs: new WorkflowRuns(gh, at) };
  if (command.kind === 'verb') return await answerVerb(asked, command.verb, configForHelp(env), say, text => writeSummary(env, spoken(text, at.word)));
  if (command.kind === 'accept') return await accepted(asked, command.reason);

  const pull = await readPullRequest(gh, at, event.pullRequest);
  const config = readConfig(configPath(env));
  const { words, snippet } = command.kind === 'run' ? { words: command.words, snippet: ofThisComment(command, event) } : await askedBefore(asked, command);
  const chosen = chooseNames(words, config);
  refuseOwnMachine(chosen, env['PERF_LAB_HOSTED_ONLY'] === 'true');
  refuseForkFor(permission, pull, config, chosen.kind);
  const head = await fixHead(gh, at, pull, comment, command.sha);
  await refuseRetarget(gh, at, pull, comment);
  const comparison = await mergeBase(gh, at, pull, head);
  refuseLabChanges(comparison, permission);
  const recent = await recentRequests(thread, now);
  await refuseTooMany(asked, recent, config.perUserPerDay, null);
  const { request, statusComment, checkRun } = await accept(asked, { chosen, snippet, commits: { base: comparison.base, head }, recent, perUserPerDay: config.perUserPerDay });

  return {
    'decision': 'run', 'pull-request': event.pullRequest, 'comment-id': event.commentId, 'requester-id': event.userId,
    'base': request.base, 'head': request.head, 'machine': chosen.machine, 'machine-kind': chosen.kind, ...(chosen.runsOn === null ? {} : { 'machine-runs-on': chosen.runsOn }),
    'request': writeRequest(request), ...(statusComment === null ? {} : { 'status-comment': statusComment }), 'check-run': checkRun,
  };
}

const ofThisComment = ({ snippet }: Extract<Command, { kind: 'run' }>, { commentId }: CommentEvent): BenchmarkRequest['snippet'] =>
  (snippet === undefined ? null : { comment: commentId, ...snippet });

async function accepted(asked: Asked, reason: string): Promise<Outputs> {
  const outputs = await acknowledge(asked, reason);
  await react(asked.gh, asked.at, asked.event.commentId, 'rocket', say);
  return outputs;
}

async function refuse({ env, gh }: GateInput, at: Workplace, event: CommentEvent, refusal: Refusal): Promise<void> {
  say(`refused: ${refusal.code}`);
  writeOutputs(env, { decision: 'refused', code: refusal.code });
  const lines = refusal.withHelp ? [...refusal.sentences.map(problem => `- ${problem}`), '', helpText(configForHelp(env))] : refusal.sentences;
  writeSummary(env, spoken(lines.join('\n'), at.word));
  await react(gh, at, event.commentId, 'confused', say);
  await reply({ gh, at, pullRequest: event.pullRequest, me: await whoAmI(gh, env) }, { comment: event.commentId, user: event.userId, title: `refused (${refusal.code})`, lines }, say);
}

/** GitHub could not be asked what the decision needs: told once, in the request's own comment where there is one, and the job is red. */
async function fell({ env, gh }: GateInput, at: Workplace, event: CommentEvent, error: unknown): Promise<void> {
  await react(gh, at, event.commentId, 'confused', say);
  if (isTold(error)) return;
  try {
    const lines = [`Nothing was started: GitHub could not be asked about this request (${code(explain(error), 300)}). Re-run [the failed job](${runUrl(at)}), or write the command again.`];
    await reply({ gh, at, pullRequest: event.pullRequest, me: await whoAmI(gh, env) }, { comment: event.commentId, user: event.userId, title: 'failed before anything was started', lines }, say);
  } catch (second) {
    say(`the failure could not be told in the thread: ${explain(second)}`);
  }
}

const configPath = (env: Environment): string => env['PERF_LAB_CONFIG'] ?? 'perf-lab.yaml';

function configForHelp(env: Environment) {
  try {
    return readConfig(configPath(env));
  } catch {
    return null;    // the help without names is better than none
  }
}

main(import.meta.url, () => gate({ env: process.env, gh: clientFrom(process.env, { log: say }), now: Date.now() }));
