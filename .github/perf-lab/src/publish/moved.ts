import { PullRequest, read } from '../github/answers.ts';
import { statusOf, type Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import type { BenchmarkRequest } from '../request/request.ts';
import { linkToCommit } from '../thread/links.ts';

/** The pull request now that all is measured. */
export interface Now {
  /** What happened to it meanwhile. The measured commit stays what it was; the comment says so. */
  readonly moved: readonly string[];
  /** The command that repeats the request, in words that work on this pull request; null where none would. */
  readonly again: string | null;
}

export async function pullRequestNow(gh: Client, at: Workplace, request: BenchmarkRequest): Promise<Now> {
  try {
    const { data } = await gh.rest.pulls.get({ owner: at.owner, repo: at.repo, pull_number: request.pullRequest });
    const { head, base, state, merged, draft } = read(PullRequest, data, 'the pull request');
    const isFork = head.repo?.id !== base.repo.id;
    return {
      moved: [
        ...(head.sha === request.head ? [] : [`**Measured ${linkToCommit(at, request.head)}; head is now ${linkToCommit(at, head.sha)}.**`]),
        ...(state === 'open' ? [] : [`The pull request was ${merged === true ? 'merged' : 'closed'} meanwhile.`]),
      ],
      again: state !== 'open' || draft === true || head.repo === null ? null : isFork ? `/benchmark rerun ${head.sha}` : '/benchmark rerun',
    };
  } catch (error) {
    if (statusOf(error) === 404) return { moved: ['The pull request can\'t be read any more.'], again: null };
    throw error;
  }
}
