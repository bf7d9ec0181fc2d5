import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readConfig } from '../request/names.ts';
import { Jobs } from '../github/answers.ts';
import { pages } from '../github/pages.ts';
import { required } from '../process/environment.ts';
import { say } from '../process/main.ts';
import { writeSummary } from '../process/outputs.ts';
import { parseFormat } from '../text/file.ts';
import { code } from '../text/untrusted.ts';
import type { AtHand } from './at-hand.ts';
import { append, readBranch, strangersSince } from '../history/branch.ts';
import { fileIssues, numbersOf, type Filed } from './file-issues.ts';
import { fetchBundle, filesOf, look as lookAt, type Look } from '../history/history.ts';
import { issuesFile, readIssueNumbers } from './issue-numbers.ts';
import { bodyOf, createIssue, NoIssues, ownIssues, setIssue, type OwnIssue, type Tracker } from './issues.ts';
import { memoryLine, readMemory, type Memory } from './marker.ts';
import { failuresOf, readResults } from './results.ts';
import { journalOf, judgeSession, takeJournal } from './session.ts';
import { SUMMARY_TITLE, summaryLines, type Measured } from './summary.ts';
import type { Trend } from '../history/trend-file.ts';
import { day } from './words.ts';

const Notes = z.array(z.string());

/**
 * The last job: keeps the sessions on the data branch, then files and closes issues, then edits the summary. In this order, and each step finds
 * what it did before: a run that broke off is finished by the next one, or by running this job again. 0 only when this week was measured and all is told.
 */
export async function publish(hand: AtHand): Promise<number> {
  const { gh, at, env, me } = hand;
  const tracker: Tracker = { gh, at, me };
  const failures = failuresOf(readResults(env), env);
  const looked = existsSync(hand.history.bundle) ? await lookAgain(hand) : null;
  const measured = journalOf(hand, 'weekly') === null ? null : await measuredOf(hand);
  if (measured === null && failures.length === 0) failures.push('No journal of this week can be used; the log of the job `look` says why.');

  // First what is known of the branch from before, then what we add to it: numbers of a stranger's are overwritten before the newest commit is ours again.
  const left = await readIssueNumbers(gh, at, me);
  const files = looked === null ? null : filesOf(hand.history);
  const kept = files === null ? null : await append(gh, at, new Map([...files, ...issuesFile(left)]));
  const own = await issuesOrWhy(tracker, failures);
  const old = own.list.find(issue => issue.kind === 'summary') ?? null;
  const memory = readMemory(old?.body ?? '');
  const remembered = new Map([...left, ...memory.issues]);
  const strange = kept === null || memory.data === null ? [] : await strangersSince(gh, at, memory.data, kept.head, me);
  const filed = looked === null || own.isMissing ? [] : await fileIssues({ tracker, trend: looked.trend, own: own.list, remembered, program: env['PERF_LAB_PROGRAM'] ?? '' });

  const isSuccess = failures.length === 0;
  const success = isSuccess ? day(looked?.trend.newest?.started ?? new Date().toISOString()) : memory.success;
  const lines = summaryLines({
    at, failures, measured, filed, machine: env['PERF_LAB_MACHINE'] ?? '', suite: env['PERF_LAB_SUITE'] ?? '', trend: looked?.trend ?? null, lastSuccess: success,
    commits: env['PERF_LAB_HEAD'] ? { head: env['PERF_LAB_HEAD'], anchor: required(env, 'PERF_LAB_ANCHOR') } : null,
    confirmed: looked === null ? null : experimentLine(looked, env['PERF_LAB_CHANGE'] ?? ''), cost: await costOf(hand), notes: [...strange, ...(looked?.notes ?? []), ...(kept?.notes ?? [])],
  });
  writeSummary(env, lines.join('\n'));    // needs no call: the result is never lost
  const numbers = numbersOf(filed, remembered);
  // All files once more: what somebody pushed meanwhile must not stand under a commit of ours as if we had left it so.
  if (files !== null) await append(gh, at, new Map([...files, ...issuesFile(numbers)]));
  if (!own.isMissing) await tell(tracker, old, { data: kept?.head ?? memory.data, success, issues: numbers }, lines);
  said(filed);
  failures.forEach(failure => { say(failure); });
  return isSuccess ? 0 : 1;
}

/** Without issues what was measured is kept all the same, and the job's own summary tells it. */
async function issuesOrWhy(tracker: Tracker, failures: string[]): Promise<{ list: readonly OwnIssue[]; isMissing: boolean }> {
  try {
    return { list: await ownIssues(tracker), isMissing: false };
  } catch (error) {
    if (!(error instanceof NoIssues)) throw error;
    failures.push(`${error.message}.`);
    return { list: [], isMissing: true };
  }
}

interface Looked extends Look { readonly notes: readonly string[] }

/** Once more, now with the experiment, and with what somebody else put on the branch meanwhile. */
async function lookAgain(hand: AtHand): Promise<Looked> {
  const { gh, at, env, me, history, folder } = hand;
  const told = join(folder, 'notes.json');
  const notes = existsSync(told) ? [...parseFormat(Notes, readFileSync(told), 'notes.json')] : [];
  const branch = await readBranch(gh, at);
  await fetchBundle(gh, at, { ...branch, state: null, notes: [] }, me, history);    // the state in the bundle is `look`'s, and newer
  for (const [name, input, what] of [['confirm', 'PERF_LAB_CONFIRM_PLAN_DIGEST', 'The experiment of this run'], ['aa', 'PERF_LAB_AA_PLAN_DIGEST', 'The session of head against itself']] as const) {
    const refused = env[input] ? await takeJournal(hand, name) : null;
    if (refused !== null) notes.push(`${what} does not count: ${refused}`);
  }
  const journals = (['weekly', 'aa', 'confirm'] as const).map(name => journalOf(hand, name)).filter(path => path !== null);
  const { trend, problems } = await lookAt(history, journals);
  return { trend, problems, notes: [...new Set([...notes, ...problems])] };
}

async function measuredOf(hand: AtHand): Promise<Measured | null> {
  const judged = await judgeSession(hand, 'weekly');
  return judged.kind === 'judged' ? { answer: judged.answer, report: judged.reports.comment, falseFlags: judged.falseFlags } : null;
}

/** Verdicts of an experiment that was not measured, because it would have measured the same twice. */
const SAME = ['identical-build', 'untouched'];

const experimentLine = ({ trend }: { readonly trend: Trend }, id: string): string | null => {
  const change = trend.changes.find(one => one.id === id);
  if (change === undefined) return null;
  if (SAME.includes(change.experiment?.verdict ?? '')) return `Nothing that it runs differs between the commits around the change ${code(id)}: they were not measured, and the machine changed there.`;
  const words: Readonly<Record<string, string>> = { 'confirmed': 'confirmed it', 'recovered': 'confirmed it', 'not-confirmed': 'did not find it', 'environment': 'did not find it, and the machine changed there' };
  return `This run measured the commits around the change ${code(id)} against each other, and ${words[change.status] ?? 'says nothing about it: no values, or another make of machine than the weeks\' (hosted machines differ). The next run tries again'}.`;
};

/** Minutes in which the run held its machine. */
async function costOf({ gh, at, env }: AtHand): Promise<{ minutes: number; price: number | null } | null> {
  const list = {
    route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs',
    parameters: { owner: at.owner, repo: at.repo, run_id: at.runId, attempt_number: at.runAttempt }, rows: Jobs, what: 'the jobs of this run', mostPages: 3,
  };
  let seconds = 0;
  for await (const page of pages(gh, list)) {
    for (const { name, started_at, completed_at } of page) {
      if (/(^| \/ )measure$/.test(name) && started_at && completed_at) seconds += Math.max(0, Date.parse(completed_at) - Date.parse(started_at)) / 1000;
    }
  }
  if (seconds === 0) return null;
  const machine = env['PERF_LAB_MACHINE'], config = env['PERF_LAB_CONFIG'] ?? '';
  const price = machine && existsSync(config) ? readConfig(config).machines.get(machine)?.pricePerHour ?? null : null;
  return { minutes: Math.ceil(seconds / 60), price: price === null ? null : price * seconds / 3600 };
}

async function tell(tracker: Tracker, old: OwnIssue | null, memory: Memory, lines: readonly string[]): Promise<void> {
  const body = bodyOf('summary', memoryLine(memory), lines, old?.body);
  // Somebody closed it: it is still the one place, and stays closed.
  if (old === null) await createIssue(tracker, 'summary', SUMMARY_TITLE, body);
  else await setIssue(tracker, old, { body });
}

const said = (filed: readonly Filed[]): void => {
  for (const { change, number, standing } of filed) say(`change ${change.id}: ${standing}${number === null ? '' : `, issue ${number}`}`);
};
