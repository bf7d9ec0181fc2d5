import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { validate, type Problem } from './file.ts';
import { BadFile, MAX_DEPTH, memberPath } from './json-scan.ts';

/** YAML of one of our formats, or a BadFile with every problem, its line and its member. */
export function parseYaml<T extends z.ZodType>(format: T, text: string, file: string): z.output<T> {
  const lines = new LineCounter();
  const lineAt = (at: number): string => `line ${lines.linePos(at).line}`;
  const { document, value } = parse(text, lines, file);
  if (document.errors.length > 0) throw new BadFile(file, document.errors.map(({ pos, message }) => `${lineAt(pos[0])}: ${message.split('\n')[0]}`));
  const read = validate(format, value);
  const problems = [...unusual(value), ...('problems' in read ? read.problems : [])];
  if ('value' in read && problems.length === 0) return read.value;
  throw new BadFile(file, problems.map(({ path, message }) => {
    const node = path.map((_, i) => document.getIn(path.slice(0, path.length - i), true) as { range?: [number] } | undefined).find(it => it?.range);
    return `${node === undefined ? '' : `${lineAt(node.range![0])}, `}${memberPath(path)}: ${message}`;
  }));
}

// Of very deep files the parser itself runs out of stack, and many aliases could make a small file large: it throws.
function parse(text: string, lineCounter: LineCounter, file: string) {
  try {
    const document = parseDocument(text, { lineCounter, schema: 'core', uniqueKeys: true });
    return { document, value: document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 10 }) as unknown };
  } catch (error) {
    throw new BadFile(file, [error instanceof RangeError ? `more than ${MAX_DEPTH} levels deep` : (error as Error).message]);
  }
}

/** What YAML can say and our files never mean. */
function unusual(value: unknown, path: readonly PropertyKey[] = []): Problem[] {
  if (path.length > MAX_DEPTH) return [{ path: path.slice(0, 3), message: `more than ${MAX_DEPTH} levels deep` }];
  if (typeof value === 'number' && !Number.isFinite(value)) return [{ path, message: `${value} is not a finite number` }];
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) return [{ path, message: 'holds half a character (a lone surrogate)' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => unusual(inner, [...path, Array.isArray(value) ? Number(key) : key]));
}
