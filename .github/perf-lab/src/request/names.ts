import { readLabConfig, type LabConfig, type Machine } from './lab-config.ts';
import type { Words } from './words.ts';
import { readText } from '../text/file.ts';
import { BadFile } from '../text/json-scan.ts';
import { nearest } from '../text/nearest.ts';
import { code } from '../text/untrusted.ts';
import { Refusal } from './refusal.ts';

const MAX_CONFIG_BYTES = 256 << 10;
const MOST_PROBLEMS = 10;

/** perf-lab.yaml of the default branch. */
export function readConfig(path: string): LabConfig {
  try {
    return readLabConfig(readText(path, 'perf-lab.yaml', MAX_CONFIG_BYTES));
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') throw new Refusal('lab-config', 'The lab can\'t run: the default branch has no `perf-lab.yaml`. It names suites and machines: docs/pull-requests.md of perf-lab, under Settings.');
    if (!(error instanceof BadFile)) throw error;
    const told = error.problems.slice(0, MOST_PROBLEMS).map(problem => `- ${code(`perf-lab.yaml, ${problem}`, 400)}`);
    throw new Refusal('lab-config', ['The lab can\'t run: `perf-lab.yaml` on the default branch has mistakes.', ...told]);
  }
}

export interface Chosen {
  /** With the default suite filled in. */
  readonly words: Words;
  readonly machine: string;
  readonly kind: Machine['kind'];
  readonly runsOn: string | null;
}

/** Suite and machine, which the gate itself needs. Every other name is looked up by the runner in the plan job, against the manifests. */
export function chooseNames(words: Words, config: LabConfig): Chosen {
  const suite = words.suite ?? (words.workloads.length > 0 ? null : config.suite);
  const problems = [
    ...(suite === null && words.workloads.length === 0 ? ['Name a suite or `--workload`: `perf-lab.yaml` has no `github.suite` for a bare command.'] : []),
    ...unknown('suite', suite, config.suites),
  ];
  const machines = [...config.machines.keys()];
  const machine = words.machine ?? config.machine ?? (machines.length === 1 ? machines[0]! : null);
  if (machine === null) problems.push('Name a `--machine`: `perf-lab.yaml` has no `github.machine` for a bare command.');
  problems.push(...unknown('machine', machine, machines));
  const known = config.machines.get(machine ?? '');
  if (problems.length > 0 || machine === null || known === undefined) throw new Refusal('unknown-name', problems, true);
  return { words: { ...words, suite }, machine, kind: known.kind, runsOn: known.runsOn };
}

/** Who calls benchmark-hosted.yml granted no login, so no job of it could start a machine of his own. */
export function refuseOwnMachine(chosen: Chosen, isHostedOnly: boolean): void {
  if (!isHostedOnly || chosen.kind === 'hosted') return;
  throw new Refusal('hosted-only', [
    `${code(chosen.machine)} is a machine of your own (\`kind: ${chosen.kind}\`), and the workflow of this repository calls \`benchmark-hosted.yml\`, which measures on GitHub's machines alone.`,
    'Name one of those with `--machine`, or let the workflow call `benchmark-run.yml` with the permissions `id-token: write` and `attestations: write`.',
  ]);
}

function unknown(what: string, written: string | null, names: readonly string[]): string[] {
  if (written === null || names.includes(written)) return [];
  const meant = nearest(written, names);
  const hint = /^[0-9a-f]{7,11}$/.test(written) ? ' A commit needs at least 12 digits.' : meant === null ? '' : ` Did you mean \`${meant}\`?`;
  return [`${code(written)} is no ${what} of this lab.${hint}`];
}
