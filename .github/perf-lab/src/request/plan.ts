import { z } from 'zod';
import type { LabConfig } from './lab-config.ts';
import { parseFormat } from '../text/file.ts';
import { readTrusted } from './request.ts';

// The plan is the plan job's, which runs nothing of the pull request. Only the estimate is read here; the runner reads the rest.
const Seconds = z.number().min(0);
export const PlanFile = z.object({
  schema: z.literal('perf-lab/plan/1'),
  plan: z.object({ estimate: z.object({ leastSeconds: Seconds, mostSeconds: Seconds }), cells: z.array(z.unknown()) }),
});
const MAX_BYTES = 64 << 20;

export interface Estimate {
  readonly leastMinutes: number;
  readonly mostMinutes: number;
  readonly cells: number;
  /** Of the machine time at most, in the subscription's currency; null when perf-lab.yaml names no price. */
  readonly cost: number | null;
}

export function readEstimate(path: string, digest: string, config: LabConfig, machine: string): Estimate {
  const { plan } = parseFormat(PlanFile, readTrusted(path, digest, MAX_BYTES), 'plan.json');
  const price = config.machines.get(machine)?.pricePerHour ?? null;
  return {
    leastMinutes: plan.estimate.leastSeconds / 60,
    mostMinutes: plan.estimate.mostSeconds / 60,
    cells: plan.cells.length,
    cost: price === null ? null : price * plan.estimate.mostSeconds / 3600,
  };
}

/** "12 to 31 minutes for 4 cells, at most 0.10 in the subscription's currency". */
export function inWords({ leastMinutes, mostMinutes, cells, cost }: Estimate): string {
  const [least, most] = [Math.ceil(leastMinutes), Math.ceil(mostMinutes)];
  const time = least === most ? `${most}` : `${least} to ${most}`;
  return `${time} minutes for ${cells} cell${cells === 1 ? '' : 's'}${cost === null ? '' : `, at most ${cost.toFixed(2)} in the subscription's currency`}`;
}
