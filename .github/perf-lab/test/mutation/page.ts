import type { Change } from './changes.ts';
import { BY_HAND } from './by-hand.ts';
import { reasonFor } from './survivors.ts';

export interface Survivor { readonly number: number; readonly line: string }

/** What is known of one file: nothing yet of `open` of its mutants. */
export interface Tried {
  readonly file: string;
  readonly mutants: number;
  readonly open: number;
  readonly seconds: number;
  readonly survivors: readonly Survivor[];
}

/** How the run went that the page is of. */
export interface Run {
  /** Date, versions, machine, load. */
  readonly where: string;
  readonly seconds: number;
  readonly tests: number;
  readonly leftOut: number;
  /** Mutants that were tried in it; of the others, what earlier runs found still held. */
  readonly mutants: number;
}

/** Number and text of the line that a change made. */
export function lineOf(text: string, { at, end, to }: Change): Survivor {
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

/** README.md of this folder. */
export function page(all: readonly Tried[], { where, seconds, tests, leftOut, mutants }: Run): string {
  const tried = all.filter(one => one.open === 0), left = all.filter(one => one.open > 0).map(({ file, mutants, open }) => `\`${file}\` (${open} of ${mutants})`);
  const minutes = (of: number): string => `${Math.ceil(of / 60)} minutes`;
  return [
    `# Mutations of the GitHub side: ${percent(survivorsOf(tried), mutantsOf(tried))} of ${mutantsOf(tried)} unnoticed`,
    '',
    'Made by `PERF_LAB_WRITE=1 npm run mutate` in `.github/perf-lab`. `./perf-lab test --all` runs the same over all of `src`, without writing, and fails when more than 5 % survive, a survivor has no reason, or a reason no survivor.',
    'It goes on where a run was stopped: what it found lies in `out/mutations`, which a fresh clone does not have. A survivor is asked about again whenever any file of `src` or `test` has changed, so a new one can\'t pass.',
    `Last run: ${where} It tried ${mutants} mutants in ${minutes(seconds)}${mutants < mutantsOf(tried) ? '; for the others, what earlier runs found still holds: neither the file nor the tests that noticed have changed since' : ''}. All together took ${minutes(sum(tried, one => one.seconds))}.`,
    '',
    'A mutant is one change of one file: a condition turned to true or false, a comparison or an operator to its neighbour, a block or function emptied, a list or object emptied, a word taken out of a list of words,',
    'a method such as `filter` or `trim` left out, a `?.` made a `.`, a regular expression without an anchor or a quantifier. They are Stryker\'s kinds but for texts: sentences are for people, and tests quote them where they decide.',
    `Each is tried by those of ${tests} tests that reach its function, or name the constant that it is in, until one fails. A failure that takes longer than a second counts when it comes twice, because machines can be busy; a test that takes`,
    'two seconds and three times as long as it does without the change has failed, too, unless the machine is too slow for it as it is at that moment.',
    `Not asked: ${leftOut} tests that take more than three seconds, and those of faults, malformed answers and the contract, which try thousands of inputs: what only they notice, no test is about. The last line of a command, which starts it as`,
    'a process, is left alone.',
    '',
    ...table(tried),
    '',
    left.length === 0 ? 'Every file that has code was tried.' : `Files with mutants that were not tried since the file or the test that noticed them changed, left out of the table: ${left.join(', ')}.`,
    '',
    '## Survivors',
    '',
    '| where | the line as changed | why no test should find it |',
    '|---|---|---|',
    ...tried.flatMap(({ file, survivors }) => survivors.map(({ number, line }) => `| ${file}:${number} | ${cell(line)} | ${reasonFor(file, line) ?? '**none yet**'} |`)),
    '',
    ...byHand(),
  ].join('\n');
}

/** Changes that no rule makes, each with the test that catches it. */
const byHand = (): string[] => [
  '## Changes by hand', '',
  'What is looser than it should be and still looks right. `PERF_LAB_TEST_ALL=1 npx vitest run test/mutation/by-hand.test.ts` makes each in a copy and runs the test that is named.', '',
  '| file | was | as changed | caught by |', '|---|---|---|---|', ...byHandRows(), '',
];

export const byHandRows = (): string[] => BY_HAND.map(({ file, from, to, test, name }) =>
  `| ${file.replace('.github/perf-lab/', '')} | ${cell(oneLine(from))} | ${to === '' ? 'left out' : cell(oneLine(to))} | ${test.split('/').at(-1)} \`${name}\` |`);

const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, ' ');

const mutantsOf = (tried: readonly Tried[]): number => sum(tried, one => one.mutants);
const survivorsOf = (tried: readonly Tried[]): number => sum(tried, one => one.survivors.length);

function table(tried: readonly Tried[]): string[] {
  const row = (name: string, all: number, left: number, seconds: number): string => `| ${name} | ${all} | ${all - left} | ${left} | ${percent(left, all)} | ${seconds.toFixed(0)} |`;
  return [
    '| file | mutants | noticed | survived | survived | seconds |',
    '|---|--:|--:|--:|--:|--:|',
    ...tried.map(one => row(`[${one.file}](../../${one.file})`, one.mutants, one.survivors.length, one.seconds)),
    row('**all**', mutantsOf(tried), survivorsOf(tried), sum(tried, one => one.seconds)),
  ];
}

const cell = (line: string): string => {
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}${longest > 0 ? ' ' : ''}${line.replaceAll('|', '\\|')}${longest > 0 ? ' ' : ''}${mark}`;
};
