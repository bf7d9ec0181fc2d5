import type { LabConfig } from '../request/lab-config.ts';

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
