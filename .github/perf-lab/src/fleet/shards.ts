import { z } from 'zod';
import { RESULTS, type Result } from '../publish/job-results.ts';
import { checked } from '../text/file.ts';

/** As many machines as benchmark-fleet.yml has jobs; a test holds the two together. */
export const MOST_MACHINES = 8;

/** One machine's part of a plan that is spread, as its job ended. */
export interface Shard {
  /** From 1. */
  readonly number: number;
  readonly result: Result;
  /** Of its journal's artifact. Only the shard's own job can set them: each is a call of its own, and no leg of a matrix. */
  readonly id: number | null;
  readonly digest: string | null;
}

// What a machine that measured set as its outputs is as hostile as the code that ran there: a value of another form counts as none.
const Outputs = z.object({
  id: z.string().regex(/^[1-9][0-9]{0,14}$/).transform(Number).nullable().catch(null),
  archive: z.string().regex(/^(sha256:)?[0-9a-f]{64}$/).nullable().catch(null),
  result: z.enum(RESULTS).nullable().catch(null),
});
const Called = z.object({ result: z.enum(RESULTS), outputs: Outputs.catch({ id: null, archive: null, result: null }) });
const Calls = z.record(z.string(), z.unknown());

/** From `needs` or `jobs` of the workflow, as JSON. A shard that is not in there never began. */
export function readShards(json: string, count: number): Shard[] {
  const calls = checked(Calls, JSON.parse(json), 'the shards');
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1, call = Called.safeParse(calls[`shard-${number}`]);
    if (!call.success) return { number, result: 'skipped' as const, id: null, digest: null };
    const { result, outputs } = call.data;
    // Of the measuring itself where that was said: the call also holds the job that tells the progress.
    return { number, result: outputs.result || result, id: outputs.id, digest: outputs.archive };
  });
}

/** The one result that stands for all: a cancel stops every machine, so it is said even if some were done. */
export const together = (shards: readonly Shard[]): Result =>
  shards.some(({ result }) => result === 'cancelled') ? 'cancelled' : shards.every(({ result }) => result === 'success') ? 'success' : 'failure';

/** "Machine 3 of 8 failed while measuring", "Machines 3 and 5 of 8 …". */
export function whichFailed(shards: readonly Shard[]): string {
  const bad = shards.filter(({ result }) => result !== 'success').map(({ number }) => number);
  const named = bad.length === 1 ? `Machine ${bad[0]}` : `Machines ${bad.slice(0, -1).join(', ')} and ${bad.at(-1)}`;
  return `${named} of ${shards.length} failed while measuring; the log of the run says why.`;
}
