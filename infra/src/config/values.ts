import { z } from 'zod';

/** A member with one sentence for all that can be wrong with it: `hint` completes "is not …". The value is shown: no secrets here. */
const kind = <T>(hint: string, valid: (value: unknown) => boolean, error = (value: unknown) => told(value, hint)) =>
  z.custom<T>(valid, { abort: false, error: it => error(it.input) });    // not aborted: `across` is asked all the same

export const text = (hint: string, valid: RegExp | ((text: string) => boolean)) =>
  kind<string>(hint, value => typeof value === 'string' && (valid instanceof RegExp ? valid.test(value) : valid(value)));

const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most;

/** Text such as "3" is accepted because `pulumi config set` stores text. */
export const whole = (least: number, most: number) => z.preprocess(
  value => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
  kind<number>(`a whole number from ${least} to ${most}`, value => Number.isInteger(value) && isWithin(Number(value), least, most)));

export function list<T extends z.ZodType>(entry: T, [least, most]: readonly [number, number], what: string) {
  const hint = least === 0 ? `a list of at most ${most} ${what}` : `a list of ${least} to ${most} ${what}`;
  return kind<unknown[]>(hint, value => Array.isArray(value) && isWithin(value.length, least, most),
    value => (Array.isArray(value) ? `${value.length} entries, not ${hint}` : told(value, hint))).pipe(z.array(entry));
}

export const object = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape, {
  error: it => it.code === 'unrecognized_keys' ? `unknown; known are ${Object.keys(shape).sort().join(', ')}` : told(it.input, 'an object'),
});

/** A missing section is an empty one: its own members say what is missing. */
export const section = <T extends z.ZodRawShape>(shape: T) => object(shape).prefault({} as never);

/** Anything that `read` understands; what it refuses is told without being shown. */
export const understood = <T>(read: (value: unknown, refuse: (why: string) => never) => T) =>
  z.unknown().transform((value, ctx): T => read(value, why => { ctx.addIssue(why); return z.NEVER; }));

type Refuse = (path: string, why: string) => void;
/** What is left of a value when everything wrong is taken out. */
export type Sound<T> = T extends object ? { readonly [K in keyof T]?: Sound<T[K]> } : T;

/** A rule between members. It sees the sound ones even where others are wrong, so that people are told everything at once. */
export function across<T extends z.ZodType>(schema: T, rule: (sound: Sound<z.output<T>>, refuse: Refuse) => void): T {
  return schema.superRefine((value, ctx) => {
    const sound = structuredClone(value) as Sound<z.output<T>>;
    for (const { code, path = [] } of ctx.issues) if (code !== 'unrecognized_keys') remove(sound, path);
    rule(sound, (path, message) => ctx.addIssue({ code: 'custom', path: path.split('.'), message }));
  }, { when: ({ value }) => typeof value === 'object' && value !== null });
}

/** One line a problem, the member first. */
export const problemsOf = (error: z.ZodError | undefined): string[] => (error?.issues ?? []).flatMap(issue => {
  const paths = issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...issue.path, key]) : [issue.path];
  return paths.map(path => `${path.map(String).join('.').replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]')}: ${issue.message}`);
});

function remove(from: unknown, path: readonly PropertyKey[]): void {
  let holder = from as Record<PropertyKey, unknown> | undefined;
  for (const key of path.slice(0, -1)) holder = holder?.[key] as typeof holder;
  if (holder && path.length > 0) holder[path.at(-1) ?? ''] = undefined;
}

function told(value: unknown, hint: string): string {
  if (value === undefined) return `missing (${hint})`;
  return `${(typeof value === 'number' ? String(value) : JSON.stringify(value)).slice(0, 80)} is not ${hint}`;
}
