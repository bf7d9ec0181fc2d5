import type { Conclusion } from '../thread/check.ts';
import type { Stage } from '../thread/state.ts';
import { code, fence } from '../text/untrusted.ts';
import type { Judgement, Reports, Summary } from './judge.ts';
import type { Journal } from '../fleet/journal.ts';
import type { Wrong } from '../process/job-results.ts';

/** `regression`: something became slower. `allocations`: something allocates more, whatever its time says. `budget`: a change overspends what is left since the anchor. */
export const GATES = ['regression', 'allocations', 'budget'] as const;
export type Gate = typeof GATES[number];

/** How a request ends: what the comment, the check and the reaction say. */
export interface Ending {
  readonly stage: Extract<Stage, 'done' | 'failed' | 'cancelled'>;
  readonly title: string;
  readonly conclusion: Conclusion;
  /** Why the check is neither green nor red; null when it is one of the two. */
  readonly whyNeutral: string | null;
  readonly reaction: 'rocket' | 'confused';
  /** The job that says it shall be run again, so it ends red. */
  readonly isUnfinished?: true;
  /** What it makes sense to type next, beside what always does. */
  readonly offers: readonly ('confirm' | 'accept')[];
  /** Whether a journal was judged, so that there are a report and its page among the files of the run. */
  readonly isJudged: boolean;
  /** What follows the heading. */
  readonly reports: Reports;
}

export interface Found {
  readonly wrong: Wrong | null;
  readonly journal: Journal;
  readonly judgement: Judgement | null;
  readonly buildLog: string | null;
  /** A sentence about files that are gone, after what went wrong. */
  readonly more?: string;
  /** What makes the check fail. */
  readonly failOn: readonly Gate[];
  /** Words of `fail-on` that are none of those: who wrote them wants a check that can fail, so it does. */
  readonly notGates?: readonly string[];
  /** Why nobody can say whether the budget is overspent, where the check should fail for that; null: it was judged, or nobody asked. */
  readonly budgetUnknown?: string | null;
}

/** A pure decision over everything that was found. A journal that was cut still tells what was measured until then. */
export function endingOf(found: Found): Ending {
  const { wrong, judgement, journal } = found;
  const notes = journal.kind === 'there' ? [...journal.notes ?? []] : [];
  if (judgement?.kind !== 'judged') return withoutReport(found);
  const { summary, answer, reports } = judgement;
  if (wrong !== null) {
    const title = wrong.cancelled ? `cancelled; measured until then: ${answer}` : `partly measured: ${answer}`;
    const stage = wrong.cancelled ? 'cancelled' : 'failed';
    const follows = wrong.follows ?? 'What follows was measured before.';
    return { stage, title, conclusion: 'neutral', whyNeutral: wrong.sentence, reaction: 'confused', offers: [], isJudged: true, reports: after([wrong.sentence, ...notes, follows], reports) };
  }
  const isWrong = found.notGates !== undefined && found.notGates.length > 0, unknown = found.budgetUnknown ?? null;
  const judged = conclusionOf(summary, found.failOn), conclusion = isWrong ? 'failure' : judged === 'success' && unknown !== null ? 'neutral' : judged;
  const why = conclusion === 'neutral' ? judged === 'neutral' ? whyNeutral(summary) : unknown : null;
  if (isWrong) notes.unshift(wrongGates(found.notGates));
  return { stage: 'done', title: answer, conclusion, whyNeutral: why, reaction: summary.failed > 0 ? 'confused' : 'rocket', offers: offersOf(summary), isJudged: true, reports: after(notes, reports) };
}

const wrongGates = (words: readonly string[]): string =>
  `**The check fails because of its own setting**: \`fail-on\` of the workflow has ${words.slice(0, 3).map(word => code(word, 40)).join(', ')}; it takes ${GATES.slice(0, -1).map(gate => `\`${gate}\``).join(', ')} and \`${GATES.at(-1)}\`, with commas.`;

// What moved is worth a second look; what got worse can be taken upon oneself.
const offersOf = ({ regressed, improved, doesNotHold, allocatesMore }: Summary): Ending['offers'] =>
  (regressed > 0 ? ['confirm', 'accept'] : [...(improved + doesNotHold > 0 ? ['confirm'] as const : []), ...(allocatesMore > 0 ? ['accept'] as const : [])]);

function after(sentences: readonly string[], reports: Reports): Reports {
  const told = sentences.join(' ');
  return told === '' ? reports : { comment: `${told}\n\n${reports.comment}`, jobSummary: `${told}\n\n${reports.jobSummary}` };
}

// Green only says "measured, and nothing got slower or allocates more", or that nothing that is measured changed; what could not be measured or decided is neutral.
function conclusionOf({ regressed, improved, unchanged, untouched, undecided, failed, unavailable, notSteady, tooNoisy, doesNotHold, allocatesMore, overBudget }: Summary, failOn: readonly Gate[]): Conclusion {
  const flagged = { regression: regressed, allocations: allocatesMore, budget: overBudget };
  if (failOn.some(gate => flagged[gate] > 0)) return 'failure';
  if (regressed + allocatesMore + overBudget > 0) return 'neutral';
  const answered = improved + unchanged > 0 || (untouched > 0 && undecided === 0);
  return failed === 0 && unavailable === 0 && notSteady === 0 && tooNoisy === 0 && doesNotHold === 0 && answered ? 'success' : 'neutral';
}

function whyNeutral({ regressed, improved, unchanged, untouched, failed, unavailable, notSteady, tooNoisy, identicalBuild, undecided, doesNotHold, allocatesMore, overBudget }: Summary): string {
  if (regressed > 0) return 'Something regressed, and this workflow lets that pass (`fail-on: regression` makes it fail).';
  if (allocatesMore > 0) return 'Something allocates more, and this workflow lets that pass (`fail-on: allocations` makes it fail).';
  if (overBudget > 0) return 'A change overspends the budget since the anchor, and this workflow lets that pass (`fail-on: budget` makes it fail).';
  if (failed > 0) return 'Nothing regressed where that could be told, but some rows failed.';
  if (doesNotHold > 0) return 'Nothing regressed every time it was measured, but something was flagged once and not again.';
  if (notSteady > 0) return 'Nothing regressed where that could be told, but programs were still warming up when they were measured.';
  if (tooNoisy > 0) return 'Nothing regressed where that could be told, but some rows were too noisy to say.';
  if (unavailable > 0 && improved + unchanged + untouched + undecided > 0) return 'Nothing regressed where that could be told, but some rows are only on one side or could not be had here.';
  if (undecided > 0) return 'Nothing was decided: no change was found, and a change above the margin was not ruled out either.';
  return identicalBuild > 0 ? 'Nothing was measured: base and head build the same bits.' : 'Nothing could be compared.';
}

function withoutReport({ wrong, journal, judgement, buildLog, more }: Found): Ending {
  const why = wrong?.sentence ?? (journal.kind === 'none' ? 'No job failed, but nothing that was measured came back; the log of the run says what was done.'
    : 'No job failed, but what was measured can\'t be used. Measure it again with `/benchmark rerun`; if it comes again, the log of the run helps who looks into it.');
  const lines = [
    why,
    ...(more === undefined || more === why ? [] : [more]),
    ...(journal.kind === 'refused' ? [journal.sentence] : []),
    ...(judgement?.kind === 'unreadable' ? judgement.lines : []),
    ...(buildLog === null ? [] : ['', 'The last lines of the build:', '', fence(buildLog.slice(-8000).trimEnd().split('\n').slice(-40).join('\n'))]),
  ];
  const text = lines.join('\n');
  return { stage: wrong?.cancelled === true ? 'cancelled' : 'failed', title: wrong?.title ?? 'no result', conclusion: 'neutral', whyNeutral: why, reaction: 'confused', offers: [], isJudged: false, reports: { comment: text, jobSummary: text } };
}
