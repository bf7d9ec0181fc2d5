import * as pulumi from '@pulumi/pulumi';
import { type MachineFiles, readMachineFiles } from './machine-files';
import { readSettings } from './read';
import type { Settings } from './settings';

/** Relative to the program, which Pulumi starts in infra/. */
const MACHINE_FILES = 'machine';

/** Pulumi's values are text; objects are JSON inside it. Throws one error that lists everything wrong, before any resource. */
export function readStack(): { readonly settings: Settings; readonly files: MachineFiles } {
  const project = `${pulumi.getProject()}:`;
  const own = Object.entries(pulumi.runtime.allConfig()).filter(([key]) => key.startsWith(project));
  const values = Object.fromEntries(own.map(([key, text]) => [key.slice(project.length), parse(text)]));
  const secrets = new Set(Object.keys(values).filter(key => isSecret(project + key)));
  const github = Object.entries(pulumi.runtime.allConfig()).filter(([key]) => key.startsWith('github:')).map(([key, text]) => [key.slice('github:'.length), text]);
  const read = readSettings(pulumi.getStack(), { values, secrets, github: Object.fromEntries(github) as Record<string, string> });
  const files = readMachineFiles(MACHINE_FILES, { metal: values['metal'] !== undefined });
  const problems = [...read.problems, ...('hash' in files ? [] : files)];
  if (!read.settings || !('hash' in files)) {
    throw new pulumi.RunError(`the configuration of the stack has ${problems.length} problem(s):\n  ${problems.join('\n  ')}\n`
      + 'Nothing was made. Pulumi.sample.yaml explains every key.');
  }
  return { settings: read.settings, files };
}

/** An object or a list is JSON; what only begins like one stays text, and is refused as no object. */
function parse(text: string): unknown {
  if (!/^(null$|[[{])/.test(text)) return text;
  try { return JSON.parse(text, leaveOut); } catch { return text; }
}

/** A member that is null counts as left out. */
function leaveOut(this: unknown, _: string, value: unknown): unknown {
  return value === null && !Array.isArray(this) ? undefined : value;
}

/** The SDK exports this but leaves it out of its types; `Config.getSecret` would not tell a secret from a plain value. */
function isSecret(key: string): boolean {
  return (pulumi.runtime as unknown as { isConfigSecret(key: string): boolean }).isConfigSecret(key);
}
