import { runUrl } from '../process/environment.ts';
import type { AtHand } from '../process/request-at-hand.ts';
import { commandLine } from '../request/words.ts';
import { endBody } from '../thread/bodies.ts';
import { linkToBoth, linkToComment } from '../thread/links.ts';
import type { Ending } from './ending.ts';
import type { Now } from './moved.ts';

/** What is not part of the answer, and may be missing. */
export interface Around {
  readonly now: Now;
  /** `@login`; null: nobody is mentioned. */
  readonly requester: string | null;
  readonly stale: string | null;
}

/** The last word: the answer in one sentence, for whom and about what, what was measured, what to do next. */
export function finalBody(hand: AtHand, ending: Ending, { now: { moved, again }, requester, stale }: Around): string {
  const { request, at, machine } = hand;
  const whose = requester === null ? 'The answer to' : `${requester}, the answer to`;
  return endBody(ending.stage, hand, [
    `### perf-lab: ${ending.title}`,
    '',
    ...moved.flatMap(sentence => [sentence, '']),
    `${whose} [the command](${linkToComment(at, request.pullRequest, request.commentId)}) \`${commandLine(request.words)}\` on \`${machine}\`: ${linkToBoth(at, request)}.`,
    '',
    ending.reports.comment.trimEnd(),
    '',
    ...(stale === null ? [] : [`**Warning**: ${stale}`, '']),
    `Raw files and the complete report: [this run](${runUrl(at)}). ${again === null ? '' : `\`${again}\` repeats it; `}\`/benchmark help\` says what ${again === null ? '' : 'else '}can be asked.`,
  ]);
}
