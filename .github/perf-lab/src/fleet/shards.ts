import * as z from 'zod';
import { RESULTS, type Result } from '../process/job-results.ts';
import { MOST_MACHINES } from '../request/lab-config.ts';
import { checked } from '../text/file.ts';

/** One machine's part of a plan that is spread, as its job ended. */
export interface Shard {
  /** Of the machine, from 1. */
  readonly number: number;
  /** What its journal must say it is; null: the whole plan, because no other machine came. */
  readonly shard: number | null;
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
/** Of the job `spread`, which is trusted: the shard of each machine, 0 for one that did not come. Hosted machines always come, and there is no such job. */
const Spread = z.object({ outputs: z.object({ shards: z.string() }) });
const Numbers = z.array(z.int().min(0).max(MOST_MACHINES)).max(MOST_MACHINES);

/** From `needs` or `jobs` of the workflow, as JSON. A shard that is not in there never began. `count`: of the plan. */
export function readShards(json: string, count: number): Shard[] {
  const calls = checked(Calls, JSON.parse(json), 'the shards');
  const spread = Spread.safeParse(calls['spread']);
  const numbers = spread.success ? checked(Numbers, JSON.parse(spread.data.outputs.shards), 'the machines that came') : Array.from({ length: count }, (_, index) => index + 1);
  return numbers.flatMap((shard, index) => {
    if (shard === 0) return [];
    const number = index + 1, own = { number, shard: count === 1 ? null : shard }, call = Called.safeParse(calls[`shard-${number}`]);
    if (!call.success) return [{ ...own, result: 'skipped' as const, id: null, digest: null }];
    const { result, outputs } = call.data;
    // Of the measuring itself where that was said: the call also holds the jobs that tell the progress and give the machine back.
    return [{ ...own, result: outputs.result || result, id: outputs.id, digest: outputs.archive }];
  });
}

/** That there were fewer machines than the plan was made for; null when all came. `asked`: by the plan job. */
export function fewerCame(shards: readonly Shard[], asked: number): string | null {
  if (shards.length === 0 || shards.length >= asked) return null;
  return `${asked} machines were asked for and ${shards.length} came, so ${shards.length === 1 ? 'it' : 'they'} measured all of it; the log of the run says what kept the others.`;
}

/** The one result that stands for all: a cancel stops every machine, so it is said even if some were done. */
export const together = (shards: readonly Shard[]): Result =>
  shards.some(({ result }) => result === 'cancelled') ? 'cancelled' : shards.every(({ result }) => result === 'success') ? 'success' : 'failure';

/** "Machine 3 of 8 failed while measuring", "Machines 3 and 5 of 8 …". */
export function whichFailed(shards: readonly Shard[]): string {
  const bad = shards.filter(({ result }) => result !== 'success').map(({ number }) => number);
  const named = bad.length === 1 ? `Machine ${bad[0]}` : `Machines ${bad.slice(0, -1).join(', ')} and ${bad.at(-1)}`, most = Math.max(...shards.map(({ number }) => number));
  return `${named} of ${most} failed while measuring; the log of the run says why.`;
}
