import { runUrl } from '../process/environment.ts';
import type { AtHand } from '../process/request-at-hand.ts';
import { commandLine } from '../request/words.ts';
import { endBody } from '../thread/bodies.ts';
import type { Ending } from './ending.ts';

/** The last word: what was measured, what came of it, what to do next. */
export function finalBody(hand: AtHand, ending: Ending, moved: readonly string[]): string {
  const { request, at, machine } = hand;
  return endBody(ending.stage, hand, [
    `### perf-lab: ${ending.title}`,
    '',
    ...moved.flatMap(sentence => [sentence, '']),
    `Head \`${request.head}\` against its merge base \`${request.base}\` on \`${machine}\`: \`${commandLine(request.words)}\``,
    '',
    ending.reports.comment.trimEnd(),
    '',
    `Raw files and the complete report: [this run](${runUrl(at)}). \`/benchmark rerun\` repeats it; \`/benchmark help\` says what else can be asked.`,
  ]);
}
