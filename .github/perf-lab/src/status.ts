import { readTrusted } from './artifact/trusted-file.ts';
import { inLine } from './gate/accept.ts';
import { machinesDone } from './fleet/progress.ts';
import { readConfig } from './request/names.ts';
import { EXIT_CODES } from './request/refusal.ts';
import { jobsOfRun } from './github/jobs.ts';
import { clientFrom, required, runUrl } from './process/environment.ts';
import { main, say } from './process/main.ts';
import { writeOutputs, writeSummary } from './process/outputs.ts';
import { takeRequest, type AtHand } from './thread/request-at-hand.ts';
import { inWords, readEstimate, type Estimate } from './request/plan.ts';
import { spoken } from './request/first-word.ts';
import type { BenchmarkRequest } from './request/request.ts';
import { LISTS } from './request/words.ts';
import { code } from './text/untrusted.ts';
import { clock, endBody, progressBody, stateOf } from './thread/bodies.ts';
import { setCheck, stateOfCheck } from './thread/check.ts';
import { isClosedForComments } from './thread/comments.ts';
import { helpText } from './thread/help.ts';
import { findLiving, isBehind, setLiving } from './thread/living.ts';
import { react } from './thread/reactions.ts';
import { recentRequests, requestsInLine } from './thread/requests.ts';
import { WorkflowRuns } from './thread/runs.ts';
import { readState, type Stage } from './thread/state.ts';

export const STEPS = ['plan', 'problems', 'waiting', 'listed', 'measuring', 'measured'] as const;

/** Tells the author where the request stands. Ends with 0, or with the exit code of a refusal that only the plan could find. */
export async function status(step: string | undefined, hand: AtHand): Promise<number> {
  switch (step) {
    case 'plan': return await progress(hand, 'building', [`estimate: ${inWords(estimateOf(hand))}`]);
    case 'problems': return await refuse(hand, problemLines(hand));
    case 'waiting': return await progress(hand, 'waiting', await line(hand));
    case 'listed': return await progress(hand, 'waiting', [`estimate: ${inWords(estimateOf(hand))}`, ...await line(hand)]);
    case 'measuring': return await progress(hand, 'measuring', expected(hand));
    case 'measured': return await progress(hand, 'measuring', [await done(hand)]);
    default:
      say(`status takes one of ${STEPS.join(', ')}`);
      return 2;
  }
}

const estimateOf = ({ env, machine }: AtHand): Estimate =>
  readEstimate(required(env, 'PERF_LAB_PLAN'), required(env, 'PERF_LAB_PLAN_DIGEST'), readConfig(required(env, 'PERF_LAB_CONFIG')), machine);

// A picture of the moment: who gets the machine first is GitHub's to decide, by who asked for it first.
async function line({ gh, at, env, machine, living, now }: AtHand): Promise<string[]> {
  if (readConfig(required(env, 'PERF_LAB_CONFIG')).machines.get(machine)?.kind === 'hosted') return [];    // GitHub has many of them: there is no line
  return inLine(await requestsInLine(await recentRequests(living.thread, now), machine, new WorkflowRuns(gh, at), at.runId), machine);
}

const MAX_PROBLEMS = 30, MAX_PROBLEM_BYTES = 16 << 20;

// One problem a line, as the runner printed it. They quote the command and manifests: code spans, all of them.
function problemLines({ env, request }: AtHand): string[] {
  const lines = readTrusted(required(env, 'PERF_LAB_PROBLEMS'), required(env, 'PERF_LAB_PROBLEMS_DIGEST'), MAX_PROBLEM_BYTES).toString('utf8').slice(0, 64_000).split('\n').map(line => line.replace(/^perf-lab: /, '').trim()).filter(line => line !== '');
  const more = lines.length > MAX_PROBLEMS ? [`- and ${lines.length - MAX_PROBLEMS} more`] : [];
  return ['The command can\'t be carried out:', '', ...lines.slice(0, MAX_PROBLEMS).map(line => `- ${typed(line, request.words)}${code(line, 400)}`), ...more];
}

// The runner knows dimensions, the author knows what he typed: "`--runtime`: `net99.0 is not known`".
function typed(problem: string, words: BenchmarkRequest['words']): string {
  const subjects = [problem.split(': ', 1)[0]!, ...[...problem.matchAll(/'([^']*)'/g)].map(([, value]) => value!)];
  const flag = Object.entries(LISTS).find(([name, list]) => words[list].length > 0 && subjects.some(one => `--${one}` === name || words[list].some(value => value === one)))?.[0];
  return flag === undefined ? '' : `\`${flag}\`: `;
}

async function done(hand: AtHand): Promise<string> {
  const { machines, mostMinutes } = estimateOf(hand);
  return machinesDone(await jobsOfRun(hand.gh, hand.at), machines, mostMinutes * 60, hand.now);
}

function expected(hand: AtHand): string[] {
  const { machines, leastMinutes, mostMinutes } = estimateOf(hand);
  const [first, last] = [clock(hand.now + leastMinutes * 60_000), clock(hand.now + mostMinutes * 60_000)];
  return [...(machines === 1 ? [] : [`${machines} machines measure at once`]), `expected end: ${first === last ? first : `${first} to ${last}`}`];
}

async function progress(hand: AtHand, stage: Stage, notes: readonly string[]): Promise<number> {
  const { gh, at, request, machine, living, check, now } = hand;
  const found = await findLiving(living);
  const checkOf = { gh, at, head: request.head, request: request.commentId };
  // In a locked conversation, or where somebody deleted the comment, the check alone knows.
  if (isBehind(stage, found === null ? await stateOfCheck(checkOf, check) : readState(found.body), at)) {
    say(`the request is further than ${stage} already: nothing is changed`);
    return 0;
  }
  try {
    await setLiving(living, found, progressBody(stage, { request, at, machine, now, notes }));
  } catch (error) {
    if (!isClosedForComments(error)) throw error;
    say('the conversation takes no comments: the check alone tells how far the request is');
  }
  await setCheck(checkOf, { status: 'in_progress', title: stage, summary: notes.join('\n'), url: runUrl(at), state: stateOf(stage, hand) }, check ?? undefined);
  writeOutputs(hand.env, { decision: 'run' });
  return 0;
}

async function refuse(hand: AtHand, lines: readonly string[]): Promise<number> {
  const { gh, env, at, request, living, check } = hand, refusal = 'plan-problems';
  say(`refused: ${refusal}`);
  writeOutputs(env, { decision: 'refused', code: refusal });
  const all = [`### perf-lab: refused (${refusal})`, '', ...lines, '', helpText(readConfig(required(env, 'PERF_LAB_CONFIG')))];
  writeSummary(env, spoken(all.join('\n'), at.word));
  try {
    await setLiving(living, await findLiving(living), endBody('refused', hand, all));
  } catch (error) {
    if (!isClosedForComments(error)) throw error;
    say('the conversation takes no comments: the answer is in the job summary and the check');
  }
  await setCheck({ gh, at, head: request.head, request: request.commentId },
    { status: 'completed', conclusion: 'neutral', title: `refused: ${refusal}`, summary: all.join('\n'), url: runUrl(at), state: stateOf('refused', hand) }, check ?? undefined);
  await react(gh, at, request.commentId, 'confused', say);
  return EXIT_CODES[refusal];
}

main(import.meta.url, async () => await status(process.argv[2], await takeRequest(clientFrom(process.env, { log: say }), process.env, Date.now())));
