import { createHash } from 'node:crypto';

/** GitHub environments that the workflows use; a token is only worth something from a job inside one of them. */
export const ENVIRONMENTS = { power: 'perf-lab', setup: 'perf-lab-setup' } as const;

export const STACK_TAG = 'perf-lab:stack';
/** On what a machine is made of: card, address and disk of one that is gone are found by it (runner/PerfLab.Lab/Azure/AzureMachine.cs). */
export const MACHINE_TAG = 'perf-lab:machine';
/** The cluster's name; a machine beside it has another, so that `perf-lab lab stop NAME` means one thing. */
export const CLUSTER_NAME = 'cluster';
/** Written while the lab works, by others than Pulumi (runner/PerfLab.Lab/Azure/MachineTags.cs): never taken away by an update. */
export const LIVE_TAGS = ['perf-lab:lease', 'perf-lab:started', 'perf-lab:orphan', 'perf-lab:used'] as const;
/** Azure makes no cluster that is stopped: a new one is suspected from birth, and the first round of the reaper stops it. */
export const BORN_SUSPECTED = { 'perf-lab:orphan': '1970-01-01T00:00:00Z' } as const;

/** The cluster's watchdog: between two rounds, and between the two looks that a stop needs, because a lease may be written only after the start. */
export const WATCH = { everyHours: 1, againAfterMinutes: 20 } as const;

/** The same parts give the same GUID: two updates ask for the same thing, and a preview knows the id. */
export function stableGuid(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(parts.join('\n')).digest('hex');
  const variant = ((parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, variant + hex.slice(17, 20), hex.slice(20, 32)].join('-');
}
