import type { Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import { parseCommand } from '../request/command.ts';
import type { CommentEvent } from './event.ts';
import { Refusal } from './refusal.ts';

const DAY = 86_400_000;
const MAX_PAGES = 10;

/** Step 8, first half: how often was asked in the last 24 hours, counted from the comments themselves. Help and status are free. */
export async function refuseTooMany(gh: Client, at: Workplace, event: CommentEvent, perUserPerDay: number, now: number): Promise<void> {
  let user = 0;
  let pull = 0;
  let pages = 0;
  const where = { owner: at.owner, repo: at.repo, since: new Date(now - DAY).toISOString(), sort: 'created', direction: 'desc', per_page: 100 } as const;
  for await (const page of gh.paginate.iterator(gh.rest.issues.listCommentsForRepo, where)) {
    for (const comment of page.data) {
      if (Date.parse(comment.created_at) < now - DAY || Number(comment.id) >= event.commentId || !costs(comment.body ?? '')) continue;
      if (Number(comment.user?.id) === event.userId) user++;
      if (comment.issue_url.endsWith(`/issues/${event.pullRequest}`)) pull++;
    }
    if (++pages >= MAX_PAGES) break;
  }
  if (user >= perUserPerDay) throw new Refusal('user-limit', `You have asked ${user} times in the last 24 hours; the limit of this lab is ${perUserPerDay} (perf-lab.yaml, \`github.budget.per-user-per-day\`).`);
  const perPull = perPullRequest(perUserPerDay);
  if (pull >= perPull) throw new Refusal('pull-request-limit', `This pull request was measured or asked for ${pull} times in the last 24 hours; the limit of this lab is ${perPull}, twice that of a person.`);
}

export const perPullRequest = (perUserPerDay: number): number => 2 * perUserPerDay;

function costs(body: string): boolean {
  const command = parseCommand(body);
  return command.kind === 'run' || (command.kind === 'verb' && command.verb === 'rerun');
}
