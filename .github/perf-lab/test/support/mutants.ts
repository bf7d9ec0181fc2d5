import { memberPath } from '../../src/text/json-scan.ts';

type Path = readonly (string | number)[];
export const KINDS = ['missing', 'unknown', 'doubled', 'wrong type', 'out of range'] as const;

/** An example with one thing changed. */
export interface Mutant {
  readonly kind: typeof KINDS[number];
  /** The member that was changed, as people write it: `words.pgo[0]`. */
  readonly member: string;
  /** JSON, with the doubled member in it. */
  readonly text: string;
}

const ANY_TYPE: readonly unknown[] = [null, true, 7, 'text', [], {}, ['text'], [[7]], { unheardOf: 1 }];
const NUMBERS: readonly unknown[] = [-1, -0.5, 0, 0.5, 1.5, 2, 1e6, 2 ** 53, 1e300];
const TEXTS = (text: string): readonly unknown[] =>
  ['', ' ', `${text}\n`, `${text} `, text.toUpperCase(), `${text}/..`, 'ä', '\u0000', 'x'.repeat(1000), '0', 'null'];

/** `count` of all mutants of the example, drawn with this seed; fewer when there are fewer. */
export function mutants(example: unknown, seed: number, count: number): Mutant[] {
  const all = [...every(example)], random = mulberry32(seed);
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all.slice(0, count);
}

function* every(example: unknown, path: Path = []): Generator<Mutant> {
  const value = at(example, path), mutant = (kind: Mutant['kind'], change: unknown, where = path): Mutant =>
    ({ kind, member: memberPath(where), text: JSON.stringify(changed(example, where, change)) });
  for (const other of ANY_TYPE) if (typeOf(other) !== typeOf(value)) yield mutant('wrong type', other);
  for (const other of outOfRange(value)) yield mutant('out of range', other);
  if (path.length > 0) yield mutant('missing', undefined);
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) {
    yield mutant('unknown', 1, [...path, 'unheardOf']);
    for (const key of Object.keys(value)) {
      yield { kind: 'doubled', member: memberPath([...path, key]), text: doubled(changed(example, path, { ...value, [key + TWICE]: null })) };
    }
  }
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) yield* every(example, [...path, key]);
}

/** The example with up to `count` members of wrong type, all of which `isRefused` refuses one by one. */
export function withMistakes(example: unknown, count: number, isRefused: (text: string) => boolean) {
  const leaves = [...leavesOf(example)].filter(path => isRefused(JSON.stringify(changed(example, path, WRONG)))).slice(0, count);
  return { members: leaves.map(memberPath), text: JSON.stringify(leaves.reduce((value, path) => changed(value, path, WRONG), example)) };
}

const WRONG = { unheardOf: 1 };

function* leavesOf(example: unknown, path: Path = []): Generator<Path> {
  const value = at(example, path);
  if (typeof value !== 'object' || value === null) yield path;
  else for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) yield* leavesOf(example, [...path, key]);
}

// A member that JSON.stringify takes for another one, and that loses the difference as text.
const TWICE = '\u0001twice';
const doubled = (value: unknown): string => JSON.stringify(value).replaceAll('\\u0001twice', '');

function outOfRange(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return NUMBERS.filter(other => other !== value);
  if (typeof value === 'string') return TEXTS(value).filter(other => other !== value);
  return Array.isArray(value) && value.length > 0 ? [[], Array<unknown>(100).fill(value[0])] : [];
}

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
export const at = (from: unknown, path: Path): unknown => path.reduce<any>((value, key) => value[key], from);

/** A copy with another value at this path, or without it. */
export function changed(from: unknown, path: Path, change: unknown): unknown {
  if (path.length === 0) return change;
  const copy = structuredClone(from), holder = at(copy, path.slice(0, -1)) as any, last = path.at(-1)!;
  if (change !== undefined) holder[last] = change;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return copy;
}

function mulberry32(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
