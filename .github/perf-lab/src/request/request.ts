import * as z from 'zod';
import { checked, parseFormat } from '../text/file.ts';
import { BadFile } from '../text/json-scan.ts';
import { MAX_SNIPPET_BYTES } from '../snippet/snippet.ts';
import { WORD } from './first-word.ts';
import { CATEGORY, GLOB, MAX_SESSIONS, MAX_WARM_UP, MAX_WITHIN, PGO, SDK, VALUE } from './words.ts';

const Sha = z.string().regex(/^[0-9a-f]{40}$/);
const Value = z.string().regex(VALUE);
const Name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/);

// The same as schemas/request.schema.json; a test holds the two against each other.
export const RequestFile = z.strictObject({
  schema: z.literal('perf-lab/request/1'),
  repository: z.string().regex(/^[A-Za-z0-9_-]{1,39}\/[A-Za-z0-9._-]{1,100}$/),
  pullRequest: z.int().min(1),
  commentId: z.int().min(1),
  requesterId: z.int().min(1),
  base: Sha,
  head: Sha,
  word: z.string().regex(WORD),
  words: z.strictObject({
    suite: Name.nullable(),
    workloads: z.array(Value),
    runtimes: z.array(Value),
    pgo: z.array(z.enum(PGO)),
    gc: z.array(Value),
    frameworks: z.array(Value),
    filters: z.array(z.string().regex(GLOB)),
    categories: z.array(z.string().regex(CATEGORY)),
    machine: Name.nullable(),
    rounds: z.string().regex(/^[0-9]{1,3}\+[0-9]{1,3}$/).nullable(),
    sessions: z.int().min(1).max(MAX_SESSIONS).nullable(),
    warmUp: z.number().min(0.001).max(MAX_WARM_UP).nullable(),
    sdk: z.enum([SDK]).nullable(),
    within: z.number().min(0.001).max(MAX_WITHIN).nullable(),
  }),
  snippet: z.strictObject({
    comment: z.int().min(1),
    text: z.string().min(1).max(MAX_SNIPPET_BYTES),
  }).nullable(),
});

/** An accepted `/benchmark` comment. */
export type BenchmarkRequest = z.infer<typeof RequestFile>;

/** A snippet whose every character JSON writes as two, in base64url, and all around it; Linux takes variables of twice that. */
const MAX_CHARS = 65_536;

/**
 * How a request travels: as an output of the gate, in base64url, which no other job can set. No artifact of it is there to be replaced, deleted or
 * kept out by a full storage. Spaces fill it up to a length that needs no padding, which is outside of the outputs' alphabet.
 */
export function writeRequest(request: BenchmarkRequest): string {
  const text = JSON.stringify(checked(RequestFile, request, 'request.json'));
  return Buffer.from(text.padEnd(Math.ceil(text.length / 3) * 3)).toString('base64url');
}

export function readRequest(text: string): BenchmarkRequest {
  if (text.length > MAX_CHARS || !/^[A-Za-z0-9_-]+$/.test(text)) throw new BadFile('request.json', [`is not what the gate says of it: up to ${MAX_CHARS} characters of base64url`]);
  return parseFormat(RequestFile, Buffer.from(text, 'base64url'), 'request.json');
}
