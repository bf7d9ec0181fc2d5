import { SIZES } from '../../src/config/sizes';
import { STACK_TAG } from '../../src/config/names';
import { principalOf } from '../support/fake-azure';
import { each, of, type Inputs, type Rule } from './rule';

const CLUSTER = /:ManagedCluster$/;
const pools = (cluster: Inputs): Inputs[] => cluster['agentPoolProfiles'];

/** Only stacks with a cluster have anything that these could find. */
export const CLUSTER_RULES: readonly Rule[] = [
  each('the_api_server_is_private_or_says_who_may_reach_it', CLUSTER, ({ apiServerAccessProfile: it }) => it?.enablePrivateCluster === true || it?.authorizedIPRanges?.length > 0,
    cluster => { delete cluster['apiServerAccessProfile']; }, cluster => { cluster['apiServerAccessProfile'] = { authorizedIPRanges: [] }; }),
  each('the_pools_are_sut_and_load', CLUSTER, cluster => pools(cluster).map(pool => pool['name']).sort().join() === 'load,sut', cluster => { pools(cluster).pop(); }),
  // docs/internals/infrastructure.md says both, word for word; what measures tolerates the taint.
  each('nothing_but_launches_lands_on_the_pool_under_test', CLUSTER, cluster => pools(cluster).every(pool => pool['nodeLabels']?.['perf-lab/pool'] === pool['name']
    && JSON.stringify(pool['nodeTaints'] ?? []) === JSON.stringify(pool['name'] === 'sut' ? ['perf-lab/pool=sut:NoSchedule'] : [])),
    cluster => { delete pools(cluster).find(pool => pool['name'] === 'sut')!['nodeTaints']; }, cluster => { pools(cluster).find(pool => pool['name'] === 'sut')!['nodeTaints'] = ['perf-lab/pool=sut:PreferNoSchedule']; },
    cluster => { delete pools(cluster).find(pool => pool['name'] === 'sut')!['nodeLabels']; }, cluster => { pools(cluster).find(pool => pool['name'] === 'load')!['nodeTaints'] = ['perf-lab/pool=load:NoSchedule']; }),
  each('every_pool_is_of_a_listed_size_with_whole_cores', CLUSTER, cluster => pools(cluster).every(pool => pool['vmSize'] in SIZES && pool['kubeletConfig']?.cpuManagerPolicy === 'static'),
    cluster => { pools(cluster)[0]!['vmSize'] = 'Standard_B2s'; }, cluster => { delete pools(cluster)[1]!['kubeletConfig']; }),
  each('no_node_has_a_public_address', CLUSTER, cluster => pools(cluster).every(pool => pool['enableNodePublicIP'] === false),
    cluster => { pools(cluster)[0]!['enableNodePublicIP'] = true; }),
  each('nodes_carry_the_tag_of_their_stack', CLUSTER, cluster => pools(cluster).every(pool => pool['tags']?.[STACK_TAG]), cluster => { delete pools(cluster)[0]!['tags']; }),
  each('idle_pools_shrink_as_far_as_azure_allows', CLUSTER, cluster => pools(cluster).every(pool => pool['enableAutoScaling'] && pool['minCount'] === (pool['mode'] === 'System' ? 1 : 0)),
    cluster => { pools(cluster)[1]!['minCount'] = 3; }, cluster => { pools(cluster)[0]!['enableAutoScaling'] = false; }),
  each('the_cluster_has_no_local_accounts', CLUSTER, cluster => cluster['disableLocalAccounts'] === true && cluster['aadProfile']?.enableAzureRBAC === true,
    cluster => { cluster['disableLocalAccounts'] = false; }),
  each('pods_get_their_identities_from_azure', CLUSTER, cluster => cluster['oidcIssuerProfile']?.enabled && cluster['securityProfile']?.workloadIdentity?.enabled,
    cluster => { delete cluster['oidcIssuerProfile']; }),
  // Azure makes no cluster that is stopped: one without lease and suspicion would run for half an hour longer.
  each('a_new_cluster_is_stopped_by_the_first_round_of_the_reaper', CLUSTER, cluster => cluster['tags']?.['perf-lab:orphan'] < '2000' && !cluster['tags']['perf-lab:lease'],
    cluster => { delete cluster['tags']['perf-lab:orphan']; }, cluster => { cluster['tags']['perf-lab:lease'] = '1/1/2099-01-01T00:00:00Z'; }),
  {
    name: 'a_forgotten_cluster_has_a_watchdog',
    check: all => of(all, 'containerservice:ManagedCluster').filter(cluster => !of(all, 'logic:Workflow').some(watchdog => watchdog['state'] === 'Enabled'
      && JSON.stringify(watchdog['definition']).includes(`/managedClusters/${cluster['resourceName']}/stop?`) && watchdog['definition'].triggers.hourly?.recurrence.frequency === 'Hour'
      && of(all, 'authorization:RoleAssignment').some(grant => grant['principalId'] === principalOf(String(watchdog['identity'].userAssignedIdentities[0]).split('/').at(-1) ?? '') && grant['scope'].endsWith(`/managedClusters/${cluster['resourceName']}`))))
      .map(cluster => String(cluster['resourceName'])),
    mistakes: [
      all => { all.splice(all.findIndex(r => r.type.endsWith(':Workflow')), 1); }, all => { of(all, 'logic:Workflow')[0]!['state'] = 'Disabled'; },
      all => { all.splice(all.findIndex(r => r.type.endsWith(':RoleAssignment') && r.name === 'cluster-watchdog'), 1); },
      all => { of(all, 'logic:Workflow')[0]!['definition'].triggers.hourly.recurrence.frequency = 'Month'; },
    ],
  },
  each('nothing_upgrades_itself', CLUSTER, ({ autoUpgradeProfile: it }) => it?.upgradeChannel === 'none' && it?.nodeOSUpgradeChannel === 'None',
    cluster => { delete cluster['autoUpgradeProfile']; }),
];
