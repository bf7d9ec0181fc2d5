import type { LabConfig } from '../request/lab-config.ts';

/** What each word does, as the table of docs/pull-requests.md has it at length. */
const MEANINGS: readonly (readonly [words: string, does: string])[] = [
  ['`<suite>`', 'measures this suite'],
  ['`--workload`', 'measures these workloads in place of the suite\'s'],
  ['`--filter`, `--any-categories`', 'measures the benchmarks whose name matches, as `*Parse*`, or that are in one of these categories'],
  ['`--runtime`, `--pgo`, `--gc`, `--framework`', 'measures in these combinations, as `net8.0,net10.0`, `off,on`, `server`, `akka@1.5.74`'],
  ['`--machine`', 'measures on this machine'],
  ['`--within 10m`', 'measures so long, until each row is decided'],
  ['`--rounds 8+20`', 'does 8 rounds of all rows, and 20 of those that may have moved'],
  ['`--sessions 2`', 'measures what moved a second time; it counts when both agree'],
  ['`--warm-up 6`', 'warms up each launch for 6 seconds at least'],
  ['`--sdk current`', 'builds with the newest SDK of the lab, whatever `global.json` asks for'],
  ['`<head sha>`', 'measures this commit, the head of the pull request'],
  ['`cancel`', 'stops the newest request, and shows what was measured until then'],
  ['`status`', 'lists the last requests'],
  ['`rerun`', 'repeats the last request'],
  ['`confirm`', 'repeats it with two sessions, with `--machine` elsewhere'],
  ['`accept REASON`', 'turns the check of the last verdict green; the reason stays in the comment'],
];

/** What can be written, with the names of this repository; null: perf-lab.yaml can't be read, so there are none. */
export function helpText(config: LabConfig | null): string {
  const names = config === null ? ['`perf-lab.yaml` of the default branch can\'t be read, so its suites and machines are not listed.'] : [
    `- suites: ${list(config.suites)}${config.suite === null ? '' : `; without one: \`${config.suite}\``}`,
    `- machines: ${list([...config.machines.keys()])}${config.machine === null ? '' : `; without one: \`${config.machine}\``}`,
  ];
  return [
    '```text',
    '/benchmark [<suite>] [--workload a,b] [--runtime a,b] [--pgo a,b] [--gc a,b] [--framework a,b] [--filter a,b]',
    '           [--any-categories a,b] [--machine NAME] [--rounds S+C] [--sessions N] [--warm-up SECONDS] [--sdk current]',
    '           [--within 10m] [<head sha>]',
    '/benchmark cancel | status | help',
    '/benchmark rerun [<head sha>]',
    '/benchmark confirm [--machine NAME] [<head sha>]',
    '/benchmark accept REASON',
    '```',
    'The first line of a new comment. What follows it is not read, but for one block of C# (```` ```csharp ````) with `[Benchmark]` methods: then they are measured in place of the lab\'s own. On a pull request from a fork the commit is mandatory: the one that you reviewed.',
    '',
    '<details><summary>What each word does</summary>',
    '',
    ...MEANINGS.map(([words, does]) => `- ${words}: ${does}`),
    '',
    '</details>',
    '',
    ...names,
  ].join('\n');
}

const MOST_NAMES = 100;

// A list is cut before a comment becomes too long to be posted at all.
function list(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more, all in \`perf-lab.yaml\`` : '';
  return `${names.slice(0, MOST_NAMES).map(name => `\`${name}\``).join(', ')}${more}`;
}
