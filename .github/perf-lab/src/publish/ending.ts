import type { Conclusion } from '../thread/check.ts';
import type { Stage } from '../thread/state.ts';
import { fence } from '../text/untrusted.ts';
import { headline, type Judgement, type Reports, type Summary } from './judge.ts';
import type { Journal } from './journal.ts';
import type { Wrong } from './job-results.ts';

/** How a request ends: what the comment, the check and the reaction say. */
export interface Ending {
  readonly stage: Extract<Stage, 'done' | 'failed' | 'cancelled'>;
  readonly title: string;
  readonly conclusion: Conclusion;
  readonly reaction: 'rocket' | 'confused';
  /** What follows the heading. */
  readonly reports: Reports;
}

export interface Found {
  readonly wrong: Wrong | null;
  readonly journal: Journal;
  readonly judgement: Judgement | null;
  readonly buildLog: string | null;
  /** A regression makes the check fail. */
  readonly isGate: boolean;
}

/** A pure decision over everything that was found. A journal that was cut still tells what was measured until then. */
export function endingOf(found: Found): Ending {
  const { wrong, judgement } = found;
  if (judgement?.kind !== 'judged') return withoutReport(found);
  const { summary, reports } = judgement;
  const what = headline(summary);
  if (wrong !== null) {
    const title = wrong.cancelled ? `cancelled; measured until then: ${what}` : `partly measured: ${what}`;
    const stage = wrong.cancelled ? 'cancelled' : 'failed';
    return { stage, title, conclusion: 'neutral', reaction: 'confused', reports: after(`${wrong.sentence} What follows was measured before.`, reports) };
  }
  return { stage: 'done', title: what, conclusion: conclusionOf(summary, found.isGate), reaction: summary.failed > 0 ? 'confused' : 'rocket', reports };
}

const after = (sentence: string, { comment, jobSummary }: Reports): Reports => ({ comment: `${sentence}\n\n${comment}`, jobSummary: `${sentence}\n\n${jobSummary}` });

// Green only says "measured, and nothing got slower"; what could not be measured or decided is neutral.
function conclusionOf({ regressed, improved, unchanged, failed, tooNoisy }: Summary, isGate: boolean): Conclusion {
  if (regressed > 0) return isGate ? 'failure' : 'neutral';
  return failed === 0 && tooNoisy === 0 && improved + unchanged > 0 ? 'success' : 'neutral';
}

function withoutReport({ wrong, journal, judgement, buildLog }: Found): Ending {
  const lines = [
    wrong?.sentence ?? 'Every job ended well, but there is no journal to judge.',
    ...(journal.kind === 'refused' ? [journal.sentence] : []),
    ...(judgement?.kind === 'unreadable' ? judgement.lines : []),
    ...(buildLog === null ? [] : ['', 'The last lines of the build:', '', fence(buildLog.slice(-8000).trimEnd().split('\n').slice(-40).join('\n'))]),
  ];
  return { stage: wrong?.cancelled === true ? 'cancelled' : 'failed', title: wrong?.title ?? 'no result', conclusion: 'neutral', reaction: 'confused', reports: { comment: lines.join('\n'), jobSummary: lines.join('\n') } };
}
