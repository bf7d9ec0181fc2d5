import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readTrusted } from '../artifact/trusted-file.ts';
import { required, type Environment } from '../process/environment.ts';
import type { JobResults } from '../process/job-results.ts';

export const MOST_PLAN_BYTES = 64 << 20;

/** The plan of the job that made it, by that job's digest. */
export function trustedPlan(env: Environment): string {
  const path = resolve(required(env, 'PERF_LAB_PLAN'));
  readTrusted(path, required(env, 'PERF_LAB_PLAN_DIGEST'), MOST_PLAN_BYTES);
  return path;
}

/** Files of this run that were made, and that are not there any more or not as they were made. Nothing can be judged without them. */
export function lostFiles(env: Environment, results: JobResults): string[] {
  const runner = resolve(env['PERF_LAB_RUNNER'] ?? 'perf-lab');
  return [
    ...(results.tools === 'success' && !existsSync(runner) ? ['tools'] : []),
    ...(env['PERF_LAB_PLANNED'] === 'planned' && !isPlanThere(env) ? ['plan'] : []),
  ];
}

function isPlanThere(env: Environment): boolean {
  try {
    trustedPlan(env);
    return true;
  } catch {
    return false;
  }
}

/** What that means, in a sentence: true whoever took them. */
export const lostSentence = (lost: readonly string[]): string =>
  `${lost.length === 1 ? 'A file' : 'Files'} of this run ${lost.length === 1 ? 'is' : 'are'} gone or not as ${lost.length === 1 ? 'it was' : 'they were'} made (${lost.map(name => `\`${name}\``).join(', ')}), `
  + 'so nothing can be judged. They are kept for a day; otherwise something deleted or replaced them, which jobs of the run can. Write the command again.';
