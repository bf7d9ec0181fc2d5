import { Comparison as Files, read } from '../github/answers.ts';
import { statusOf, type Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import type { PullRequest } from './pull-request.ts';
import { Refusal } from '../request/refusal.ts';

/** GitHub lists at most this many files of a comparison. */
const MOST_FILES = 300;

export interface Comparison {
  readonly base: string;
  /** Paths that head changes, old names of renamed ones included. */
  readonly files: readonly string[];
  /** Every path is there. An answer without a list is not "no files". */
  readonly isComplete: boolean;
}

/** Step 6: the base is the merge base of that head, computed once. Everything later uses the two commits only. */
export async function mergeBase(gh: Client, at: Workplace, pull: PullRequest, head: string): Promise<Comparison> {
  try {
    const { data } = await gh.rest.repos.compareCommitsWithBasehead({ owner: at.owner, repo: at.repo, basehead: `${pull.baseTip}...${head}`, per_page: 1 });
    const { merge_base_commit, files } = read(Files, data, 'the comparison of base and head');
    return {
      base: merge_base_commit.sha,
      files: (files ?? []).flatMap(file => file.previous_filename === undefined ? [file.filename] : [file.filename, file.previous_filename]),
      isComplete: files !== undefined && files.length < MOST_FILES,
    };
  } catch (error) {
    if (statusOf(error) === 404) throw new Refusal('unrelated-histories', 'Base and head have no common commit, so there is nothing to compare with. Rebase the branch onto the base branch.');
    throw error;
  }
}
