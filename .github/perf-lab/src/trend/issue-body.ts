import type { Workplace } from '../process/environment.ts';
import { code } from '../text/untrusted.ts';
import type { Change } from '../history/trend-file.ts';
import { compareLink, day, experimentWords, memberName, place, signed, size, titleName } from './words.ts';

const MOST_MEMBERS = 40;

/** What of a change is told in its title: the clearest program, and by how much. Set once; people may call it what they like. */
export function titleOf(change: Change): string {
  const [first] = change.members;
  const workloads = new Set(change.members.map(({ workload }) => workload)).size;
  return `perf-lab: ${titleName(first!.workload)} is ${size(sizeOf(change))} since ${day(change.after.started)}${workloads > 1 ? `, and ${workloads - 1} more` : ''}`;
}

/** What the experiment measured, where there is one: the weeks' own figure has other machines' noise in it. */
const sizeOf = ({ experiment, members }: Change): number => experiment?.change ?? members[0]!.change;

export interface Telling {
  readonly all: readonly Change[];
  readonly program: string;
}

/** The lines of a change's issue: only our own words, numbers, links to commits, and names in code. */
export function issueLines(at: Workplace, change: Change, { all, program }: Telling): string[] {
  const { members, before, after, experiment, cpu, executor, machine } = change;
  const first = members.find(({ series }) => series === experiment?.series) ?? members[0]!;
  const fix = all.find(({ id }) => id === change.recoveredBy);
  return [
    `**${size(sizeOf(change))}** somewhere after ${place(at, before)} and until ${place(at, after)}${compareLink(at, change)}.`,
    ...(change.status === 'recovered' ? ['', `**Recovered.** ${fix === undefined ? 'A later change' : `A later change, after ${place(at, fix.before)} and until ${place(at, fix.after)},`} brought ${members.length > 1 ? 'the last of these series' : 'it'} back within 1 % of the level before, and an experiment confirmed that${fix?.experiment ? ` (${signed(fix.experiment.change)})` : ''}.`] : []),
    '',
    ...(experiment === null ? [] : [
      'The two commits, measured against each other in one session, in turns on one machine:',
      '',
      '| | change | interval | p | rounds | verdict |',
      '|---|---:|---:|---:|---:|---|',
      `| ${memberName(first)} | ${signed(experiment.change)} | ${experiment.low === null || experiment.high === null ? '' : `${signed(experiment.low)} to ${signed(experiment.high)}`} | ${experiment.pValue === null ? '' : experiment.pValue.toPrecision(2)} | ${experiment.rounds} | ${code(experiment.verdict ?? 'none')} |`,
      '',
      'A plus means slower, whether the value is a time or a throughput.',
      '',
    ]),
    'What changed in the weekly sessions (head against the anchor), the clearest first:',
    '',
    '| series | change | p |',
    '|---|---:|---:|',
    ...members.slice(0, MOST_MEMBERS).map(member => `| ${memberName(member)} | ${signed(member.change)} | ${member.pValue.toPrecision(2)} |`),
    ...(members.length > MOST_MEMBERS ? ['', `And ${members.length - MOST_MEMBERS} more.`] : []),
    ...mended(at, change, all),
    '',
    `On ${code(cpu)}, executor ${code(executor)}, machine ${code(machine)}. The place may be off by one session; the commits named are one further out on each side.`,
    '',
    '### Reproduce',
    '',
    ...reproduce({ ...change, members: [first] }, program),
    '',
    'This issue is kept up to date by the weekly run: it is closed when an experiment shows that the change was taken back, and opened again when it returns. Close it yourself if you accept the change: then it stays closed. What you write below the last line of this text stays, too.',
  ];
}

/** What of a change that is still open got better since. */
function mended(at: Workplace, { status, members, after }: Change, all: readonly Change[]): string[] {
  const isFix = (other: Change): boolean => (other.status === 'confirmed' || other.status === 'recovered') && other.after.started > after.started && other.members[0]!.change * members[0]!.change < 0;
  const rows = all.filter(isFix).flatMap(fix => fix.members.filter(({ series }) => members.some(member => member.series === series))
    .map(member => `- ${memberName(member)}: ${size(member.change)} after ${place(at, fix.before)}`));
  return status !== 'confirmed' || rows.length === 0 ? []
    : ['', 'Since then, confirmed as well:', '', ...rows.slice(-MOST_MEMBERS), '', 'It stays open until every one of its series is back within 1 % of the level before.'];
}

function reproduce(change: Change, program: string): string[] {
  const words = experimentWords(change);
  return words === null ? ['The commits or names can\'t be said on a command line: measure the two commits against each other by hand.']
    : ['In a clone of this repository:', '', '```sh', `${program || './perf-lab'} run ${words.join(' ')}`, '```'];
}
