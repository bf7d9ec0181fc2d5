import type { Workplace } from '../process/environment.ts';
import { linkToCommit } from '../thread/links.ts';
import { code } from '../text/untrusted.ts';
import type { Change, Member, Place } from '../history/trend-file.ts';

/** "8.1 % slower": whether the value is a time or a throughput. */
export const size = (change: number): string => `${(100 * Math.abs(change)).toFixed(1)} % ${change > 0 ? 'slower' : 'faster'}`;

/** "+8.1 %". */
export const signed = (change: number): string => `${change < 0 ? '-' : '+'}${(100 * Math.abs(change)).toFixed(1)} %`;

export const day = (started: string): string => new Date(started).toISOString().slice(0, 10);

export const isCommit = (text: string | null): text is string => text !== null && /^[0-9a-f]{12,40}$/.test(text);

/** A commit as a link; what is none, as code. */
export const place = (at: Workplace, { commit, started }: Place): string =>
  `${isCommit(commit) ? linkToCommit(at, commit) : commit === null ? 'an unnamed commit' : code(commit, 80)} (${day(started)})`;

export const compareLink = (at: Workplace, { before, after }: Change): string =>
  isCommit(before.commit) && isCommit(after.commit) ? ` ([commits between](${at.serverUrl}/${at.owner}/${at.repo}/compare/${before.commit}...${after.commit}))` : '';

/** "primes limit=300, throughput" in code. */
export const memberName = ({ workload, values, metric }: Pick<Member, 'workload' | 'values' | 'metric'>): string =>
  code([workload, ...Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}=${value}`)].join(' ') + `, ${metric}`);

/** A name in a title, which has no code spans: as manifests have it. What is none, or reads like a commit or an issue, is not repeated. */
export const titleName = (name: string): string => (/^[a-z][a-z0-9._-]{0,63}$/.test(name) && !/^[0-9a-f]{7,}$|^gh-[0-9]/.test(name) ? name : 'a program');

const PLAIN = /^[A-Za-z0-9_@%+=:./][A-Za-z0-9_@%+=:./-]*$/;

/** The words that measure the commits before and after a change again; null when they can't be said on a command line. */
export function experimentWords({ members: [first], before, after }: Change): string[] | null {
  const { workload, values } = first!;
  if (!isCommit(before.commit) || !isCommit(after.commit) || ![workload, ...Object.entries(values).flat()].every(word => PLAIN.test(word))) return null;
  return [workload, '--base', `source=${before.commit}`, '--head', `source=${after.commit}`, ...Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([name, value]) => ['--set', `${name}=${value}`]), '--rounds', '0+28'];
}
