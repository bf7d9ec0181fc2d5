import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fetchJournals, type Journals } from '../fleet/journals.ts';
import { fewerCame, readShards, together, whichFailed, type Shard } from '../fleet/shards.ts';
import { required } from '../process/environment.ts';
import { explain, say } from '../process/main.ts';
import { idFrom, type AtHand } from '../thread/request-at-hand.ts';
import { readMachines } from '../request/plan.ts';
import { code } from '../text/untrusted.ts';
import { snippetFold } from '../thread/bodies.ts';
import { endingOf, GATES, type Ending } from './ending.ts';
import { readResults, whatWentWrong, type JobName, type JobResults, type Wrong } from '../process/job-results.ts';
import { keptHistory } from '../history/kept-history.ts';
import { fetchBuildLog, fetchExplanation, fetchJournal, type Journal } from '../fleet/journal.ts';
import { judge, type Judgement } from './judge.ts';
import { keepPlan, tellJudged } from './judged.ts';
import { lostFiles, lostSentence, trustedPlan } from './lost.ts';
import { jobsOutOfTime } from './out-of-time.ts';

type Files = Journals['files'];
interface Judged { readonly journal: Journal; readonly judgement: Judgement; readonly budget: string | null }

const NOTHING: Journals = { journal: { kind: 'none' }, files: [] };

/** How the request ends: from what its jobs said, and from the journal where there is one. */
export async function findEnding(hand: AtHand): Promise<Ending> {
  const { env } = hand;
  const asked = (env['PERF_LAB_FAIL_ON'] ?? '').split(',').map(word => word.trim()).filter(word => word !== '');
  const failOn = GATES.filter(gate => asked.includes(gate)), notGates = asked.filter(word => !(GATES as readonly string[]).includes(word));
  const found = { journal: NOTHING.journal, judgement: null, buildLog: null, failOn };
  if (env['PERF_LAB_PLANNED'] === 'refused') return endingOf({ ...found, wrong: UNTOLD });
  const said = readResults(env), lost = lostFiles(env, said);
  const shards = lost.includes('plan') ? null : shardsOf(hand);
  const wrong = await wrongOf(hand, said, shards);
  const isBuild = wrong?.job === 'build-base' || wrong?.job === 'build-head';
  const isBeforeMeasuring = wrong !== null && wrong.job !== 'measure';
  if (lost.length > 0 && !isBeforeMeasuring) return endingOf({ ...found, wrong: wrong ?? noResult(lostSentence(lost)), more: lostSentence(lost) });
  const folder = resolve(env['PERF_LAB_OUT'] ?? '.');
  mkdirSync(folder, { recursive: true });
  try {
    const { journal: came, files } = isBeforeMeasuring ? NOTHING : await journalsOf(hand, shards, folder);
    const isThere = came.kind === 'there';
    const { journal, judgement, budget } = isThere ? await judged(hand, shards, folder, files, came.notes ?? []) : { journal: came, judgement: null, budget: null };
    const buildLog = isBuild && !wrong.cancelled ? await fetchBuildLog(hand, wrong.job === 'build-base' ? 'base' : 'head') : null;
    return endingOf({ wrong, journal, judgement, buildLog, failOn, notGates, budgetUnknown: failOn.includes('budget') ? budget : null });
  } catch (error) {
    if (env['PERF_LAB_LAST'] !== 'true') throw error;    // another publisher follows, and looks again
    const sentence = `What there is to publish could not be fetched or judged: ${code(explain(error), 400)}. Re-run the failed job \`publish\` within a day, while the files are kept.`;
    return { ...endingOf({ ...found, wrong: wrong ?? noResult(sentence), more: sentence }), isUnfinished: true };
  }
}

/** What the runner makes of the journals that came. The notes say what is missing: the rest of a budget, machines, and what was refused. */
async function judged(hand: AtHand, shards: readonly Shard[] | null, folder: string, journals: Files, refused: readonly string[]): Promise<Judged> {
  if (shards === null) await fetchExplanation(hand, folder, say);
  const { root, note, unknown } = await keptHistory(hand);
  const { env } = hand, plan = trustedPlan(env), runner = resolve(env['PERF_LAB_RUNNER'] ?? 'perf-lab');
  keepPlan(folder, plan);
  const judgement = await judge({ root, runner, folder, plan, journals, besideChars: snippetFold(hand.request).join('\n').length });
  if (judgement.kind === 'judged') tellJudged(env, folder, journals);
  const fewer = shards === null ? null : fewerCame(shards, Number(env['PERF_LAB_MACHINES'] ?? 0));
  return { journal: { kind: 'there', notes: [note, fewer, ...refused].filter(one => one !== null) }, judgement, budget: unknown };
}

const noResult = (sentence: string): Wrong => ({ job: 'measure', cancelled: false, title: 'no result', sentence });

/** `status problems` tells the problems of a command; where that failed, only the log has them. */
const UNTOLD: Wrong = { job: 'plan', cancelled: false, title: 'refused', sentence: 'The command can\'t be carried out. What is wrong with it could not be told here; the log of the job `plan` has it.' };

async function wrongOf(hand: AtHand, said: JobResults, shards: readonly Shard[] | null): Promise<Wrong | null> {
  const results = { ...said, ...(shards === null ? {} : { measure: together(shards) }) };
  const wrong = whatWentWrong(results, await lateJobs(hand, results));
  if (wrong?.job === 'measure' && shards !== null && results.measure === 'failure') return { ...wrong, sentence: whichFailed(shards), follows: 'What follows is all that was measured.' };
  if (wrong !== null && (wrong.job === 'build-base' || wrong.job === 'build-head') && !wrong.cancelled) return beforeItsBuild(hand, wrong);
  return wrong;
}

/** A build leaves a log. Where there is none the job failed on its way there, and the commit may well build. */
function beforeItsBuild({ env }: AtHand, wrong: Wrong): Wrong {
  const side = wrong.job === 'build-base' ? 'base' : 'head';
  const hasLog = (of: 'base' | 'head'): boolean => idFrom(env, `PERF_LAB_BUILD_${of.toUpperCase()}_LOG_ID`) !== null;
  if (wrong.title.startsWith('out of time')) return wrong;
  if (hasLog(side)) return hasLog('head') ? wrong : { ...wrong, title: 'base does not build' };
  return { ...wrong, title: `failed while building ${side}`, sentence: `The job that builds ${side} left no log of a build: it failed before or after it. Nothing was measured; the log of the run says why.` };
}

/** Which jobs ran out of time is told by a list that may not be had: then a time-out is called what GitHub calls it, a cancel. */
async function lateJobs({ gh, at }: AtHand, results: JobResults): Promise<ReadonlySet<JobName>> {
  try {
    return await jobsOutOfTime(gh, at, results);
  } catch (error) {
    say(`whether a job ran out of time can't be told: ${explain(error)}`);
    return new Set();
  }
}

const journalsOf = async (hand: AtHand, shards: readonly Shard[] | null, folder: string): Promise<Journals> =>
  (shards === null ? { journal: await fetchJournal(hand, folder), files: ['samples.ndjson'] } : await fetchJournals(hand, shards, folder));

/** Null: one machine measured all. How many there are says the plan, never a machine. */
function shardsOf({ env }: AtHand): Shard[] | null {
  const json = env['PERF_LAB_SHARDS'] ?? '';
  return json === '' ? null : readShards(json, readMachines(trustedPlan(env), required(env, 'PERF_LAB_PLAN_DIGEST')));
}
