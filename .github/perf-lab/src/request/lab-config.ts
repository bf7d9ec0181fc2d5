import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';

const Name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/);

// Only what the GitHub side needs; the runner checks the whole file against schemas/config.schema.json in the plan job.
const Config = z.object({
  schema: z.literal('perf-lab/config/1'),
  suites: z.record(Name, z.unknown()).default({}),
  machines: z.record(Name, z.object({ 'kind': z.enum(['azure', 'metal']), 'price-per-hour': z.number().min(0).optional() })).default({}),
  github: z.strictObject({
    'suite': Name.optional(),
    'machine': Name.optional(),
    'fork-permission': z.enum(['admin', 'write']).default('admin'),
    // `minutes` is held by the runner, which knows what a plan takes and which suite would fit.
    'budget': z.strictObject({ 'minutes': z.int().min(0).optional(), 'per-user-per-day': z.int().min(0).default(10) }).prefault({}),
  }).prefault({}),
});

/** What perf-lab.yaml says about requests. */
export interface LabConfig {
  readonly suites: readonly string[];
  readonly machines: ReadonlyMap<string, Machine>;
  readonly suite: string | null;
  readonly machine: string | null;
  /** Permission that a requester needs for a pull request from a fork. */
  readonly forkPermission: 'admin' | 'write';
  readonly perUserPerDay: number;
}

export interface Machine {
  readonly kind: 'azure' | 'metal';
  /** In the subscription's currency; null when the file does not say. */
  readonly pricePerHour: number | null;
}

/** The file, or every problem with its line and field. The file is the default branch's, so its text may be shown. */
export function readLabConfig(text: string): { config: LabConfig } | { problems: string[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'core', uniqueKeys: true });
  if (document.errors.length > 0) return { problems: document.errors.map(error => `perf-lab.yaml, line ${lines.linePos(error.pos[0]).line}: ${error.message.split('\n')[0]}`) };
  const parsed = Config.safeParse(document.toJS({ maxAliasCount: 10 }));
  if (parsed.success) return { config: fromFile(parsed.data) };
  return {
    problems: parsed.error.issues.map(issue => {
      const node = document.getIn(issue.path as string[], true) as { range?: [number] } | undefined;
      const where = node?.range === undefined ? '' : `, line ${lines.linePos(node.range[0]).line}`;
      return `perf-lab.yaml${where}, ${issue.path.join('.') || 'the file'}: ${issue.message}`;
    }),
  };
}

function fromFile(file: z.infer<typeof Config>): LabConfig {
  return {
    suites: Object.keys(file.suites),
    machines: new Map(Object.entries(file.machines).map(([name, machine]) => [name, { kind: machine.kind, pricePerHour: machine['price-per-hour'] ?? null }])),
    suite: file.github.suite ?? null,
    machine: file.github.machine ?? null,
    forkPermission: file.github['fork-permission'],
    perUserPerDay: file.github.budget['per-user-per-day'],
  };
}
