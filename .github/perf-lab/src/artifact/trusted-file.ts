import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** Lower-case hex SHA-256: travels as a job output, because every job of a run can upload a file under any name. */
export const digestOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A file from another job, by the digest that this job told us through its outputs; another digest means that somebody replaced the artifact. */
export function readTrusted(path: string, digest: string, maxBytes: number): Buffer {
  const size = statSync(path).size;
  if (size > maxBytes) throw new Error(`${path} has ${size} bytes, more than ${maxBytes}: not what the earlier job wrote`);
  const bytes = readFileSync(path);
  const found = digestOf(bytes);
  if (found !== digest) throw new Error(`${path} has the digest ${found}, but the job that wrote it said ${digest}: refused`);
  return bytes;
}
