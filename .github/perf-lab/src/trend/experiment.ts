import { writeFileSync } from 'node:fs';
import { Commit, read } from '../github/answers.ts';
import { statusOf, type Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import { runRunner } from '../process/run-runner.ts';
import { code, line } from '../text/untrusted.ts';
import { distance } from '../history/branch.ts';
import type { Change, Trend } from '../history/trend-file.ts';
import { experimentWords } from './words.ts';

export interface Experiment {
  readonly change: string;
  readonly before: string;
  readonly after: string;
}

export interface Choice {
  readonly experiment: Experiment | null;
  /** Sentences about changes that can't be confirmed. */
  readonly notes: readonly string[];
}

export interface Choosing {
  readonly gh: Client;
  readonly at: Workplace;
  /** The head of the default branch; only commits before it are built. */
  readonly head: string;
  readonly trend: Trend;
  readonly runner: string;
  /** The manifests of the default branch. */
  readonly root: string;
  /** Where the plan goes. */
  readonly plan: string;
}

/**
 * The change to confirm in this run: of those that are due, the clearest whose commits are on the default branch and whose plan can be made. One
 * a run: the others wait, and a run by hand takes the next. Commits and names come from journals, so nothing of them is believed: both
 * commits must be GitHub's own, before head; the runner looks the names up.
 */
export async function chooseExperiment(choosing: Choosing): Promise<Choice> {
  const notes: string[] = [];
  const due = choosing.trend.changes.filter(change => change.status === 'due' && change.confirm !== null).sort((a, b) => a.members[0]!.pValue - b.members[0]!.pValue);
  for (const change of due) {
    const words = experimentWords(change);
    const [before, after] = [await onDefaultBranch(choosing, change.before.commit), await onDefaultBranch(choosing, change.after.commit)];
    if (words === null || before === null || after === null) {
      notes.push(`The change ${code(change.id)} can't be confirmed: a commit of it is not on the default branch any more.`);
      continue;
    }
    const planned = await plan(choosing, words, change, before, after);
    if (planned === null) return { experiment: { change: change.id, before, after }, notes };
    notes.push(planned);
  }
  return { experiment: null, notes };
}

async function onDefaultBranch({ gh, at, head }: Choosing, commit: string | null): Promise<string | null> {
  if (commit === null || !/^[0-9a-f]{12,40}$/.test(commit)) return null;
  try {
    const { sha } = read(Commit, (await gh.rest.repos.getCommit({ owner: at.owner, repo: at.repo, ref: commit, per_page: 1 })).data, 'a commit of the history');
    if (!sha.startsWith(commit) || sha.length !== 40) return null;
    const status = (await distance(gh, at, sha, head))?.status;
    return status === 'ahead' || status === 'identical' ? sha : null;
  } catch (error) {
    if (statusOf(error) === 404 || statusOf(error) === 422) return null;
    throw error;
  }
}

/** Null: made. Otherwise a sentence. */
async function plan({ runner, root, plan: path }: Choosing, words: readonly string[], change: Change, before: string, after: string): Promise<string | null> {
  const full = words.map(word => (word === `source=${change.before.commit}` ? `source=${before}` : word === `source=${change.after.commit}` ? `source=${after}` : word));
  const made = await runRunner(runner, ['plan', ...full, '--checkouts', '.'], root);
  if (made.code === 0) {
    writeFileSync(path, made.stdout);
    return null;
  }
  return `The change ${code(change.id)} can't be planned: ${code(line(made.stderr, 300))}.`;
}
