import { runUrl, type Workplace } from '../process/environment.ts';
import { code } from '../text/untrusted.ts';
import { linkToCommit } from '../thread/links.ts';
import { BRANCH } from '../history/branch.ts';
import { linkToIssue, type Filed, type Standing } from './file-issues.ts';
import type { Change, Trend } from '../history/trend-file.ts';
import { compareLink, day, isCommit, memberName, place, signed, size } from './words.ts';

export const SUMMARY_TITLE = 'perf-lab: weekly performance';

export interface Measured {
  /** The runner's answer in one sentence, and its report. */
  readonly answer: string;
  readonly report: string;
  readonly falseFlags: { readonly flagged: number; readonly runs: number; readonly low: number; readonly high: number } | null;
}

export interface SummaryOf {
  readonly at: Workplace;
  /** Why this run did not measure or publish all, in sentences; empty: all went well. */
  readonly failures: readonly string[];
  /** Null: nothing was measured this time. */
  readonly measured: Measured | null;
  readonly commits: { readonly head: string; readonly anchor: string } | null;
  readonly machine: string;
  readonly suite: string;
  /** Null: the history could not be looked at. */
  readonly trend: Trend | null;
  readonly filed: readonly Filed[];
  /** What the confirming session came to; null when there was none. */
  readonly confirmed: string | null;
  readonly cost: { readonly minutes: number; readonly price: number | null } | null;
  readonly lastSuccess: string | null;
  /** About the data branch. */
  readonly notes: readonly string[];
}

const STANDING: Readonly<Record<Standing, string>> = {
  'filed': 'open', 'updated': 'open', 'closed': 'closed: it recovered', 'reopened': 'open', 'closed-by-a-person': 'closed by somebody, left so',
  'gone': 'its issue was deleted, left so', 'moved': 'its issue was moved to another repository, left so', 'edited': 'its issue was edited and has no mark of ours any more, left so',
  'over-before': 'over before it was confirmed', 'too-many': 'waits: too many at once',
};

const MOST_ROWS = 40;

/** The one summary, edited in place: what was measured, what moved, how much to believe, what it cost, what has grown old. */
export function summaryLines(summary: SummaryOf): string[] {
  const { at, failures, measured, commits, trend, notes } = summary;
  return [
    ...(failures.length === 0 ? [] : ['**The last run did not succeed.**', '', ...failures.map(failure => `- ${failure}`), '']),
    ...(measured === null || commits === null ? [] : [
      `### ${measured.answer}`, '',
      `Head ${linkToCommit(at, commits.head)} against the anchor ${linkToCommit(at, commits.anchor)}, suite \`${summary.suite}\` on \`${summary.machine}\`, in [this run](${runUrl(at)}). What is slower than the anchor need not be new: below is what changed.`, '',
    ]),
    ...(trend === null ? [] : trendLines(summary, trend)),
    '### How much to believe', '',
    ...believed(summary), '',
    ...(notes.length === 0 ? [] : ['### The history', '', ...notes.map(note => `- ${note}`), '']),
    ...(measured === null ? [] : ['<details><summary>This week\'s report: every cell, hygiene and machine, reproduction</summary>', '', measured.report.trimEnd(), '', '</details>', '']),
    `The history is on the branch [\`${BRANCH}\`](${at.serverUrl}/${at.owner}/${at.repo}/tree/${BRANCH}). This issue is edited by the weekly run; what you write below the last line of this text stays.`,
  ];
}

function trendLines({ at, filed, confirmed }: SummaryOf, trend: Trend): string[] {
  const of = (status: Change['status']): Change[] => trend.changes.filter(change => change.status === status);
  const open = filed.filter(({ change }) => change.status === 'confirmed');
  const over = filed.filter(({ change }) => change.status === 'recovered');
  const better = of('confirmed').filter(change => change.members[0]!.change <= 0);
  return [
    '### What changed', '',
    ...(confirmed === null ? [] : [confirmed, '']),
    ...table('Slower, and confirmed by an experiment', open, at),
    ...table('Recovered', over, at),
    ...list('Faster, and confirmed', better, change => `${members(change)}: ${size(change.experiment?.change ?? change.members[0]!.change)} after ${place(at, change.before)}${compareLink(at, change)}`),
    ...list('Waiting for an experiment, one a run', of('due'), change => `${members(change)}: ${size(change.members[0]!.change)} between ${place(at, change.before)} and ${place(at, change.after)}${change.confirm === null ? '; its commits can\'t be named on a command line, so it is yours to measure' : ''}`),
    ...list('Seen once, not clear yet', of('watched'), change => `${members(change)}: ${size(change.members[0]!.change)} between ${place(at, change.before)} and ${place(at, change.after)}`),
    ...list('Not found by an experiment', of('not-confirmed').slice(-5), change => `${members(change)}: seen as ${signed(change.members[0]!.change)}, measured as ${change.experiment === null ? 'nothing' : signed(change.experiment.change)}`),
    ...list('The machine, not the program', trend.environment.slice(-5), step => `${code(step.cpu)}: anchors of ${Math.round(100 * step.share)} % of its series became ${size(step.change)} between ${day(step.before.started)} and ${day(step.after.started)}`),
    ...(trend.changes.length + trend.environment.length > 0 ? [] : [`Nothing, in ${trend.series} series over ${trend.sessions} session${trend.sessions === 1 ? '' : 's'}.`, '']),
  ];
}

function believed({ measured, cost, lastSuccess, trend, commits, at }: SummaryOf): string[] {
  const rate = measured?.falseFlags ?? null;
  const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
  return [
    rate === null ? '- False flags: no A/A session is in the history yet (the weekly run makes one unless `aa` is `off`), so the lab\'s own error rate is not known.'
      : `- False flags: ${rate.flagged} of ${rate.runs} A/A sessions flagged something, which is ${percent(rate.low)} to ${percent(rate.high)} of them.`,
    ...(cost === null ? [] : [`- Cost: ${cost.minutes} minute${cost.minutes === 1 ? '' : 's'} of machine time${cost.price === null ? '' : `, ${cost.price.toFixed(2)} in the subscription's currency`}.`]),
    `- Last success: ${lastSuccess ?? 'none yet'}.`,
    ...(trend?.newest == null ? [] : [`- Newest session: ${day(trend.newest.started)}, ${trend.sessions} sessions and ${trend.series} series in all.`]),
    ...(commits === null ? [] : [`- The anchor is ${linkToCommit(at, commits.anchor)}: measure a newer one beside it before it no longer builds (\`next-anchor\`; docs/statistics.md, "Trends").`]),
    ...(trend?.nextAnchor === undefined ? [] : [nextAnchorLine(at, trend.nextAnchor)]),
    ...(trend?.stopped ?? []).slice(0, MOST_ROWS).map(stopped => `- Stopped running: ${memberName(stopped)}, no value in the last ${stopped.missed} sessions, the last on ${day(stopped.last.started)}.`),
    ...(trend?.warnings ?? []).slice(0, MOST_ROWS).map(warning => `- ${code(warning, 400)}`),
  ];
}

/** How far a newer anchor is, and what to do when it can take over. */
function nextAnchorLine(at: Workplace, { to, series, ready, fewest, needed }: NonNullable<Trend['nextAnchor']>): string {
  const name = isCommit(to) ? linkToCommit(at, to) : code(to, 80);
  return ready === series
    ? `- **The anchor to come, ${name}, can take over**: all ${series} series measured both in ${needed} sessions or more. Name it as the anchor and leave \`next-anchor\` empty (in \`trend.yml\`, or the variables \`PERF_LAB_TREND_ANCHOR\` and \`PERF_LAB_TREND_NEXT_ANCHOR\`): every series goes on.`
    : `- The anchor to come is ${name}: ${ready} of ${series} series measured both in ${needed} sessions or more (the fewest: ${fewest}). Keep the anchor until all have: a series without them begins anew.`;
}

const members = ({ members: [first, ...more] }: Change): string => `${memberName(first!)}${more.length === 0 ? '' : ` and ${more.length} more`}`;

const table = (title: string, filed: readonly Filed[], at: Workplace): string[] => filed.length === 0 ? [] : [
  `**${title}**`, '', '| issue | what | change | since | |', '|---|---|---:|---|---|',
  ...filed.slice(-MOST_ROWS).map(({ change, number, standing }) =>
    `| ${number === null ? '' : linkToIssue(at, number)} | ${members(change)} | ${signed(change.experiment?.change ?? change.members[0]!.change)} | ${day(change.after.started)} | ${STANDING[standing]} |`),
  '',
];

const list = <T>(title: string, rows: readonly T[], words: (row: T) => string): string[] =>
  rows.length === 0 ? [] : [`**${title}**`, '', ...rows.slice(-MOST_ROWS).map(row => `- ${words(row)}`), ''];
