import { CheckRun, CheckRuns, Created, read } from '../github/answers.ts';
import { statusOf, type Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import { spoken } from '../request/first-word.ts';
import { readState, stateLine, type State } from './state.ts';

export const CHECK_NAME = 'perf-lab';
/** GitHub's limit for a check's summary is 65,535; the rest of the comment's budget applies here too. */
export const MAX_SUMMARY_CHARS = 60_000;

const MAX_TITLE_CHARS = 250;

export type Conclusion = 'success' | 'failure' | 'neutral' | 'cancelled';

/** The check of one request: found by head commit, name and our request's id, which GitHub keeps as `external_id`. */
export interface CheckOf {
  readonly gh: Client;
  readonly at: Workplace;
  readonly head: string;
  readonly request: number;
}

export interface CheckContent {
  readonly status: 'queued' | 'in_progress' | 'completed';
  readonly conclusion?: Conclusion;
  readonly title: string;
  readonly summary: string;
  readonly url: string;
  /** Hidden, as in the comment: what a later job reads where there is no comment. */
  readonly state?: State;
}

/** Creates or updates the check; a lost or malformed answer leads to looking again and never to a second check. */
export async function setCheck(of: CheckOf, content: CheckContent, knownId?: number): Promise<number> {
  const id = knownId ?? await findCheck(of);
  if (id !== null && await update(of, id, content)) return id;
  const listed = id === null ? null : await findCheck(of);    // a 404 once doesn't prove that it is gone
  if (listed !== null) {
    if (await update(of, listed, content)) return listed;
    throw new Error(`the check ${listed} is listed, but setting it is answered with 404: re-run this job`);
  }
  const { gh, at, head, request } = of;
  try {
    const { data } = await gh.rest.checks.create({ owner: at.owner, repo: at.repo, name: CHECK_NAME, head_sha: head, external_id: String(request), ...fields(content, at.word) });
    return read(Created, data, 'the new check').id;
  } catch (error) {
    const there = statusOf(error) >= 400 && statusOf(error) < 500 ? null : await findCheck(of);
    if (there === null) throw error;
    return there;
  }
}

/** Where the request stands by its check; null where that does not say so, or is gone. */
export async function stateOfCheck(of: CheckOf, knownId: number | null): Promise<State | null> {
  const id = knownId ?? await findCheck(of);
  if (id === null) return null;
  try {
    const { data } = await of.gh.rest.checks.get({ owner: of.at.owner, repo: of.at.repo, check_run_id: id });
    return readState(read(CheckRun, data, 'our check').output.summary ?? '');
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

async function update({ gh, at }: CheckOf, id: number, content: CheckContent): Promise<boolean> {
  try {
    await gh.rest.checks.update({ owner: at.owner, repo: at.repo, check_run_id: id, ...fields(content, at.word) });
    return true;
  } catch (error) {
    if (statusOf(error) === 404) return false;    // gone with a force-pushed commit
    throw error;
  }
}

async function findCheck({ gh, at, head, request }: CheckOf): Promise<number | null> {
  const { data } = await gh.rest.checks.listForRef({ owner: at.owner, repo: at.repo, ref: head, check_name: CHECK_NAME, filter: 'all', per_page: 100 });
  const ids = read(CheckRuns, data, 'the checks of the head').filter(check => check.name === CHECK_NAME && check.external_id === String(request)).map(check => check.id);
  return ids.length === 0 ? null : Math.min(...ids);
}

// The link stands in the summary because GitHub replaces `details_url` in checks that GITHUB_TOKEN makes; an app of your own keeps it.
const fields = ({ status, conclusion, title, summary, url, state }: CheckContent, word: string | undefined): object => ({
  status, ...(conclusion === undefined ? {} : { conclusion }), details_url: url,
  output: { title: title.slice(0, MAX_TITLE_CHARS), summary: `[The run: log and files](${url})\n${state === undefined ? '' : `${stateLine(state)}\n`}\n${spoken(summary, word)}`.slice(0, MAX_SUMMARY_CHARS) },
});
