import { readFileSync, statSync } from 'node:fs';
import type * as z from 'zod';
import { BadFile, memberPath, parseStrict } from './json-scan.ts';

/** The text of a file that others wrote: UTF-8, up to a size. */
export function readText(path: string, file: string, maxBytes: number): string {
  const { size } = statSync(path);
  if (size > maxBytes) throw new BadFile(file, [`has ${size} bytes, more than ${maxBytes}: refused unread`]);
  return decode(readFileSync(path), file);
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BadFile(file, ['is not UTF-8']);
  }
}

/** JSON of one of our formats, or a BadFile with every problem and its member. */
export function parseFormat<T extends z.ZodType>(format: T, content: string | Uint8Array, file: string): z.output<T> {
  return checked(format, parseStrict(typeof content === 'string' ? content : decode(content, file), file), file);
}

/** The same of what is parsed already: GitHub's answers. */
export function checked<T extends z.ZodType>(format: T, value: unknown, what: string): z.output<T> {
  const read = validate(format, value);
  if ('value' in read) return read.value;
  throw new BadFile(what, read.problems.map(({ path, message }) => `${memberPath(path)}: ${message}`));
}

export interface Problem { readonly path: readonly PropertyKey[]; readonly message: string }

export type Validated<T> = { readonly value: T } | { readonly problems: readonly Problem[] };

export function validate<T extends z.ZodType>(format: T, value: unknown): Validated<z.output<T>> {
  const read = format.safeParse(value, { error: inOurWords });
  return read.success ? { value: read.data } : { problems: problemsOf(read.error) };
}

// Everything else as zod says it.
function inOurWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'missing';
  return issue.code === 'invalid_value' ? `is not ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}` : undefined;
}

/** One problem a member: zod tells unknown ones together, at the object that holds them. */
export const problemsOf = (error: z.ZodError): Problem[] => error.issues.flatMap(issue => {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: issue.message }];
  return issue.keys.map(key => ({ path: [...issue.path, key], message: 'unknown' }));
});
