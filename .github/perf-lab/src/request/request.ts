import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { checked, parseFormat } from '../text/file.ts';
import { MAX_SESSIONS, PGO } from './words.ts';

const Sha = z.string().regex(/^[0-9a-f]{40}$/);
const Value = z.string().regex(/^[A-Za-z0-9@.*_-]{1,64}$/);
const Name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/);

// The same as schemas/request.schema.json; a test holds the two against each other.
export const RequestFile = z.strictObject({
  schema: z.literal('perf-lab/request/1'),
  repository: z.string().regex(/^[A-Za-z0-9-]{1,39}\/[A-Za-z0-9._-]{1,100}$/),
  pullRequest: z.int().min(1),
  commentId: z.int().min(1),
  requesterId: z.int().min(1),
  base: Sha,
  head: Sha,
  words: z.strictObject({
    suite: Name.nullable(),
    workloads: z.array(Value),
    runtimes: z.array(Value),
    pgo: z.array(z.enum(PGO)),
    gc: z.array(Value),
    frameworks: z.array(Value),
    machine: Name.nullable(),
    rounds: z.string().regex(/^[0-9]{1,3}\+[0-9]{1,3}$/).nullable(),
    sessions: z.int().min(1).max(MAX_SESSIONS).nullable(),
  }),
});

/** An accepted `/benchmark` comment. */
export type BenchmarkRequest = z.infer<typeof RequestFile>;

const MAX_BYTES = 64 << 10;

export const writeRequest = (request: BenchmarkRequest): string => `${JSON.stringify(checked(RequestFile, request, 'request.json'), null, 2)}\n`;

/** Lower-case hex SHA-256: travels as a job output, because every job of a run can upload a file under any name. */
export const digestOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The request as the gate wrote it; another digest means that somebody replaced the artifact. */
export function readRequest(path: string, digest: string): BenchmarkRequest {
  return parseFormat(RequestFile, readTrusted(path, digest, MAX_BYTES), 'request.json');
}

/** A file from another job, by the digest that this job told us through its outputs. */
export function readTrusted(path: string, digest: string, maxBytes: number): Buffer {
  const size = statSync(path).size;
  if (size > maxBytes) throw new Error(`${path} has ${size} bytes, more than ${maxBytes}: not what the earlier job wrote`);
  const bytes = readFileSync(path);
  const found = digestOf(bytes);
  if (found !== digest) throw new Error(`${path} has the digest ${found}, but the job that wrote it said ${digest}: refused`);
  return bytes;
}
