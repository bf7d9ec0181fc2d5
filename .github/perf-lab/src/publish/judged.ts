import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../process/environment.ts';
import { writeOutputs } from '../process/outputs.ts';

/**
 * What the verdict stands on. The plan goes beside the journals, so that the folder is a session that `verify` reads; the digests go to the job that attests.
 * A digest and no file: what lies under a name can be replaced by any job of the run, and would be vouched for.
 */
export function keepJudged(env: Environment, folder: string, plan: string, journals: readonly string[]): void {
  copyFileSync(plan, join(folder, 'plan.json'));
  writeOutputs(env, { journals: journals.map(file => createHash('sha256').update(readFileSync(join(folder, file))).digest('hex')).join('.') });
}
