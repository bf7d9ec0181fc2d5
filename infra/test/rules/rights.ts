import { CONTRIBUTOR, ROLE_BASED_ACCESS_CONTROL_ADMINISTRATOR } from '../../src/provision';
import { ROLES } from '../../src/roles';
import { principalOf } from '../support/fake-azure';
import { each, first, of, type Inputs, type Rule } from './rule';

const GRANT = /:RoleAssignment$/, DEFINITION = /:RoleDefinition$/, VM = /:VirtualMachineScaleSet$/;
type All = Parameters<typeof of>[0];

/** Name of the lab's own role that is given; Azure's roles have none here. */
function roleOf(grant: Inputs, all: All): string | undefined {
  const definition = of(all, 'authorization:RoleDefinition').find(role => grant['roleDefinitionId'].endsWith(role['roleDefinitionId']));
  return /^perf-lab (\S+) /.exec(definition?.['roleName'] ?? '')?.[1];
}

const guids = (text: string): string[] => [...text.matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g)].map(([guid]) => guid);
const isAdministrator = (grant: Inputs): boolean => grant['roleDefinitionId'].endsWith(ROLE_BASED_ACCESS_CONTROL_ADMINISTRATOR);

/** What one role may be given on: one thing. Machines come and go, so what is about them is given on the group that only they live in. */
const REACH: Readonly<Record<string, RegExp>> = {
  power: /\/virtualMachineScaleSets\/[^/]+$/, instances: /\/resourceGroups\/[^/]+$/, 'self-delete': /\/resourceGroups\/[^/]+$/, sign: /\/vaults\/[^/]+\/keys\/[^/]+$/,
  'cluster-power': /\/managedClusters\/[^/]+$/, 'cluster-watch': /\/managedClusters\/[^/]+$/, 'cluster-network': /\/subnets\/[^/]+$/,
};

export const RIGHTS_RULES: readonly Rule[] = [
  each('no_role_is_given_on_a_subscription', GRANT, grant => /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+(\/|$)/.test(grant['scope']),
    grant => { grant['scope'] = '/subscriptions/22222222-2222-4222-8222-222222222222'; }),
  {
    name: 'the_lab_s_roles_are_given_on_one_thing_each',
    check: all => of(all, 'authorization:RoleAssignment').flatMap(grant => {
      const role = roleOf(grant, all);
      return role === undefined || REACH[role]?.test(grant['scope']) ? [] : [`${role} on ${grant['scope']}`];
    }),
    mistakes: ['power', 'instances', 'self-delete', 'sign', 'cluster-power', 'cluster-watch', 'cluster-network'].map(role => all => {
      of(all, 'authorization:RoleAssignment').find(grant => roleOf(grant, all) === role)!['scope'] = '/subscriptions/x';
    }),
  },
  each('no_role_can_be_given_outside_of_the_lab', DEFINITION, role => role['assignableScopes'].every((scope: string) => /\/resourceGroups\/[^/]+$/.test(scope)),
    role => { role['assignableScopes'] = ['/subscriptions/x']; }),
  each('no_role_holds_a_wildcard', DEFINITION, role => role['permissions'].every((it: Inputs) => ![...it['actions'], ...it['dataActions']].some((action: string) => action.includes('*'))),
    role => { role['permissions'][0].actions = ['Microsoft.Compute/virtualMachines/*']; }),
  each('a_machine_may_delete_machines_and_nothing_else', VM, (vm, all) => {
    const grants = of(all, 'authorization:RoleAssignment').filter(grant => grant['principalId'] === principalOf('machine'));
    return vm['identity']?.type === 'UserAssigned' && vm['identity'].userAssignedIdentities.length === 1 && vm['identity'].userAssignedIdentities[0].endsWith('/userAssignedIdentities/machine')
      && grants.length === 1 && grants.every(grant => roleOf(grant, all) === 'self-delete');
  }, vm => { vm['identity'].userAssignedIdentities = ['/x/userAssignedIdentities/lab-power']; }, vm => { delete vm['identity']; }),
  each('the_role_of_a_machine_holds_one_action', DEFINITION, role => !role['roleName'].startsWith('perf-lab self-delete ')
    || JSON.stringify(role['permissions'][0].actions) === JSON.stringify(['Microsoft.Compute/virtualMachines/delete']),
    role => { role['roleName'] = 'perf-lab self-delete x'; role['permissions'][0].actions = [...ROLES.power.actions]; }),
  {
    name: 'whoever_gives_roles_away_gives_the_lab_s_own_only',
    check: all => of(all, 'authorization:RoleAssignment').filter(isAdministrator).filter(grant => {
      const own = of(all, 'authorization:RoleDefinition').map(role => role['roleDefinitionId']), named = guids(grant['condition'] ?? '');
      return grant['conditionVersion'] !== '2.0' || named.length !== 2 * own.length || !named.every(guid => own.includes(guid));
    }).map(grant => grant['scope']),
    mistakes: [
      all => { delete of(all, 'authorization:RoleAssignment').find(isAdministrator)!['condition']; },
      all => { const grant = of(all, 'authorization:RoleAssignment').find(isAdministrator)!; grant['condition'] = grant['condition'].replace('{', `{${CONTRIBUTOR}, `); },
    ],
  },
  each('every_token_comes_from_one_environment_of_one_repository', /:FederatedIdentityCredential$/, it => it['issuer'] === 'https://token.actions.githubusercontent.com'
    && /^repo:[^:*/]+\/[^:*/]+:environment:perf-lab(-setup)?$/.test(it['subject']) && it['audiences'].join() === 'api://AzureADTokenExchange',
    it => { it['subject'] = 'repo:octo-org/octo-repo:*'; }, it => { it['subject'] = 'repo:octo-org/octo-repo:pull_request'; }, it => { it['issuer'] = 'https://elsewhere.example'; }),
  each('the_vault_asks_for_roles_and_can_t_be_purged', /:Vault$/, ({ properties: it }) => it.enableRbacAuthorization && it.enablePurgeProtection && it.enableSoftDelete && !it.accessPolicies,
    it => { it['properties'].enableRbacAuthorization = false; }, it => { delete it['properties'].enablePurgeProtection; }),
  // Hosted runners have no fixed addresses: without public access they reach it through a private endpoint only, which no lab has.
  each('whoever_signs_reaches_the_vault', /:Vault$/, ({ properties: it }) => String(it.publicNetworkAccess).toLowerCase() === 'enabled' && it.networkAcls?.defaultAction === 'Allow',
    it => { it['properties'].publicNetworkAccess = 'disabled'; }, it => { it['properties'].networkAcls.defaultAction = 'Deny'; }),
  each('the_app_s_key_signs_and_does_nothing_else', /:Key$/, ({ properties: it }) => it.kty === 'RSA' && it.keyOps.join() === 'sign', it => { it['properties'].keyOps.push('decrypt'); }),
  {
    name: 'the_vault_holds_nothing_that_can_be_read_back',
    check: all => of(all, 'keyvault:Secret').map(secret => secret['secretName']),
    mistakes: [all => all.push({ ...first(all, /:Key$/), type: 'azure-native:keyvault:Secret' })],
  },
];
