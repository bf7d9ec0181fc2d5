import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node, type YAMLParseError } from 'yaml';
import type * as z from 'zod';
import { validate, type Problem } from './file.ts';
import { BadFile, HALF_CHARACTER, isHalfCharacter, MAX_DEPTH, memberPath, refuseMark } from './json-scan.ts';

/** YAML of one of our formats, or a BadFile with every problem, its line and its member. */
export function parseYaml<T extends z.ZodType>(format: T, text: string, file: string): z.output<T> {
  const lines = new LineCounter(), { document, value } = parse(text, lines, file);
  const lineAt = (at: number): string => `line ${lines.linePos(at).line}`;
  const errors = document.errors.map(error => `${lineAt(error.pos[0])}: ${inOurWords(error)}`);
  if (errors.length > 0) throw new BadFile(file, [...new Set(errors)]);
  const read = validate(format, value), found = [...unusual(document.contents)];
  if ('value' in read && found.length === 0) return read.value;
  const isTold = ({ path }: Problem): boolean => found.some(other => memberPath(other.path) === memberPath(path));
  const more: Found[] = 'problems' in read ? read.problems.filter(problem => !isTold(problem)) : [];
  throw new BadFile(file, [...found, ...more].map(({ path, message, node = nearest(document, path) }) =>
    `${node?.range ? `${lineAt(node.range[0])}, ` : ''}${memberPath(path)}: ${message}`));
}

const inOurWords = ({ code, message }: YAMLParseError): string =>
  (code === 'MULTIPLE_DOCS' ? 'a second document begins here, and only one is read' : message.split('\n')[0]!);

// Of very deep files the parser itself runs out of stack, and aliases that could make a small file large are refused: it throws.
function parse(text: string, lineCounter: LineCounter, file: string): { readonly document: Document.Parsed; readonly value: unknown } {
  refuseMark(text, file);
  try {
    const document = parseDocument(text, { lineCounter, schema: 'core', uniqueKeys: false });    // `unusual` names the member as well
    return { document, value: document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 10 }) as unknown };
  } catch (error) {
    throw new BadFile(file, [error instanceof RangeError ? `more than ${MAX_DEPTH} levels deep` : (error as Error).message]);
  }
}

interface Found extends Problem { readonly node?: Node | undefined }

/** What YAML can say and our files never mean. */
function* unusual(node: unknown, path: readonly PropertyKey[] = []): Generator<Found> {
  if (path.length > MAX_DEPTH) yield { path: path.slice(0, 3), message: `more than ${MAX_DEPTH} levels deep` };
  else if (isMap(node)) {
    const seen = new Set<string>();
    for (const { key, value } of node.items) {
      const name = String(key), at = [...path, name];
      if (seen.has(name)) yield { path: at, message: 'appears twice', node: key as Node };
      if (name === '__proto__') yield { path: at, message: 'a member of this name is refused', node: key as Node };
      seen.add(name);
      yield* unusual(value, at);
    }
  } else if (isSeq(node)) {
    for (const [i, value] of node.items.entries()) yield* unusual(value, [...path, i]);
  } else if (isScalar(node)) {
    const { value } = node;
    if (typeof value === 'number' && !Number.isFinite(value)) yield { path, message: `${node.source ?? value} is no finite number`, node };
    if (isHalfCharacter(value)) yield { path, message: HALF_CHARACTER, node };
  }
}

/** Of what is missing, the line of what it is missing in. */
function nearest(document: Document.Parsed, path: readonly PropertyKey[]): Node | undefined {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as Node | undefined;
    if (node?.range) return node;
  }
  return undefined;
}
