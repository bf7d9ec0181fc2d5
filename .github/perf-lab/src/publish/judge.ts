import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { parseFormat } from '../text/file.ts';
import { BadFile } from '../text/json-scan.ts';
import { code, fence } from '../text/untrusted.ts';
import { runRunner } from '../process/run-runner.ts';

const Count = z.int().min(0);
// Only what decides the check's title and conclusion, and the lab's own error rate. Every sentence and table comes from the report.
export const ComparisonFile = z.object({
  schema: z.literal('perf-lab/comparison/1'),
  // Becomes a heading and a check's title, so it is held to signs that are no markup, whatever the runner promises.
  headline: z.string().regex(/^[A-Za-z0-9 ,.:;%()+_-]{1,600}$/, 'is no plain sentence'),
  summary: z.object({
    regressed: Count, improved: Count, unchanged: Count, undecided: Count, tooNoisy: Count, identicalBuild: Count, failed: Count, unavailable: Count,
    doesNotHold: Count.default(0), notSteady: Count.default(0), allocatesMore: Count.default(0), untouched: Count.default(0),
    overBudget: Count.default(0),
  }),
  falseFlags: z.object({ flagged: Count, runs: Count, low: z.number().min(0).max(1), high: z.number().min(0).max(1) }).nullable(),
});
export type Summary = z.infer<typeof ComparisonFile>['summary'];
export type FalseFlags = z.infer<typeof ComparisonFile>['falseFlags'];

export type Judgement =
  | { readonly kind: 'judged'; readonly summary: Summary; readonly answer: string; readonly reports: Reports; readonly falseFlags: FalseFlags }
  | { readonly kind: 'unreadable'; readonly lines: readonly string[] };

/** The runner's report at two lengths; the complete one is in the folder. It leaves out whole sections from the bottom, and says which. */
export interface Reports {
  readonly comment: string;
  readonly jobSummary: string;
}

/** GitHub's limit for a comment is 65,536 characters; all that stands around the report has far less than 4,000. */
export const COMMENT_CHARS = 60_000;
const REPORT_CHARS = COMMENT_CHARS - 4000;
/** GitHub's limit for a job summary is 1 MiB, and a UTF-16 unit has at most three bytes. */
const JOB_SUMMARY_CHARS = 340_000;
const TOO_LONG = 'The report is too long to be shown here. It is with the files of this run.';

export interface Judging {
  readonly runner: string;
  /** Holds the journals; gets `comparison.json`, `report.md` and, where it can be made, `report.html`. */
  readonly folder: string;
  readonly plan: string;
  /** Of one machine, or of each that a plan was spread over. */
  readonly journals?: readonly string[];
  /** The lab whose history knows the measured false-flag rate; without it the report names none. With a budget in it, what is left of that is told, too. */
  readonly root?: string | undefined;
  /** Longest report beside other text of ours; what a comment takes when nothing is said. */
  readonly reportChars?: number;
  /** As much less for the report, where a snippet stands below it. */
  readonly besideChars?: number;
}

/** The runner judges the journal by the plan, never by what the journal says of itself, and writes what it found. */
export async function judge({ runner, folder, plan, journals = ['samples.ndjson'], root, besideChars = 0, reportChars = REPORT_CHARS - besideChars }: Judging): Promise<Judgement> {
  const [file, report, page] = ['comparison.json', 'report.md', 'report.html'].map(name => join(folder, name)) as [string, string, string];
  const clear = (): void => { for (const written of [file, report, page]) rmSync(written, { force: true }); };
  clear();    // what is there afterwards is the runner's
  const compared = await runRunner(runner, ['compare', ...journals.map(journal => join(folder, journal)), '--plan', plan, '--json', '--out', folder], root);
  const refused = (why?: BadFile): Judgement => {
    clear();
    return unreadable(compared, why);
  };
  if (compared.code === 2 || compared.stdout === '') return refused();    // 1: some cells failed, and the rest is told
  const comparison = read(compared.stdout);
  if (comparison instanceof BadFile) return refused(comparison);
  if (!existsSync(report)) return refused();
  // The same with pictures, for who downloads the files: a comment shows none. A page that can't be made costs nobody the verdict.
  if (!existsSync(page)) console.log(`report.html could not be made (${compared.code}): ${code(compared.stderr, 400)}`);
  const complete = readFileSync(report, 'utf8');
  const within = async (chars: number): Promise<string> => {
    if (complete.length <= chars) return complete;
    const cut = await runRunner(runner, ['report', file, '--format', 'markdown', '--max-chars', String(chars)]);
    return cut.code === 0 && cut.stdout.length <= chars ? cut.stdout : TOO_LONG;
  };
  const { summary, headline: answer, falseFlags } = comparison;
  const [comment, jobSummary] = [withoutAnswer(await within(reportChars)), withoutAnswer(await within(JOB_SUMMARY_CHARS))];
  return { kind: 'judged', summary, answer, reports: { comment, jobSummary }, falseFlags };
}

/**
 * The report begins with its answer, which is the heading and the check's title here, and is said once; so are the two commits, which
 * stand below with their links.
 */
function withoutAnswer(report: string): string {
  const said = /^\*\*[A-Za-z0-9 ,.:;%()+_-]{1,600}\*\*\n/.exec(report)?.[0] ?? '';
  const rest = report.slice(said.length).trimStart();
  const arms = rest.slice(0, rest.indexOf('\n') + 1);
  return arms.startsWith('base `source=') && !arms.includes(',') ? rest.slice(arms.length).trimStart() : rest;
}

function read(text: string): z.infer<typeof ComparisonFile> | BadFile {
  try {
    return parseFormat(ComparisonFile, text, 'comparison.json');
  } catch (error) {
    if (error instanceof BadFile) return error;
    throw error;
  }
}

function unreadable({ code: exit, stderr }: { code: number; stderr: string }, why?: BadFile): Judgement {
  const first = why === undefined ? `The journal was refused: \`perf-lab compare\` ended with ${exit}.`
    : `\`perf-lab compare\` ended with ${exit}, and what it printed can't be used: ${code(why.message, 600)}.`;
  return { kind: 'unreadable', lines: [first, '', fence(stderr)] };
}
