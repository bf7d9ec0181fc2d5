import { createHash } from 'node:crypto';
import { type Settings, stackFile, SUBJECT } from './settings';
import { problemsOf } from './values';

/** Values as the stack file has them (objects already parsed); `secrets` are the keys that are stored encrypted. */
export interface RawConfig {
  readonly values: Readonly<Record<string, unknown>>;
  readonly secrets: ReadonlySet<string>;
  /** Keys of GitHub's provider, without `github:`. */
  readonly github: Readonly<Record<string, string>>;
}

interface ReadSettings { readonly settings?: Settings; readonly problems: readonly string[] }

/** Checks everything before anything is made: there are settings when there are no problems. */
export function readSettings(stack: string, { values, secrets, github }: RawConfig): ReadSettings {
  const read = stackFile({ cluster: values['cluster'] !== undefined, metal: values['metal'] !== undefined, secrets }).safeParse(values);
  const problems = problemsOf(read.error);
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(stack)) {
    problems.unshift(`the stack's name: "${stack.slice(0, 80)}" is not lower-case letters, digits and dashes, at most 31, a letter first`);
  }
  problems.push(...providerProblems(values, github));
  if (!read.success || problems.length > 0) return { problems };
  const { metalPrivateKey: _, metalRunnerToken: __, ...file } = read.data;
  const repository = file.githubSubject.replace(SUBJECT, 'https://github.com/$1/$2');
  return { settings: { ...file, stack, repository, vaultName: file.vaultName ?? vaultName(file.subscriptionId, stack) }, problems };
}

/** GitHub's provider is told whose repository it is and nothing else: a token in a stack file is a token in the state. */
function providerProblems({ github: wanted, githubSubject }: RawConfig['values'], given: RawConfig['github']): string[] {
  const owner = SUBJECT.exec(String(githubSubject))?.[1];
  const strangers = Object.keys(given).filter(key => key !== 'owner').map(key => `github:${key}: take it out${/token|auth/i.test(key) ? ' and revoke what it held' : ''}; the token comes from the environment, GITHUB_TOKEN`);
  if (wanted === undefined || !owner || given['owner']?.toLowerCase() === owner.toLowerCase()) return strangers;
  return [...strangers, `github:owner: ${given['owner'] === undefined ? 'missing' : `"${given['owner'].slice(0, 80)}" is not the owner in githubSubject`} (pulumi config set github:owner ${owner})`];
}

/** Key vault names are unique in the whole world: the hash keeps two labs apart. */
function vaultName(subscriptionId: string, stack: string): string {
  const hash = createHash('sha256').update(`${subscriptionId}/${stack}`).digest('hex');
  return `plab-${stack.slice(0, 10).replace(/[^a-z0-9]+/g, '-').replace(/-+$/, '')}-${hash.slice(0, 8)}`;
}
