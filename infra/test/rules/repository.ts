import { each, type Rule } from './rule';

const VARIABLE = /:ActionsVariable$/;

/** Only stacks that set the repository have anything that these could find. */
export const REPOSITORY_RULES: readonly Rule[] = [
  // "Protected branches" would be every branch as long as nobody protects one.
  each('an_environment_takes_the_branches_of_a_list', /:RepositoryEnvironment$/, ({ deploymentBranchPolicy: it }) => it?.customBranchPolicies === true && it.protectedBranches === false,
    it => { delete it['deploymentBranchPolicy']; }, it => { it['deploymentBranchPolicy'] = { protectedBranches: true, customBranchPolicies: false }; }),
  each('that_list_is_one_branch', /:RepositoryEnvironmentDeploymentPolicy$/, it => /^[^*?[\]]+$/.test(it['branchPattern']), it => { it['branchPattern'] = '*'; }, it => { it['branchPattern'] = 'release/**'; }),
  {
    name: 'every_environment_of_a_login_has_such_a_list',
    check: all => {
      if (!all.some(r => r.type.startsWith('github:'))) return [];
      const has = (kind: string, environment: string): boolean => all.some(r => r.type.endsWith(`:${kind}`) && r.inputs['environment'] === environment);
      return all.filter(r => r.type.endsWith(':FederatedIdentityCredential')).map(r => String(r.inputs['subject']).replace(/^.*:environment:/, ''))
        .filter(environment => !has('RepositoryEnvironment', environment) || !has('RepositoryEnvironmentDeploymentPolicy', environment));
    },
    mistakes: [all => { all.splice(all.findIndex(r => r.type.endsWith(':RepositoryEnvironmentDeploymentPolicy')), 1); }, all => { all.splice(all.findIndex(r => r.type.endsWith(':RepositoryEnvironment')), 1); }],
  },
  each('changing_the_lab_waits_for_reviewers', /:RepositoryEnvironment$/, it => it['environment'] !== 'perf-lab-setup' || it['reviewers']?.[0]?.users.length > 0,
    it => { it['environment'] = 'perf-lab-setup'; delete it['reviewers']; }),
  each('nobody_pushes_to_the_default_branch', /:RepositoryRuleset$/, it => it['enforcement'] === 'active' && it['rules'].pullRequest?.requireCodeOwnerReview && it['rules'].pullRequest.requiredApprovingReviewCount > 0
    && it['rules'].nonFastForward && it['bypassActors'].every((actor: { bypassMode: string }) => actor.bypassMode === 'pull_request'),
    it => { it['enforcement'] = 'disabled'; }, it => { it['rules'].pullRequest.requireCodeOwnerReview = false; }, it => { it['bypassActors'][0].bypassMode = 'always'; }, it => { delete it['rules'].pullRequest; }),
  each('no_variable_is_a_secret', VARIABLE, it => !/gh[pousr]_|github_pat_|PRIVATE KEY|sig=|AccountKey/i.test(String(it['value'])), it => { it['value'] = 'azblob://state?sig=abc'; }),
];
