import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fetchJournals, type Journals } from './fleet/journals.ts';
import { fewerCame, readShards, together, whichFailed, type Shard } from './fleet/shards.ts';
import { clientFrom, required, runUrl } from './process/environment.ts';
import { explain, main, say } from './process/main.ts';
import { writeOutputs, writeSummary } from './process/outputs.ts';
import { takeRequest, type AtHand } from './process/request-at-hand.ts';
import { endingOf, type Ending } from './publish/ending.ts';
import { finalBody } from './publish/final-body.ts';
import { readResults, whatWentWrong } from './publish/job-results.ts';
import { fetchBuildLog, fetchExplanation, fetchJournal } from './publish/journal.ts';
import { judge } from './publish/judge.ts';
import { pullRequestNow } from './publish/moved.ts';
import { jobsOutOfTime } from './publish/out-of-time.ts';
import { requesterOf } from './publish/requester.ts';
import { readMachines } from './request/plan.ts';
import { readTrusted } from './request/request.ts';
import { setCheck } from './thread/check.ts';
import { isClosedForComments, ownComments, type OwnComment } from './thread/comments.ts';
import { dropWhenMinimised, endOf, setLiving } from './thread/living.ts';
import { markerLine } from './thread/marker.ts';
import { minimiseOlder } from './thread/minimise.ts';
import { react } from './thread/reactions.ts';
import { staleTrend } from './trend/last-success.ts';

/** Fetches the journal, has the runner judge it, and says the last word: summary, comment, check, reaction. Running it again changes nothing. */
export async function publish(hand: AtHand): Promise<number> {
  const { living, at, env } = hand;
  const known = await ownComments(living.thread);
  const found = known.find(comment => markerLine(comment.marker) === markerLine(living.marker)) ?? null;
  if (endOf(found, at) === 'refused') {
    writeOutputs(env, { ending: 'refused' });    // the plan was refused; `status` has said all there is
    return 0;
  }
  const ending = await findEnding(hand);
  const now = await pullRequestNow(hand.gh, at, hand.request);
  const body = finalBody(hand, ending, now, await requesterOf(hand.gh, at, hand.request), await staleTrend(hand.gh, at, hand.now));
  writeSummary(env, [`### perf-lab: ${ending.title}`, ...now.moved, ending.reports.jobSummary].join('\n\n'));    // first: it needs no call, so the result is never lost
  await post(hand, found, body);
  await setCheck({ gh: hand.gh, at, head: hand.request.head, request: hand.request.commentId },
    { status: 'completed', conclusion: ending.conclusion, title: ending.title, summary: [...(ending.whyNeutral === null ? [] : [`Neutral: ${ending.whyNeutral}`, '']), body].join('\n'), url: runUrl(at) }, hand.check ?? undefined);
  await minimiseOlder(living.thread, known, hand.request.commentId, say);
  await react(hand.gh, at, hand.request.commentId, ending.reaction, say);
  writeOutputs(env, { ending: ending.stage });
  return 0;
}

async function findEnding(hand: AtHand): Promise<Ending> {
  const { env } = hand;
  const shards = shardsOf(hand);
  const results = { ...readResults(env), ...(shards === null ? {} : { measure: together(shards) }) };
  const found = whatWentWrong(results, await jobsOutOfTime(hand.gh, hand.at, results));
  const wrong = found?.job === 'measure' && shards !== null && results.measure === 'failure' ? { ...found, sentence: whichFailed(shards), follows: 'What follows is all that was measured.' } : found;
  const isBuild = wrong?.job === 'build-base' || wrong?.job === 'build-head';
  const folder = resolve(env['PERF_LAB_OUT'] ?? '.');
  mkdirSync(folder, { recursive: true });
  const isBeforeMeasuring = isBuild || wrong?.job === 'tools' || wrong?.job === 'plan' || wrong?.job === 'bases';
  const { journal, files } = isBeforeMeasuring ? { journal: { kind: 'none' as const }, files: [] }
    : shards === null ? { journal: await fetchJournal(hand, folder), files: ['samples.ndjson'] } : withNote(await fetchJournals(hand, shards, folder), fewerCame(shards, Number(env['PERF_LAB_MACHINES'] ?? 0)));
  if (journal.kind === 'there' && shards === null) await fetchExplanation(hand, folder, say);
  const judgement = journal.kind === 'there' ? await judge({ runner: resolve(env['PERF_LAB_RUNNER'] ?? 'perf-lab'), folder, plan: trustedPlan(hand), journals: files }) : null;
  const buildLog = isBuild && !wrong.cancelled ? await fetchBuildLog(hand, wrong.job === 'build-base' ? 'base' : 'head') : null;
  return endingOf({ wrong, journal, judgement, buildLog, isGate: env['PERF_LAB_FAIL_ON'] === 'regression' });
}

const withNote = ({ journal, files }: Journals, note: string | null): Journals =>
  ({ journal: journal.kind === 'there' && note !== null ? { ...journal, notes: [note, ...journal.notes ?? []] } : journal, files });

/** Null: one machine measured all. How many there are says the plan, never a machine. */
function shardsOf(hand: AtHand): Shard[] | null {
  const json = hand.env['PERF_LAB_SHARDS'] ?? '';
  return json === '' ? null : readShards(json, readMachines(trustedPlan(hand), required(hand.env, 'PERF_LAB_PLAN_DIGEST')));
}

function trustedPlan({ env }: AtHand): string {
  const path = resolve(required(env, 'PERF_LAB_PLAN'));
  readTrusted(path, required(env, 'PERF_LAB_PLAN_DIGEST'), 64 << 20);
  return path;
}

async function post({ living }: AtHand, found: OwnComment | null, body: string): Promise<void> {
  try {
    await setLiving(living, await dropWhenMinimised(living.thread, found), body);
  } catch (error) {
    if (!isClosedForComments(error)) throw error;
    say(`the conversation takes no comments any more, the result is in the job summary: ${explain(error)}`);
  }
}

main(import.meta.url, async () => await publish(await takeRequest(clientFrom(process.env, { log: say, maxWaitSeconds: 900 }), process.env, Date.now())));
