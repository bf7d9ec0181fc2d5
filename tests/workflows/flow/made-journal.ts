/** A journal that nobody measured: figures drawn from a seed, to see what a large or a quiet comparison looks like in a comment. */
export interface Made {
  readonly plan: string;
  /** Cell -> relative change of head's throughput. These cells are confirmed; which others the screen would have kept depends on the noise. */
  readonly effects: Readonly<Record<string, number>>;
  readonly noise: number;
  /** Its id, and when it began; sessions of one lab differ in both. */
  readonly session?: string;
  readonly started?: string;
  /** The same of the anchor to come, where the plan has one. */
  readonly nextEffects?: Readonly<Record<string, number>>;
  /** All arms are the same build. */
  readonly isAa?: boolean;
  /** Only this shard of a plan that is spread, from 1. */
  readonly shard?: number;
  /** What differs between the builds, and the changed methods that cells run; a cell that runs none is not measured. */
  readonly change?: { readonly methods: readonly string[]; readonly runs: Readonly<Record<string, readonly string[]>> };
}

interface Plan {
  plan: {
    hash: string; seed: number; policy: Record<string, number>; screen: Round[]; confirm: Round[]; shards?: string[][];
    cells: { id: string; workload: string; dimensions: object; parameters: Record<string, string>; arms: { id: string; dimensions: object }[]; metrics: object[] }[];
  };
}
interface Round { cell: string; round: number; order: string[] }

export function makeJournal({ plan: text, effects, noise, session = 'made', started = '2026-11-20T10:05:00Z', isAa = false, nextEffects = {}, shard, change }: Made): string {
  const { plan: whole } = JSON.parse(text) as Plan;
  const own = shard === undefined ? null : new Set(whole.shards![shard - 1]);
  const of = <T>(all: T[], cell: (one: T) => string): T[] => own === null ? all : all.filter(one => own.has(cell(one)));
  const plan = { ...whole, cells: of(whole.cells, ({ id }) => id), screen: of(whole.screen, ({ cell }) => cell), confirm: of(whole.confirm, ({ cell }) => cell) };
  const lines: string[] = [];
  const write = (record: object): void => {
    const line = JSON.stringify(record).replace(/^\{("kind":"[a-z]+")/, `{$1,"seq":${lines.length}`);
    lines.push(`${line.slice(0, -1)},"crc":"${crc32c(Buffer.from(line.slice(0, -1)))}"}`);
  };
  write({
    kind: 'session', schema: 'perf-lab/samples/1', session, plan: plan.hash, ...(shard === undefined ? {} : { shard }), seed: plan.seed, started, executor: 'process', machine: {},
    policy: plan.policy,
    cells: plan.cells.map(({ id, workload, dimensions, parameters, arms, metrics }) => ({
      id, workload, dimensions, parameters, arms: arms.map(arm => ({ id: arm.id, dimensions: arm.dimensions, build: `sha256:${(isAa ? 'b' : arm.id === 'head' ? 'a' : arm.id === 'next-anchor' ? 'c' : 'b').repeat(64)}` })),
      metrics: metrics.map(metric => { const { name, unit, better, primary } = metric as Record<string, unknown>; return { name, unit, better, primary }; }),
    })),
  });
  if (change !== undefined) writeChange(change, plan.cells, write);
  const runs = ({ cell }: Round): boolean => change === undefined || change.runs[cell] !== undefined;
  const launch = (stage: string, { cell, round, order }: Round): void => {
    const { parameters, metrics } = plan.cells.find(one => one.id === cell)!, limit = Number(parameters['limit'] ?? 100);
    const isBenchmark = metrics.some(metric => (metric as Record<string, unknown>)['name'] === 'time');
    order.forEach((arm, position) => {
      const random = generator(`${session === 'made' ? '' : session}${cell} ${stage} ${round} ${arm}`);    // whatever order the plan drew
      const value = 4e5 / limit * (arm === 'head' ? 1 + (effects[cell] ?? 0) : arm === 'next-anchor' ? 1 + (nextEffects[cell] ?? 0) : 1) * Math.exp(noise * (random() + random() + random() - 1.5) * 2);
      write({ kind: 'launch', cell, stage, round, position, arm, started, wallSeconds: 1.3, outcome: 'measured', metrics: isBenchmark ? { time: 1 / value, allocated: 64 } : { throughput: value }, evidence: {}, hygiene: {} });
    });
  };
  plan.screen.filter(runs).forEach(round => { launch('screen', round); });
  plan.confirm.filter(round => runs(round) && (plan.screen.length === 0 || effects[round.cell] !== undefined)).forEach(round => { launch('confirm', round); });
  write({ kind: 'end', outcome: 'complete' });
  return `${lines.join('\n')}\n`;
}

/** The records that a session of two sources writes before it measures: what differs, and of each cell whether that can touch it. */
function writeChange({ methods, runs }: NonNullable<Made['change']>, cells: Plan['plan']['cells'], write: (record: object) => void): void {
  const difference = `sha256:${'d'.repeat(64)}`, list = `sha256:${'e'.repeat(64)}`;
  write({ kind: 'difference', id: difference, methods: methods.length, names: [...methods].sort(), everything: [] });
  for (const { id } of cells) {
    const own = runs[id];
    write({
      kind: 'touch', cell: id, arm: 'head', difference, untouched: own === undefined,
      reason: own === undefined ? `none of the ${methods.length} changed methods runs in it` : `runs ${own.length} of the ${methods.length} changed methods`,
      ...(own === undefined ? {} : { runs: own }), lists: [list, list],
    });
  }
}

/** Park and Miller's: enough to look at, not to judge by. */
function generator(seed: string): () => number {
  let state = parseInt(crc32c(Buffer.from(seed)), 16) % 2147483646 + 1;
  return () => (state = state * 48271 % 2147483647) / 2147483647;
}

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc >>> 0;
});

export function crc32c(bytes: Buffer): string {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 0xff]!;
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0');
}
