import { statusOf, type Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import type { BenchmarkRequest } from '../request/request.ts';

/** What happened to the pull request while it was measured. The measured commit stays what it was; the comment says so. */
export async function whatMoved(gh: Client, at: Workplace, request: BenchmarkRequest): Promise<string[]> {
  try {
    const { data } = await gh.rest.pulls.get({ owner: at.owner, repo: at.repo, pull_number: request.pullRequest });
    return [
      ...(data.head.sha === request.head ? [] : [`**Measured \`${request.head}\`; head is now \`${/^[0-9a-f]{40,64}$/.test(data.head.sha) ? data.head.sha : 'another'}\`.**`]),
      ...(data.state === 'open' ? [] : [`The pull request was ${data.merged ? 'merged' : 'closed'} meanwhile.`]),
    ];
  } catch (error) {
    if (statusOf(error) === 404) return ['The pull request can\'t be read any more.'];
    throw error;
  }
}
