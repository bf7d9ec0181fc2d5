import * as z from 'zod';
import { parseYaml } from '../text/yaml.ts';
import { MAX_SESSIONS } from './words.ts';

/** As many machines as benchmark-fleet.yml has jobs; a test holds the two together. */
export const MOST_MACHINES = 8;

/** What a hosted machine is when perf-lab.yaml names no image; the jobs around it are the same. */
const DEFAULT_IMAGE = 'ubuntu-24.04';

const Name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/);
const named = <T extends z.ZodType>(value: T) => z.record(Name, value, {
  error: it => (it.code === 'invalid_key' ? 'is not a name: lower-case letters, digits and dashes, at most 64' : undefined),
});
const CPUS_MOVED = 'is not read here any more: LAB_CPUS in /etc/perf-lab/machine.conf, on the machine itself, says whose cores are whose '
  + '(docs/machines.md); take this line out';

const MACHINE_KINDS = ['azure', 'metal', 'hosted'] as const;
export type MachineKind = typeof MACHINE_KINDS[number];

const MachineEntry = z.strictObject({
  'kind': z.enum(MACHINE_KINDS),
  // A job waits for any label that it is told: only the full names of GitHub's own images for amd64 get there.
  'runs-on': z.string().regex(/^ubuntu-2[2468]\.04$/, { error: 'is not the full name of an image of GitHub\'s own runners, such as ubuntu-24.04' }).optional(),
  'size': z.string().optional(),
  'cpus': z.undefined({ error: CPUS_MOVED }).optional(),
  'policy': z.enum(['azure', 'metal', 'any']).optional(),
  'price-per-hour': z.number().min(0).optional(),
  'count': z.int().min(1).max(MOST_MACHINES).optional(),
}).superRefine((machine, { addIssue }) => {
  const strange = machine.kind === 'hosted' ? ['size', 'policy'] as const : ['runs-on'] as const;
  for (const member of strange) {
    if (machine[member] !== undefined) addIssue({ code: 'custom', path: [member], message: machine.kind === 'hosted' ? 'a hosted machine has none; take it out' : 'only a hosted machine has one; take it out' });
  }
  if (machine.kind === 'metal' && machine.count !== undefined) addIssue({ code: 'custom', path: ['count'], message: 'a machine that stands ready is one; take it out' });
});

// Only what the GitHub side needs; the runner checks the whole file against schemas/config.schema.json in the plan job.
export const ConfigFile = z.object({
  schema: z.literal('perf-lab/config/1'),
  suites: named(z.unknown()).default({}),
  budget: z.number().min(0).max(1).optional(),
  machines: named(MachineEntry).default({}),
  github: z.strictObject({
    'suite': Name.optional(),
    'machine': Name.optional(),
    'fork-permission': z.enum(['admin', 'write']).default('admin'),
    // Held by the runner, too.
    'confirm': z.int().min(1).max(MAX_SESSIONS).optional(),
    'explain': z.boolean().optional(),
    // `minutes` and `cost` are held by the runner, which knows what a plan takes and which suite would fit.
    'budget': z.strictObject({ 'minutes': z.int32().min(0).optional(), 'cost': z.number().min(0).optional(), 'per-user-per-day': z.int32().min(0).default(10) }).prefault({}),
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
  /** How much worse than the trend's anchor main may become, a fraction; null: nobody asks. */
  readonly budget: number | null;
}

export interface Machine {
  readonly kind: MachineKind;
  /** Of a hosted machine, the image that its jobs ask for; null of others. */
  readonly runsOn: string | null;
  /** In the subscription's currency; null when the file does not say. */
  readonly pricePerHour: number | null;
}

/** The file, or every problem with its line and member (BadFile). It is the default branch's, so its text may be shown. */
export const readLabConfig = (text: string): LabConfig => fromFile(parseYaml(ConfigFile, text, 'perf-lab.yaml'));

function fromFile(file: z.infer<typeof ConfigFile>): LabConfig {
  return {
    suites: Object.keys(file.suites),
    machines: new Map(Object.entries(file.machines).map(([name, machine]) => [name, { kind: machine.kind, runsOn: machine.kind === 'hosted' ? machine['runs-on'] ?? DEFAULT_IMAGE : null, pricePerHour: machine['price-per-hour'] ?? null }])),
    suite: file.github.suite ?? null,
    machine: file.github.machine ?? null,
    forkPermission: file.github['fork-permission'],
    perUserPerDay: file.github.budget['per-user-per-day'],
    budget: file.budget ?? null,
  };
}
