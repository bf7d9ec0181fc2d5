import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const ROOT = join(__dirname, '../../..');
export const STACK = 'dev';
export type Values = Record<string, unknown>;

export const SECRETS: Values = {
  metalPrivateKey: '-----BEGIN OPENSSH PRIVATE KEY-----\nbm90IGEga2V5\n-----END OPENSSH PRIVATE KEY-----\n',
  metalRunnerToken: 'AAAAABBBBBCCCCCDDDDDEEEEEFFFFF',
};

const text = readFileSync(join(ROOT, 'Pulumi.sample.yaml'), 'utf8');

/** The sample stack file as it is. */
export const sample = (): Values => config(text);
/** With every optional part switched on, the way its first lines say; what is stored encrypted has a value here. */
export const everything = (): Values => ({ ...config(text.replaceAll(/^#(?=  )/gm, '')), ...SECRETS });
export const withMetal = (): Values => ({ ...sample(), ...pick('metal', 'metalPrivateKey', 'metalRunnerToken') });
export const withGitHub = (): Values => ({ ...sample(), ...pick('github', 'github:owner') });
export const withCluster = (): Values => ({ ...sample(), ...pick('cluster') });

function config(yaml: string): Values {
  const { config } = parse(yaml) as { config: Values };
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key.replace('perf-lab:', ''), value]));
}

function pick(...keys: string[]): Values {
  const all = everything();
  return Object.fromEntries(keys.map(key => [key, all[key]]));
}
