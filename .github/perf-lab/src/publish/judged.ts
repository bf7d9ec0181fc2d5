import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../process/environment.ts';
import { writeOutputs } from '../process/outputs.ts';

/** The plan goes beside the journals: the report takes from it how a row is measured again, and the folder is a session that `verify` reads. */
export function keepPlan(folder: string, plan: string): void {
  copyFileSync(plan, join(folder, 'plan.json'));
}

/**
 * What the verdict stands on, for the job that attests. Digests and no files: what lies under a name can be replaced by any job of the run, and would be vouched for.
 */
export function tellJudged(env: Environment, folder: string, journals: readonly string[]): void {
  writeOutputs(env, { journals: journals.map(file => createHash('sha256').update(readFileSync(join(folder, file))).digest('hex')).join('.') });
}
