import { leaves, type Value, type Values } from './values';

export interface StackName { readonly project: string; readonly stack: string }

/** One resource as the program asked for it; secrets are still in their envelopes. */
export interface Registration {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly parent: string;
  /** False for components and the stack itself: nothing of them is made at a provider. */
  readonly custom: boolean;
  readonly inputs: Values;
  readonly version: string;
  readonly provider: string;
  readonly protect: boolean;
  readonly deleteBeforeReplace: boolean;
  readonly dependencies: readonly string[];
  readonly ignoreChanges: readonly string[];
  readonly secretOutputs: readonly string[];
  readonly replaceOnChanges: readonly string[];
  readonly acceptsSecrets: boolean;
  readonly createTimeout: string;
}

export interface Log { readonly severity: 'debug' | 'info' | 'warning' | 'error'; readonly message: string }

/** Everything that one run of the program left behind. */
export interface Recorded {
  readonly exitCode: number;
  readonly registrations: readonly Registration[];
  /** Of the stack: what becomes lab.json. */
  readonly outputs: Values;
  readonly logs: readonly Log[];
  readonly calls: ReadonlyMap<string, number>;
  /** Standard output and error of the program's process. */
  readonly text: string;
}

export const byUrn = ({ registrations }: Pick<Recorded, 'registrations'>): ReadonlyMap<string, Registration> => new Map(registrations.map(one => [one.urn, one]));

/** Where a text occurs, in plain or in base 64, and whether it is inside of an envelope there. */
export function places(recorded: Recorded, text: string): { readonly at: string; readonly secret: boolean }[] {
  const forms = [text, Buffer.from(text).toString('base64').replace(/=+$/, '')];
  const inside = (value: Value): boolean => typeof value === 'string' && forms.some(form => value.includes(form));
  const of = (at: string, values: Values) => leaves(values).filter(leaf => inside(leaf.value)).map(({ path, secret }) => ({ at: `${at}: ${path}`, secret }));
  return [
    ...recorded.registrations.flatMap(one => [...of(one.name, one.inputs), ...of(one.name, { urn: one.urn, ignoreChanges: one.ignoreChanges })]),
    ...of('outputs', recorded.outputs), ...of('logs', { logs: recorded.logs, text: recorded.text }),
  ];
}

/** What an engine would do to get from one run to the next, by URN. */
export function changes(before: Pick<Recorded, 'registrations'>, after: Pick<Recorded, 'registrations'>): { readonly made: string[]; readonly changed: string[]; readonly gone: string[] } {
  const old = byUrn(before), now = byUrn(after);
  const short = (urns: Iterable<string>): string[] => [...urns].map(urn => urn.split('::').slice(2).join(' ').replace(/^.*\$/, '')).sort();
  return {
    made: short([...now.keys()].filter(urn => !old.has(urn))),
    changed: short([...now].filter(([urn, one]) => old.has(urn) && JSON.stringify(one) !== JSON.stringify(old.get(urn))).map(([urn]) => urn)),
    gone: short([...old.keys()].filter(urn => !now.has(urn))),
  };
}
