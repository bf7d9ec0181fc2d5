import type { LabConfig } from '../request/lab-config.ts';

/** What can be written, with the names of this repository. */
export function helpText(config: LabConfig | null): string {
  const names = config === null ? [] : [
    `- suites: ${list(config.suites)}${config.suite === null ? '' : `; without one: \`${config.suite}\``}`,
    `- machines: ${list([...config.machines.keys()])}${config.machine === null ? '' : `; without one: \`${config.machine}\``}`,
  ];
  return [
    '```text',
    '/benchmark [<suite>] [--workload a,b] [--runtime a,b] [--pgo a,b] [--gc a,b] [--framework a,b]',
    '           [--machine NAME] [--rounds S+C] [<head sha>]',
    '/benchmark cancel | status | rerun | help',
    '```',
    'One line, alone in a new comment. On a pull request from a fork the commit is mandatory: the one that you reviewed.',
    ...(names.length === 0 ? [] : ['', ...names]),
  ].join('\n');
}

const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.map(name => `\`${name}\``).join(', '));
