import { readFileSync, statSync } from 'node:fs';
import type { z } from 'zod';
import { BadFile, memberPath, parseStrict } from './json-scan.ts';

/** The text of a file that others wrote: UTF-8 without a byte order mark, up to a size. */
export function readText(path: string, file: string, maxBytes: number): string {
  const { size } = statSync(path);
  if (size > maxBytes) throw new BadFile(file, [`has ${size} bytes, more than ${maxBytes}: refused unread`]);
  return decode(readFileSync(path), file);
}

export function decode(bytes: Uint8Array, file: string): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) throw new BadFile(file, ['starts with a byte order mark: save it as UTF-8 without one']);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BadFile(file, ['is not UTF-8']);
  }
}

/** JSON of one of our formats, or a BadFile with every problem and its member. */
export function parseFormat<T extends z.ZodType>(format: T, content: string | Uint8Array, file: string): z.output<T> {
  const read = validate(format, parseStrict(typeof content === 'string' ? content : decode(content, file), file));
  if ('problems' in read) throw new BadFile(file, read.problems.map(({ path, message }) => `${memberPath(path)}: ${message}`));
  return read.value;
}

export interface Problem { readonly path: readonly PropertyKey[]; readonly message: string }

export function validate<T extends z.ZodType>(format: T, value: unknown): { readonly value: z.output<T> } | { readonly problems: readonly Problem[] } {
  const read = format.safeParse(value, { error: issue => (issue.code === 'invalid_type' && issue.input === undefined ? 'missing' : undefined) });
  return read.success ? { value: read.data } : { problems: problemsOf(read.error) };
}

/** One problem a member: zod tells unknown ones together, at the object that holds them. */
export const problemsOf = (error: z.ZodError): Problem[] => error.issues.flatMap(issue =>
  (issue.code === 'unrecognized_keys' ? issue.keys.map(key => ({ path: [...issue.path, key], message: 'unknown' })) : [{ path: issue.path, message: issue.message }]));
