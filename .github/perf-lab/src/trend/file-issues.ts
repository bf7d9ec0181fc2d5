import type { Workplace } from '../process/environment.ts';
import { issueLines, titleOf } from './issue-body.ts';
import { bodyOf, createIssue, fateOf, setIssue, type OwnIssue, type Tracker } from './issues.ts';
import { readSaid, saidLine, type Said } from './marker.ts';
import { isFiled, type Change, type Trend } from '../history/trend-file.ts';

/** What the summary says of a change's issue. */
export type Standing = 'filed' | 'updated' | 'closed' | 'reopened' | 'closed-by-a-person' | 'gone' | 'moved' | 'edited' | 'over-before' | 'too-many';
export interface Filed {
  readonly change: Change;
  readonly number: number | null;
  readonly standing: Standing;
}

export interface Filing {
  readonly tracker: Tracker;
  readonly trend: Trend;
  readonly own: readonly OwnIssue[];
  /** The issue of each change, as we remember it: tells an issue that somebody deleted from one that was never made. */
  readonly remembered: ReadonlyMap<string, number>;
  readonly program: string;
}

/** More at once would be a broken lab and not so many regressions, and GitHub limits who writes too fast. */
export const MOST_NEW = 10;

/** One issue for each confirmed change for the worse: filed, kept up to date, closed, opened again. What people did to it is respected. */
export async function fileIssues(filing: Filing): Promise<Filed[]> {
  const { trend, own } = filing;
  const changes = trend.changes.filter(isFiled).sort((a, b) => a.after.started.localeCompare(b.after.started));
  const told = new Map<OwnIssue, Change>();    // of several changes that share an issue, the newest is the one it tells
  const rest: Change[] = [];
  for (const change of changes) {
    const issue = issueOf(change, own, changes);
    if (issue === null) rest.push(change);
    else told.set(issue, change);
  }
  const filed: Filed[] = [];
  for (const [issue, change] of told) filed.push({ change, number: issue.number, standing: await update(filing, issue, change) });
  let made = 0;
  for (const change of rest) {
    const known = filing.remembered.get(change.id);
    if (known !== undefined) filed.push({ change, number: known, standing: await fateOf(filing.tracker, known) });
    else if (change.status === 'recovered') filed.push({ change, number: null, standing: 'over-before' });
    else if (made >= MOST_NEW) filed.push({ change, number: null, standing: 'too-many' });
    else {
      made++;
      filed.push({ change, number: await create(filing, change), standing: 'filed' });
    }
  }
  return filed;
}

async function create({ tracker, trend, program }: Filing, change: Change): Promise<number> {
  const kind = { changes: [change.id] };
  return (await createIssue(tracker, kind, titleOf(change), bodyOf(kind, saidLine('confirmed'), issueLines(tracker.at, change, { all: trend.changes, program })))).number;
}

const idsOf = ({ kind }: OwnIssue): readonly string[] => (kind === 'summary' ? [] : kind.changes);

/** Its own issue; or that of an earlier change of the same program which was over, because this is its return. */
function issueOf(change: Change, issues: readonly OwnIssue[], changes: readonly Change[]): OwnIssue | null {
  const own = issues.find(issue => idsOf(issue).includes(change.id));
  if (own !== undefined || change.status === 'recovered') return own ?? null;
  const { series } = change.members[0]!;
  const over = changes.filter(other => other.status === 'recovered' && other.after.started < change.after.started && other.members.some(member => member.series === series)).map(({ id }) => id);
  return issues.findLast(issue => idsOf(issue).length > 0 && idsOf(issue).every(id => over.includes(id))) ?? null;
}

async function update({ tracker, trend, program }: Filing, issue: OwnIssue, change: Change): Promise<Standing> {
  const isNew = !idsOf(issue).includes(change.id);
  const before = readSaid(issue.body);
  const said: Said = change.status === 'recovered' ? 'recovered' : 'confirmed';
  const kind = { changes: isNew ? [...idsOf(issue), change.id].slice(-50) : idsOf(issue) };
  const lines = issueLines(tracker.at, change, { all: trend.changes, program });
  const returns = isNew ? ['**It returned.** An earlier change of the same program, told here before, had been taken back.', ''] : [];
  const body = bodyOf(kind, saidLine(said), [...returns, ...lines], issue.body);
  // Closed by us is what we said last; closed and not by us was a person's decision, which holds until something new happens.
  const mayOpen = isNew || before === 'recovered';
  const state = said === 'recovered' ? 'closed' : !issue.isOpen && mayOpen ? 'open' : undefined;
  if (state === undefined && !issue.isOpen) return 'closed-by-a-person';
  await setIssue(tracker, issue, { body, state });
  return state === 'closed' ? 'closed' : state === 'open' ? 'reopened' : 'updated';
}

export const numbersOf = (filed: readonly Filed[], remembered: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...remembered, ...filed.flatMap(({ change, number }) => (number === null ? [] : [[change.id, number] as const]))]);

export const linkToIssue = (at: Workplace, number: number): string => `[#${number}](${at.serverUrl}/${at.owner}/${at.repo}/issues/${number})`;
