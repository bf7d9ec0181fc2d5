import { runUrl } from '../process/environment.ts';
import type { AtHand } from '../process/request-at-hand.ts';
import { commandLine } from '../request/words.ts';
import { COMMENT_BUDGET, fit } from '../text/sections.ts';
import { endBody } from '../thread/bodies.ts';
import type { Ending } from './ending.ts';

/** The last word: what was measured, what came of it, what to do next. The report between is cut by sections, these lines never. */
export function finalBody(hand: AtHand, ending: Ending, moved: readonly string[]): string {
  const { request, at, machine } = hand;
  const head = [
    `### perf-lab: ${ending.title}`,
    '',
    ...moved.flatMap(sentence => [sentence, '']),
    `Head \`${request.head}\` against its merge base \`${request.base}\` on \`${machine}\`: \`${commandLine(request.words)}\``,
    '',
  ];
  const foot = [
    '',
    `Raw files and the complete report: [this run](${runUrl(at)}). \`/benchmark rerun\` repeats it; \`/benchmark help\` says what else can be asked.`,
  ];
  const rest = COMMENT_BUDGET - endBody(ending.stage, hand, [...head, ...foot]).length - 300;
  return endBody(ending.stage, hand, [...head, fit(ending.sections, rest), ...foot]);
}
