import * as github from '@pulumi/github';
import * as pulumi from '@pulumi/pulumi';
import type { GitHubSettings, Settings } from './config/settings';
import type { GitHubIdentity } from './identity';
import { ENVIRONMENTS } from './config/names';

/** GitHub's number for the role "admin" of a repository, in the rules of branches. */
const ADMINS = 5;

/**
 * What the repository of the lab has to be, as GitHub keeps it: environments that only the default branch may enter, rules for that branch, variables.
 * No provider of our own: one that is made here would remember its token in the state (pulumi/pulumi-github#613). GitHub's default one takes it
 * from GITHUB_TOKEN at each run, and its owner from `github:owner` of the stack file.
 */
export class RepositorySettings extends pulumi.ComponentResource {
  /** The environments with their rules: no login may be worth anything before them. */
  readonly environments: readonly pulumi.Resource[];
  private readonly repository: string;

  constructor(name: string, private readonly settings: Settings, private readonly wanted: GitHubSettings, options?: pulumi.ComponentResourceOptions) {
    super('perf-lab:index:RepositorySettings', name, {}, options);
    const own = { parent: this }, repository = settings.repository.replace(/^.*\//, ''), { branch, reviewers } = wanted;
    this.repository = repository;
    const environment = (environment: string, people: readonly number[]): pulumi.Resource[] => {
      // Between this and the next no branch may enter: a list of branches, and it is empty.
      const made = new github.RepositoryEnvironment(environment, {
        repository, environment, deploymentBranchPolicy: { protectedBranches: false, customBranchPolicies: true },
        ...(people.length > 0 ? { reviewers: [{ users: [...people] }] } : {}),
      }, own);
      return [made, new github.RepositoryEnvironmentDeploymentPolicy(environment, { repository, environment: made.environment, branchPattern: branch }, own)];
    };
    this.environments = [...environment(ENVIRONMENTS.power, []), ...environment(ENVIRONMENTS.setup, reviewers)];
    new github.RepositoryRuleset('default-branch', {
      repository, name: 'perf-lab: the default branch', target: 'branch', enforcement: 'active',
      conditions: { refName: { includes: ['~DEFAULT_BRANCH'], excludes: [] } },
      // Who has nobody to review with still merges, by a pull request and in plain sight.
      bypassActors: [{ actorId: ADMINS, actorType: 'RepositoryRole', bypassMode: 'pull_request' }],
      rules: { deletion: true, nonFastForward: true, pullRequest: { requiredApprovingReviewCount: 1, requireCodeOwnerReview: true } },
    }, own);
    this.registerOutputs({});
  }

  /** What the workflows read (docs/operations.md); none of it is a secret. */
  tell(provision: GitHubIdentity): void {
    const { tenantId, subscriptionId } = this.settings, { reaper, stateUrl } = this.wanted;
    const variables = {
      PERF_LAB: 'on', PERF_LAB_REAPER: reaper, PULUMI_BACKEND_URL: stateUrl,
      AZURE_TENANT_ID: tenantId, AZURE_SUBSCRIPTION_ID: subscriptionId, PERF_LAB_PROVISION_CLIENT_ID: provision.clientId,
    };
    for (const [variableName, value] of Object.entries(variables)) {
      new github.ActionsVariable(variableName, { repository: this.repository, variableName, value }, { parent: this });
    }
  }
}
