import type { Registration } from './recorded';
import { plainObject } from './values';

/** The repository behind a fake engine; left out, a public one, and who asks may administer it. */
export interface Repository {
  readonly visibility?: 'public' | 'private';
  /** Of its owner. */
  readonly plan?: 'free' | 'pro' | 'team' | 'enterprise';
  /** What GITHUB_TOKEN may do. */
  readonly token?: 'admin' | 'write' | 'none';
  /** Variables and rulesets, by name, that somebody made by hand. */
  readonly existing?: readonly string[];
}

type Refusal = (asked: { readonly kind: string; readonly inputs: Record<string, any>; readonly at: Required<Repository>; readonly before: readonly Registration[] }) => string | undefined;

const isPrivate = ({ visibility }: Repository): boolean => visibility === 'private';

/** What GitHub says no to; with each, where that was recorded or written. */
export const GITHUB_REFUSALS: Readonly<Record<string, Refusal>> = {
  // REST reference, "Authentication": a call that changes something without a token.
  'a call without a token': ({ at }) => at.token === 'none' ? '401 Requires authentication' : undefined,
  // REST reference, environments, rulesets and variables want "Administration", "Environments" or "Variables" (write); who has less is told 403 or 404.
  'a token that may not administer': ({ at }) => at.token === 'write' ? '403 Resource not accessible by personal access token' : undefined,
  // GitHub, "Managing environments for deployment": in private repositories from GitHub Pro or Team on. The words of the answer were not recorded.
  'an environment in a private repository of a free plan': ({ kind, at }) => /^RepositoryEnvironment/.test(kind) && isPrivate(at) && at.plan === 'free'
    ? '404 Not Found (environments in private repositories want GitHub Pro, Team or Enterprise)' : undefined,
  // backstage/backstage#28977, a logged answer, on the plan Team.
  'reviewers in a private repository below Enterprise': ({ kind, inputs, at }) => kind === 'RepositoryEnvironment' && inputs['reviewers'] && isPrivate(at) && at.plan !== 'enterprise'
    ? '422 Failed to create the environment protection rule. Please ensure the billing plan supports the required reviewers protection rule.' : undefined,
  // REST reference, "Create or update an environment": up to six; both kinds of branches at once, or neither, can't be.
  'more than six reviewers': ({ kind, inputs }) => kind === 'RepositoryEnvironment' && (inputs['reviewers']?.[0]?.users?.length ?? 0) > 6 ? '422 Validation Failed: reviewers' : undefined,
  'protected branches and a list of branches at once': ({ kind, inputs: { deploymentBranchPolicy: policy } }) => kind === 'RepositoryEnvironment' && policy && policy.protectedBranches === policy.customBranchPolicies
    ? '422 protected_branches and custom_branch_policies cannot have the same value' : undefined,
  // REST reference, "Create a deployment branch policy": the environment has to have custom branch policies.
  'a branch for an environment that takes no list': ({ kind, inputs, before }) => kind === 'RepositoryEnvironmentDeploymentPolicy'
    && !before.some(one => one.type.endsWith(':RepositoryEnvironment') && one.inputs['environment'] === inputs['environment'] && (plainObject(one.inputs) as Record<string, any>)['deploymentBranchPolicy']?.customBranchPolicies)
    ? '404 Not Found' : undefined,
  // github/branch-deploy#345, desktop/desktop#17182: logged answers.
  'rules of branches in a private repository of a free plan': ({ kind, at }) => /Ruleset|BranchProtection/.test(kind) && isPrivate(at) && at.plan === 'free'
    ? '403 Upgrade to GitHub Pro or make this repository public to enable this feature.' : undefined,
  // REST reference, rulesets: names are unique in a repository. The words were not recorded.
  'rules of a name that is there': ({ kind, inputs, at }) => kind === 'RepositoryRuleset' && at.existing.includes(inputs['name']) ? '422 Validation Failed: Name must be unique' : undefined,
  // REST reference, "Create a repository variable": POST; "Naming your configuration variables".
  'a variable that is there': ({ kind, inputs, at }) => kind === 'ActionsVariable' && at.existing.includes(inputs['variableName']) ? '409 Already exists - Variable already exists' : undefined,
  'a variable with a name of GitHub\'s own': ({ kind, inputs }) => kind === 'ActionsVariable' && !/^(?!GITHUB_)[A-Za-z_][A-Za-z0-9_]*$/i.test(String(inputs['variableName']))
    ? '422 Variable names can only contain alphanumeric characters or underscores, and must not begin with GITHUB_ or a number' : undefined,
  'a variable without a value': ({ kind, inputs }) => kind === 'ActionsVariable' && String(inputs['value'] ?? '') === '' ? '422 Invalid request. "value" wasn\'t supplied.' : undefined,
};

/** Why GitHub would not make or change this; nothing when it would. */
export function gitHubRefusalOf(one: Registration, repository: Repository, before: readonly Registration[]): string | undefined {
  const at = { visibility: 'public', plan: 'free', token: 'admin', existing: [], ...repository } as const;
  const inputs = plainObject(one.inputs) as Record<string, any>, kind = one.type.split(':').at(-1) ?? '';
  for (const refuse of Object.values(GITHUB_REFUSALS)) {
    const why = refuse({ kind, inputs, at, before });
    if (why) return why;
  }
  return undefined;
}
