import { PullRequest, read } from '../github/answers.ts';
import { runUrl } from '../process/environment.ts';
import { line, code } from '../text/untrusted.ts';
import { setCheck } from '../thread/check.ts';
import { ownComments, updateComment } from '../thread/comments.ts';
import { SNIPPET_FOLD } from '../thread/bodies.ts';
import { linkToComment, linkToCommit } from '../thread/links.ts';
import { withSentences } from '../thread/accepted.ts';
import { newestOf, requestsAmong, type KnownRequest } from '../thread/requests.ts';
import { isEnd } from '../thread/state.ts';
import type { Asked } from './asked.ts';
import { Refusal } from '../request/refusal.ts';

const MOST_ROWS = 20;

/**
 * `/benchmark accept REASON`: somebody who may write takes what got slower or allocates more in the last verdict upon himself. The check of that very commit turns
 * green; name, reason and rows go into the comment with the verdict. It holds for that verdict only: a push or another measurement asks again.
 */
export async function acknowledge(asked: Asked, reason: string): Promise<Readonly<Record<string, string | number>>> {
  const { gh, at, thread, comment, runs } = asked;
  // A later request that was refused, failed or was cancelled has no verdict, and takes none away.
  const last = await newestOf(requestsAmong(await ownComments(thread)).filter(({ state }) => state.stage === 'done' || !isEnd(state.stage)), runs);
  if (last === null) throw new Refusal('nothing-to-accept', 'There is no verdict on this pull request yet.');
  if (last.state.stage !== 'done') throw new Refusal('nothing-to-accept', `[The last request](${linkToComment(at, thread.pullRequest, last.comment.id)}) is still under way. Wait for its verdict, or cancel it: \`/benchmark cancel\`.`);
  const { data } = await gh.rest.pulls.get({ owner: at.owner, repo: at.repo, pull_number: thread.pullRequest });
  const { head } = read(PullRequest, data, 'the pull request');
  if (head.sha !== last.state.head) throw new Refusal('verdict-outdated', `The last verdict is about ${linkToCommit(at, last.state.head)}, but the head is now ${linkToCommit(at, head.sha)}: have that one measured first.`);
  const rows = worseRows(last);
  if (rows.length === 0) throw new Refusal('nothing-to-accept', 'Nothing got slower or allocates more in the last verdict.');

  const more = rows.length > MOST_ROWS ? ` and ${rows.length - MOST_ROWS} more` : '';
  const login = line(comment.login, 100).replace(/[^A-Za-z0-9_-]/g, '');
  const sentence = `**Accepted** by [${login}](${at.serverUrl}/${login}): ${code(reason)}. Rows: ${rows.slice(0, MOST_ROWS).join(', ')}${more}.`;
  await updateComment(thread, last.comment, withSentences(withoutMarker(last.comment.body), [sentence]));
  const request = 'request' in last.comment.marker ? last.comment.marker.request : 0;
  await setCheck({ gh, at, head: head.sha, request }, { status: 'completed', conclusion: 'success', title: `regressions accepted by ${login}`, summary: sentence, url: runUrl({ ...at, runId: last.state.run }) });
  return { decision: 'done' };
}

// The marks are the runner's own, of what regressed and of what allocates more or differs (RowMark.cs). The names behind it stand in code spans, in pieces where a phone may
// break them; a second one, in a line of its own, is the arm. Open or folded, each row is there once.
function worseRows({ comment }: KnownRequest): string[] {
  const found = [...comment.body.split(SNIPPET_FOLD, 1)[0]!.matchAll(/^\| (?:🔴|🟠) [^|\n]*\| ((?:`[^`|\n]{1,400}`(?:<wbr>|<br>)?){1,60}) \|[^|\n]*\|$/gm)];
  return [...new Set(found.map(([, names]) => names!.replaceAll('`<wbr>`', '').replaceAll('<br>', ' ')))];
}

// The marker is the first line, and updateComment writes it anew.
const withoutMarker = (body: string): string => body.split(/\r?\n/).slice(1).join('\n');
