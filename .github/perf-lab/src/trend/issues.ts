import { Created, Issue, Issues, read } from '../github/answers.ts';
import { failureOf, statusOf, type Client } from '../github/client.ts';
import { pages } from '../github/pages.ts';
import type { Workplace } from '../process/environment.ts';
import { END, markerLine, readMarker, readMemory, type Kind, type Memory } from './marker.ts';

/** The issues of a repository, as the trend sees them. */
export interface Tracker {
  readonly gh: Client;
  readonly at: Workplace;
  /** Our own user id. */
  readonly me: number;
}

export interface OwnIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly isOpen: boolean;
  readonly kind: Kind;
}

const MAX_PAGES = 300;
/** For people's filters, and to find ours among many at once. It does not matter when somebody deletes it. */
export const LABEL = 'perf-lab';
const MAX_BODY = 65_536;

/** The repository keeps no issues, so there is nowhere to say anything. */
export class NoIssues extends Error {}

const asIssue = (issue: Issue, me: number): OwnIssue[] => {
  const kind = issue.user?.id === me && issue.pull_request === undefined ? readMarker(issue.body ?? '') : null;
  return kind === null ? [] : [{ number: issue.number, title: issue.title, body: issue.body ?? '', isOpen: issue.state === 'open', kind }];
};

/**
 * Open and closed ones of our own user with a marker, the oldest first. By their label first, because a repository may have 100,000 others: when the summary is among
 * them, it remembers the rest by number, whatever people did to labels. Otherwise all are read. GitHub could sort out the rest by `creator`, but does not find apps on
 * every kind of server (renovatebot/renovate#44730), and who finds nothing files everything again.
 */
export async function ownIssues(tracker: Tracker): Promise<OwnIssue[]> {
  const labelled = await listIssues(tracker, { labels: LABEL });
  const summary = labelled.find(({ kind }) => kind === 'summary');
  const own = summary === undefined ? await listIssues(tracker, {}) : [...labelled, ...await remembered(tracker, readMemory(summary.body), labelled)];
  return own.sort((a, b) => a.number - b.number);
}

async function remembered(tracker: Tracker, { issues }: Memory, known: readonly OwnIssue[]): Promise<OwnIssue[]> {
  const own: OwnIssue[] = [];
  for (const number of new Set(issues.values())) {
    if (!known.some(one => one.number === number)) own.push(...await oneIssue(tracker, number));
  }
  return own;
}

/** Nothing where it was deleted, moved elsewhere, or is none of ours any more: what became of it is asked for once more where that is told. */
async function oneIssue({ gh, at, me }: Tracker, number: number): Promise<OwnIssue[]> {
  try {
    return asIssue(read(Issue, (await gh.rest.issues.get({ owner: at.owner, repo: at.repo, issue_number: number })).data, `issue ${number}`), me);
  } catch (error) {
    const status = statusOf(error);
    if (status === 404 || status === 410 || /was redirected \(30[1278]\)/.test((error as Error).message)) return [];
    throw error;
  }
}

async function listIssues({ gh, at, me }: Tracker, more: Readonly<Record<string, string>>): Promise<OwnIssue[]> {
  const own: OwnIssue[] = [];
  const list = {
    route: 'GET /repos/{owner}/{repo}/issues', rows: Issues, what: 'our issues', mostPages: MAX_PAGES,
    parameters: { owner: at.owner, repo: at.repo, state: 'all', sort: 'created', direction: 'asc', ...more },
  };
  try {
    for await (const page of pages(gh, list)) own.push(...page.flatMap(issue => asIssue(issue, me)));
  } catch (error) {
    throw isDisabled(error) ? new NoIssues(DISABLED) : error;
  }
  return own;
}

const DISABLED = 'This repository has its issues switched off, so the weekly trend has nowhere to report: turn them on (Settings, General, Features), or take trend.yml away. What was measured is kept';

// 410 is GitHub's answer for a repository without issues, and for a single issue that was deleted.
const isDisabled = (error: unknown): boolean => statusOf(error) === 410 && /disabled/i.test(failureOf(error).message);

/** What became of an issue that we once made and that is not in the list. */
export type Fate = 'gone' | 'moved' | 'edited';

export async function fateOf({ gh, at }: Tracker, number: number): Promise<Fate> {
  try {
    read(Issue, (await gh.rest.issues.get({ owner: at.owner, repo: at.repo, issue_number: number })).data, `issue ${number}`);
    return 'edited';    // it is there, and without our first line
  } catch (error) {
    const status = statusOf(error);
    if (status === 404 || status === 410) return 'gone';
    if (/was redirected \(30[1278]\)/.test((error as Error).message)) return 'moved';
    throw error;
  }
}

/** Our part, and under it what people wrote there. */
export function bodyOf(kind: Kind, state: string, lines: readonly string[], before = ''): string {
  const at = before.indexOf(END);
  const theirs = at < 0 ? '' : before.slice(at + END.length);
  const ours = [markerLine(kind), state, ...lines, END].join('\n');
  return `${ours}${theirs.slice(0, Math.max(0, MAX_BODY - ours.length))}`;
}

/**
 * One issue a marker, however often this runs or is cut off: look, create, look again, keep the oldest. A create whose answer was lost may have
 * happened, so it is judged by what is there and never sent twice.
 */
export async function createIssue(tracker: Tracker, kind: Kind, title: string, body: string): Promise<OwnIssue> {
  const { gh, at } = tracker;
  let failure: unknown = new Error('the issue was created and is not there');
  for (const labels of [[LABEL], []]) {
    try {
      const { data } = await gh.rest.issues.create({ owner: at.owner, repo: at.repo, title, body, labels });
      const made = read(Created.extend({ number: Issue.shape.number }), data, 'the new issue');
      return { number: made.number, title, body, isOpen: true, kind };
    } catch (error) {
      if (isDisabled(error)) throw new NoIssues(DISABLED);
      failure = error;
      // A label that is not there is made by GitHub, or refused where the token may not make one: the issue matters more.
      const isOfLabel = (statusOf(error) === 422 || statusOf(error) === 403) && /label/i.test(failureOf(error).message);
      if (!isOfLabel) break;
    }
  }
  if (statusOf(failure) >= 400 && statusOf(failure) < 500) throw failure;
  const [first] = (await ownIssues(tracker)).filter(issue => markerLine(issue.kind) === markerLine(kind));
  if (first === undefined) throw failure;
  return first;
}

/** Sets body and state in one call, so that what we say and what is closed never part. Nothing is sent when both are so already. */
export async function setIssue({ gh, at }: Tracker, issue: OwnIssue, change: { readonly body: string; readonly state?: 'open' | 'closed' | undefined; readonly title?: string }): Promise<void> {
  const isOpen = change.state === undefined ? issue.isOpen : change.state === 'open';
  if (issue.body === change.body && issue.isOpen === isOpen && (change.title ?? issue.title) === issue.title) return;
  await gh.rest.issues.update({
    owner: at.owner, repo: at.repo, issue_number: issue.number, body: change.body, ...(change.title === undefined ? {} : { title: change.title }),
    ...(isOpen === issue.isOpen ? {} : isOpen ? { state: 'open' as const, state_reason: 'reopened' as const } : { state: 'closed' as const, state_reason: 'completed' as const }),
  });
}
