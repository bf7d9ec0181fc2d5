import type { Change } from './changes.ts';
import { reasonFor } from './survivors.ts';

export interface Tried {
  readonly file: string;
  readonly mutants: number;
  readonly seconds: number;
  readonly survivors: readonly { readonly number: number; readonly line: string; readonly at: number; readonly to: string }[];
}

/** Number and text of the line that a change made. */
export function lineOf(text: string, { at, end, to }: Change): { number: number; line: string } {
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const next = text.indexOf('\n', end);
  const line = `${text.slice(from, at)}${to}${text.slice(end, next < 0 ? undefined : next)}`.replace(/\s+/g, ' ').trim();
  return { number: text.slice(0, at).split('\n').length, line: line.length > 160 ? shortened(line, at - from, to) : line };
}

// Of a long line the part around the change.
function shortened(line: string, at: number, to: string): string {
  const from = Math.max(0, at - 70);
  return `${from > 0 ? '…' : ''}${line.slice(from, at + to.length + 70).trim()}…`;
}

const percent = (part: number, whole: number): string => `${(100 * part / whole).toFixed(1)} %`;
const sum = (tried: readonly Tried[], of: (one: Tried) => number): number => tried.reduce((all, one) => all + of(one), 0);

export interface Source { readonly file: string; readonly isHeld: boolean; readonly tried: Tried | null }

/** docs/results/github-mutations.md. */
export function page(sources: readonly Source[], where: string, leftOut: number): string {
  const of = (isHeld: boolean): Tried[] => sources.flatMap(source => (source.isHeld === isHeld && source.tried !== null ? [source.tried] : []));
  const [held, others, notRun] = [of(true), of(false), sources.filter(({ tried }) => tried === null).map(({ file }) => `\`${file}\``)];
  return [
    `# Mutations of the GitHub side: ${percent(survivorsOf(held), mutantsOf(held))} unnoticed where a fault hurts most`,
    '',
    'Made by `PERF_LAB_WRITE=1 npm run mutate` in `.github/perf-lab`. `./perf-lab test --all` runs the same for the first table, without writing, and fails when more than 5 % survive there, a survivor has no reason, or a reason no survivor.',
    'Files were tried one or a few at a time, what survived once more after each new test; the seconds are the sum.',
    `Last run: ${where}`,
    '',
    'A mutant is one change of one file: a condition turned to true or false, a comparison or an operator to its neighbour, a block or function emptied, a list or object emptied, a word taken out of a list of words,',
    'a method such as `filter` or `trim` left out, a `?.` made a `.`, a regular expression without an anchor or a quantifier. They are Stryker\'s kinds but for texts: sentences are for people, and tests quote them where they decide.',
    `Each is tried by the tests that reach its function (all that load the file when it is carried out at load), until one fails. Not asked: ${leftOut} tests that take more than three seconds, and those of faults, malformed answers and the contract, which`,
    'try thousands of inputs: what only they notice, no test is about. The last line of a command, which starts it as a process, is left alone.',
    '',
    '## Held to 5 %',
    '',
    ...table(held),
    '',
    '## Tried, and not held yet',
    '',
    'Survivors here were not looked at one by one; many are gaps in the tests.',
    '',
    ...table(others),
    '',
    notRun.length === 0 ? 'Every file was tried.' : `Not tried at all: ${notRun.join(', ')}.`,
    '',
    '## Survivors of the first table',
    '',
    '| where | the line as changed | why no test should find it |',
    '|---|---|---|',
    ...held.flatMap(({ file, survivors }) => survivors.map(({ number, line }) => `| ${file}:${number} | ${cell(line)} | ${reasonFor(file, line) ?? '**none yet**'} |`)),
    '',
  ].join('\n');
}

const mutantsOf = (tried: readonly Tried[]): number => sum(tried, one => one.mutants);
const survivorsOf = (tried: readonly Tried[]): number => sum(tried, one => one.survivors.length);

function table(tried: readonly Tried[]): string[] {
  const row = (name: string, all: number, left: number, seconds: number): string => `| ${name} | ${all} | ${all - left} | ${left} | ${percent(left, all)} | ${seconds.toFixed(0)} |`;
  return [
    '| file | mutants | noticed | survived | survived | seconds |',
    '|---|--:|--:|--:|--:|--:|',
    ...tried.map(one => row(`[${one.file}](../../.github/perf-lab/${one.file})`, one.mutants, one.survivors.length, one.seconds)),
    row('**all**', mutantsOf(tried), survivorsOf(tried), sum(tried, one => one.seconds)),
  ];
}

const cell = (line: string): string => {
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}${longest > 0 ? ' ' : ''}${line.replaceAll('|', '\\|')}${longest > 0 ? ' ' : ''}${mark}`;
};
