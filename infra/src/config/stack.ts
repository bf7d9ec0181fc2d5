import * as pulumi from '@pulumi/pulumi';
import { type MachineFiles, readMachineFiles } from '../machine-files';
import { readSettings } from './read';
import type { Settings } from './settings';

/** Relative to the program, which Pulumi starts in infra/. */
const MACHINE_FILES = 'machine';
const OBJECTS = ['network', 'machines', 'shutdown', 'budget', 'metal', 'cluster', 'githubApp'];

/** Pulumi's values are text; objects are JSON inside it. Throws one error that lists everything wrong, before any resource. */
export function readStack(): { readonly settings: Settings; readonly files: MachineFiles } {
  const project = `${pulumi.getProject()}:`;
  const own = Object.entries(pulumi.runtime.allConfig()).filter(([key]) => key.startsWith(project)).map(([key, text]) => [key.slice(project.length), text] as const);
  const values = Object.fromEntries(own.map(([key, text]) => [key, OBJECTS.includes(key) ? parse(text) : text]));
  const read = readSettings(pulumi.getStack(), { values, secrets: new Set(own.map(([key]) => key).filter(key => isSecret(project + key))) });
  const files = readMachineFiles(MACHINE_FILES, { metal: read.settings.metal !== undefined });
  const problems = [...read.problems, ...('cloudInit' in files ? [] : files)];
  if (problems.length > 0 || !('cloudInit' in files)) {
    throw new pulumi.RunError(`the configuration of the stack has ${problems.length} problem(s):\n  ${problems.join('\n  ')}\n`
      + 'Nothing was made. Pulumi.sample.yaml explains every key.');
  }
  return { settings: read.settings, files };
}

/** What is no JSON stays text, and is refused as no object. */
function parse(text: string): unknown {
  try { return JSON.parse(text); } catch { return text; }
}

/** The SDK exports this but leaves it out of its types; `Config.getSecret` would not tell a secret from a plain value. */
function isSecret(key: string): boolean {
  return (pulumi.runtime as unknown as { isConfigSecret(key: string): boolean }).isConfigSecret(key);
}
