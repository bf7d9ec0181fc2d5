import type { Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import { fetchFile, isOurs, ISSUES_FILE, readBranch } from '../history/branch.ts';
import { MOST_ISSUES } from './marker.ts';

const ABOUT = '# The issue of each change that the weekly trend has filed: one that somebody deletes is not filed again.';
const LINE = /^([0-9a-f]{12}) ([1-9][0-9]{0,9})$/;

/** The issue of each change, as it lies on the data branch beside the journals: the summary, which tells it too, is an issue that people may delete. */
export const issuesFile = (numbers: ReadonlyMap<string, number>): ReadonlyMap<string, Buffer> =>
  new Map([[ISSUES_FILE, Buffer.from([ABOUT, ...[...numbers].slice(-MOST_ISSUES).map(([id, number]) => `${id} ${number}`), ''].join('\n'))]]);

/** None where we did not leave the branch so ourselves: a number that is made up would keep a regression from being filed. */
export async function readIssueNumbers(gh: Client, at: Workplace, me: number): Promise<ReadonlyMap<string, number>> {
  const { head, issues } = await readBranch(gh, at);
  if (head === null || issues === null || !await isOurs(gh, at, head, me)) return new Map();
  const text = (await fetchFile(gh, at, issues))?.toString('utf8') ?? '';
  return new Map(text.split('\n').map(line => LINE.exec(line)).filter(found => found !== null).map(([, id, number]) => [id!, Number(number)]));
}
