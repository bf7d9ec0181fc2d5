import { Activity, Commit, Events, PullRequest as Pull, read } from '../github/answers.ts';
import { statusOf, type Client } from '../github/client.ts';
import { pages } from '../github/pages.ts';
import type { Workplace } from '../process/environment.ts';
import { code } from '../text/untrusted.ts';
import type { LiveComment } from './comment.ts';
import { Refusal } from '../request/refusal.ts';

export interface PullRequest {
  readonly number: number;
  readonly headSha: string;
  /** Tip of the base branch, from which the merge base is found. */
  readonly baseTip: string;
  readonly isFork: boolean;
  /** Server time of the last push to the head's repository, milliseconds; any branch counts, so it errs on the safe side. */
  readonly pushedAt: number;
  /** The head's branch, the author's text: a parameter of a question to GitHub and nothing else. */
  readonly branch: string;
}

/** Reads the pull request once. */
export async function readPullRequest(gh: Client, at: Workplace, number: number): Promise<PullRequest> {
  const answer = await gh.rest.pulls.get({ owner: at.owner, repo: at.repo, pull_number: number });
  const data = read(Pull, answer.data, 'the pull request');
  if (data.state !== 'open') throw new Refusal('pull-request-closed', 'The pull request is closed. Reopen it, then write the command again.');
  if (data.draft === true) throw new Refusal('pull-request-draft', 'The pull request is a draft. Mark it as ready for review first.');
  if (data.head.repo === null) throw new Refusal('fork-deleted', 'The repository that this pull request comes from was deleted, so its commits can\'t be checked. Open a pull request from a branch that is there.');
  return { number, headSha: data.head.sha, baseTip: data.base.sha, isFork: data.head.repo.id !== data.base.repo.id, pushedAt: Date.parse(data.head.repo.pushed_at ?? ''), branch: data.head.ref };
}

/**
 * Step 5: the commit that is measured is the one the requester saw. Between comment and checkout an attacker has seconds to push
 * (time of check, time of use), so a fork needs the commit in the command, and a branch must not have moved since.
 */
export async function fixHead(gh: Client, at: Workplace, pull: PullRequest, comment: LiveComment, sha: string | null): Promise<string> {
  if (!/^[0-9a-f]{40}$/.test(pull.headSha)) throw new Refusal('sha-is-not-head', 'The head commit has no 40-digit name; repositories with SHA-256 names are not supported.');
  if (sha === null && pull.isFork) throw new Refusal('fork-needs-sha', `This pull request comes from a fork, so the command must name the commit that you reviewed. The head is now \`${pull.headSha}\`: look at it, then write the command with it at the end.`);
  if (sha !== null && !pull.headSha.startsWith(sha)) throw new Refusal('sha-is-not-head', `${code(sha)} is not the head of this pull request, which is \`${pull.headSha}\`: look at it, then write the command with that.`);
  if (sha?.length === 40) return pull.headSha;    // decisive by itself
  if (!(pull.pushedAt < comment.createdAt) && !await stoodStill(gh, at, pull, comment)) throw new Refusal('branch-moved', `The branch changed after your comment. Look at it, then repeat the command with \`${pull.headSha}\` at the end.`);
  // 48 bits can be met by chance work: somebody can make two commits with the same 12 digits and swap them.
  if (sha !== null && await resolve(gh, at, sha) !== pull.headSha) throw new Refusal('sha-ambiguous', `${code(sha)} may mean more than one commit. Give all 40 digits: \`${pull.headSha}\`.`);
  return pull.headSha;
}

/**
 * Something was pushed to the repository since the comment: merge queues, bots and the lab's own data branch push all day. GitHub tells what became of a single branch
 * (`GET /repos/{owner}/{repo}/activity`, docs.github.com); whatever it can't say counts as a push. The newest entry must also be the head that was read: the list may lag.
 */
async function stoodStill(gh: Client, at: Workplace, { isFork, branch, headSha }: PullRequest, comment: LiveComment): Promise<boolean> {
  if (isFork) return false;
  try {
    const ref = `refs/heads/${branch}`;
    const { data } = await gh.rest.repos.listActivities({ owner: at.owner, repo: at.repo, ref, direction: 'desc', per_page: 1 });
    const [last] = read(Activity, data, 'the pushes to this branch');
    return last?.ref === ref && last.after === headSha && Date.parse(last.timestamp) < comment.createdAt;
  } catch (error) {
    if (statusOf(error) >= 400 && statusOf(error) < 500) return false;    // a server without it, a token that may not ask
    throw error;
  }
}

async function resolve(gh: Client, at: Workplace, sha: string): Promise<string | null> {
  try {
    const { data } = await gh.rest.repos.getCommit({ owner: at.owner, repo: at.repo, ref: sha, per_page: 1, page: 2 });
    return read(Commit, data, 'the commit').sha;
  } catch (error) {
    const status = statusOf(error);
    if (status === 404 || status === 409 || status === 422) return null;
    throw error;
  }
}

const MAX_EVENT_PAGES = 300;
/** By somebody; by GitHub, when the branch below a stacked pull request was merged and deleted; and the same branch with another history. */
const RETARGETS = ['base_ref_changed', 'automatic_base_change_succeeded', 'base_ref_force_pushed'];

/** The base branch must be the one the requester saw, too: a retarget changes what "base" means. */
export async function refuseRetarget(gh: Client, at: Workplace, pull: PullRequest, comment: LiveComment): Promise<void> {
  // Oldest first: giving up quietly would miss the newest, which are the ones that count.
  const list = {
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/events', parameters: { owner: at.owner, repo: at.repo, issue_number: pull.number },
    rows: Events, what: 'the events of this pull request', mostPages: MAX_EVENT_PAGES,
  };
  for await (const page of pages(gh, list)) {
    if (page.some(event => RETARGETS.includes(event.event) && Date.parse(event.created_at) >= comment.createdAt)) {
      throw new Refusal('base-changed', 'The base branch of the pull request was changed after your comment. Write the command again.');
    }
  }
}
