import { runUrl } from '../process/environment.ts';
import type { AtHand } from '../process/request-at-hand.ts';
import { commandLine } from '../request/words.ts';
import { endBody } from '../thread/bodies.ts';
import type { Ending } from './ending.ts';

/** GitHub's limit is 65,536 characters for a comment. */
export const COMMENT_CHARS = 60_000;

/** The last word: what was measured, what came of it, what to do next. */
export function finalBody(hand: AtHand, ending: Ending, moved: readonly string[]): string {
  const { request, at, machine } = hand;
  const around = (report: string): string => endBody(ending.stage, hand, [
    `### perf-lab: ${ending.title}`,
    '',
    ...moved.flatMap(sentence => [sentence, '']),
    `Head \`${request.head}\` against its merge base \`${request.base}\` on \`${machine}\`: \`${commandLine(request.words)}\``,
    '',
    report.trimEnd(),
    '',
    `Raw files and the complete report: [this run](${runUrl(at)}). \`/benchmark rerun\` repeats it; \`/benchmark help\` says what else can be asked.`,
  ]);
  const body = around(ending.reports.comment);
  return body.length <= COMMENT_CHARS ? body : around('The report is too long to be shown here. It is with the files of this run.');
}
