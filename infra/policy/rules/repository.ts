import { each, together } from './rule';

const ENVIRONMENT = 'github:index:RepositoryEnvironment', BRANCH = 'github:index:RepositoryEnvironmentDeploymentPolicy', RULES = 'github:index:RepositoryRuleset';

const oneBranch = together({
  name: 'environment-takes-one-branch', severity: 'critical',
  why: 'Whoever may run a job in the environment of a login is that login: with any branch, that is everybody who may push.',
}, function* (lab) {
  for (const environment of lab.of(ENVIRONMENT)) {
    const { deploymentBranchPolicy: policy, environment: name } = environment.props, branches = lab.of(BRANCH).filter(({ props }) => props['environment'] === name).map(({ props }) => String(props['branchPattern']));
    if (policy?.customBranchPolicies !== true || policy.protectedBranches === true) yield [environment, 'it takes more than a list of branches'];
    if (branches.length !== 1 || /[*?[\]]/.test(branches.join())) yield [environment, `it takes the branches ${branches.join(', ') || 'of nobody'}, not one`];
  }
});

const reviewedBranch = each({
  name: 'default-branch-is-reviewed', severity: 'critical',
  why: 'The workflows of the default branch decide who may do what.',
}, [RULES], function* ({ props }) {
  const { pullRequest, nonFastForward } = props['rules'] ?? {}, bypass = (props['bypassActors'] ?? []) as { bypassMode?: string }[];
  if (props['enforcement'] !== 'active') yield 'its rules only look';
  if (!(pullRequest?.requiredApprovingReviewCount > 0) || pullRequest.requireCodeOwnerReview !== true) yield 'nobody has to review';
  if (nonFastForward !== true) yield 'its history can be replaced';
  if (bypass.some(actor => actor.bypassMode !== 'pull_request')) yield 'somebody may push past the rules';
});

export const REPOSITORY = [oneBranch, reviewedBranch];
