import { runUrl } from '../process/environment.ts';
import type { AtHand } from '../thread/request-at-hand.ts';
import { commandLine } from '../request/words.ts';
import { endBody, snippetFold } from '../thread/bodies.ts';
import { linkToBoth, linkToComment } from '../thread/links.ts';
import type { Ending } from './ending.ts';
import type { Now } from './moved.ts';

/** What is not part of the answer, and may be missing. */
export interface Around {
  readonly now: Now;
  /** `@login`; null: nobody is mentioned. */
  readonly requester: string | null;
  readonly stale: string | null;
  /** Id of the artifact `report.html`, which a browser opens as it is; null: it was not kept. */
  readonly page: number | null;
}

/** The last word: the answer in one sentence, what was measured, what to type next; then for whom and about what. */
export function finalBody(hand: AtHand, ending: Ending, { now: { moved, again }, requester, stale, page }: Around): string {
  const { request, at, machine } = hand;
  const whose = requester === null ? 'The answer to' : `${requester}, the answer to`;
  return endBody(ending.stage, hand, [
    `### perf-lab: ${ending.title}`,
    '',
    ...moved.flatMap(sentence => [sentence, '']),
    ending.reports.comment.trimEnd(),
    ...snippetFold(request),
    '',
    ...(stale === null ? [] : [`**Warning**: ${stale}`, '']),
    next(ending, moved.length > 0, again, request.words.within),
    '',
    `${whose} [the command](${linkToComment(at, request.pullRequest, request.commentId)}) \`${commandLine(request.words)}\` on \`${machine}\`: ${linkToBoth(at, request)}. ${files(ending, runUrl(at), page)}`,
  ]);
}

function files({ isJudged, stage }: Ending, run: string, page: number | null): string {
  if (!isJudged) return `The log: [this run](${run}).`;
  const raw = `[raw files](${run}#artifacts)${stage === 'done' ? '' : ` and the [log](${run})`}`;
  return page === null ? `The ${raw}.` : `Every round as a picture: [report.html](${run}/artifacts/${page}). The ${raw}.`;
}

/** What can be typed now. What regressed can only be accepted while its commit is the head. */
function next({ offers }: Ending, hasMoved: boolean, again: string | null, within: number | null): string {
  const words = [
    ...(again !== null && offers.includes('confirm') ? [`\`${again.replace('rerun', 'confirm')}\` ${hasMoved ? 'measures the new head' : within === null ? 'repeats it' : 'measures it in fixed rounds'}, and measures what moves once more`] : []),
    ...(again !== null && offers.includes('accept') && !hasMoved ? ['`/benchmark accept REASON` lets it pass'] : []),
    ...(again === null ? [] : [`\`${again}\` ${hasMoved ? 'measures the new head' : 'repeats it'}`]),
    `\`/benchmark help\` says what ${again === null ? '' : 'else '}can be asked`,
  ];
  return `**Next**: ${words.join('; ')}.`;
}
