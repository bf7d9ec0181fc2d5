import * as z from 'zod';
import type { LabConfig } from './lab-config.ts';
import { parseFormat } from '../text/file.ts';
import { readTrusted } from '../artifact/trusted-file.ts';

// The plan is the plan job's, which runs nothing of the pull request. Only the estimate is read here; the runner reads the rest.
const Seconds = z.number().min(0);
export const PlanFile = z.object({
  schema: z.literal('perf-lab/plan/1'),
  plan: z.object({
    estimate: z.object({ leastSeconds: Seconds, mostSeconds: Seconds, longestShard: z.object({ leastSeconds: Seconds, mostSeconds: Seconds }).optional() }),
    cells: z.array(z.unknown()),
    shards: z.array(z.unknown()).min(1).optional(),
    unlisted: z.array(z.unknown()).min(1).optional(),
  }),
});
const MAX_BYTES = 64 << 20;

export interface Estimate {
  readonly leastMinutes: number;
  readonly mostMinutes: number;
  readonly cells: number;
  /** Benchmarks are listed when they are built: what is known of the plan until then is only where it begins. */
  readonly isOpen?: true;
  /** That it is spread over; minutes are those of the longest. */
  readonly machines: number;
  /** Of the machine time at most, in the subscription's currency; null when perf-lab.yaml names no price. */
  readonly cost: number | null;
}

export function readEstimate(path: string, digest: string, config: LabConfig, machine: string): Estimate {
  const { plan } = parseFormat(PlanFile, readTrusted(path, digest, MAX_BYTES), 'plan.json');
  const price = config.machines.get(machine)?.pricePerHour ?? null;
  const { leastSeconds, mostSeconds } = plan.estimate.longestShard ?? plan.estimate;
  return {
    leastMinutes: leastSeconds / 60,
    mostMinutes: mostSeconds / 60,
    cells: plan.cells.length,
    ...(plan.unlisted === undefined ? {} : { isOpen: true }),
    machines: plan.shards?.length ?? 1,
    cost: price === null ? null : price * plan.estimate.mostSeconds / 3600,
  };
}

/** How many machines the plan is spread over; 1: it is not. */
export const readMachines = (path: string, digest: string): number => parseFormat(PlanFile, readTrusted(path, digest, MAX_BYTES), 'plan.json').plan.shards?.length ?? 1;

/** "12 to 31 minutes for 40 cells on 4 machines, at most 0.10 in the subscription's currency". */
export function inWords({ leastMinutes, mostMinutes, cells, isOpen, machines, cost }: Estimate): string {
  if (isOpen === true) return 'when the benchmarks are built and listed';
  const [least, most] = [Math.ceil(leastMinutes), Math.ceil(mostMinutes)];
  const time = least === most ? `${most}` : `${least} to ${most}`;
  return `${time} minutes for ${cells} cell${cells === 1 ? '' : 's'}${machines === 1 ? '' : ` on ${machines} machines`}${cost === null ? '' : `, at most ${cost.toFixed(2)} in the subscription's currency`}`;
}
