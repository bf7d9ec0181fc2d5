import { isDeepStrictEqual } from 'node:util';
import { SIZES } from '../../src/config/sizes';
import { BORN_SUSPECTED, LIVE_TAGS, STACK_TAG } from '../../src/config/names';
import { each, of, type Inputs, type Rule } from './rule';

const VM = /:VirtualMachineScaleSet$/;
/** Types of Azure that have tags. */
const TAGGED = /:(ResourceGroup|NetworkSecurityGroup|VirtualNetwork|VirtualMachineScaleSet|UserAssignedIdentity|Vault|Key|ManagedCluster|Workflow)$/;
const profile = (vm: Inputs): Inputs => vm['virtualMachineProfile'];
const disk = (vm: Inputs): Inputs => profile(vm)['storageProfile'].osDisk;
const linux = (vm: Inputs): Inputs => profile(vm)['osProfile'].linuxConfiguration;
const cards = (vm: Inputs): Inputs[] => profile(vm)['networkProfile'].networkInterfaceConfigurations;
const addresses = (vm: Inputs): Inputs[] => cards(vm).flatMap(card => card['ipConfigurations'].map((ip: Inputs) => ip['publicIPAddressConfiguration']));

/** Aliases: Microsoft's list for Microsoft.Compute (Get-AzPolicyAlias), both there. The built-in policy has the first of the two alone. */
const DENIES = {
  if: {
    anyOf: ['virtualMachines', 'virtualMachineScaleSets'].map(kind => ({
      allOf: [
        { field: 'type', equals: `Microsoft.Compute/${kind}` }, { field: `Microsoft.Compute/${kind}/sku.name`, exists: 'true' },
        { field: `Microsoft.Compute/${kind}/sku.name`, notIn: '[parameters(\'listOfAllowedSKUs\')]' },
      ],
    })),
  },
  then: { effect: 'deny' },
};

export const MACHINE_RULES: readonly Rule[] = [
  each('no_image_is_latest', VM, vm => /^\d+(\.\d+){1,3}$/.test(profile(vm)['storageProfile'].imageReference.version ?? profile(vm)['storageProfile'].imageReference.id.split('/').at(-1)),
    vm => { profile(vm)['storageProfile'].imageReference = { publisher: 'Debian', offer: 'debian-13', sku: '13-gen2', version: 'latest' }; },
    vm => { profile(vm)['storageProfile'].imageReference = { id: '/subscriptions/x/galleries/g/images/i/versions/latest' }; },
    vm => { profile(vm)['storageProfile'].imageReference = { id: '/subscriptions/x/galleries/g/images/i' }; }),
  each('no_password_opens_a_machine', VM, vm => linux(vm)['disablePasswordAuthentication'] === true && profile(vm)['osProfile'].adminPassword === undefined,
    vm => { linux(vm)['disablePasswordAuthentication'] = false; },
    vm => { delete linux(vm)['disablePasswordAuthentication']; },
    vm => { profile(vm)['osProfile'].adminPassword = 'secret'; }),
  each('every_size_is_on_the_list', VM, vm => vm['sku'].name in SIZES, vm => { vm['sku'].name = 'Standard_B2s'; }),
  each('no_machine_can_be_evicted', VM, vm => profile(vm)['priority'] === 'Regular', vm => { profile(vm)['priority'] = 'Spot'; }, vm => { delete profile(vm)['priority']; }),
  each('every_machine_boots_only_what_is_signed', VM, ({ virtualMachineProfile: { securityProfile: it } }) => it.securityType === 'TrustedLaunch' && it.uefiSettings.secureBootEnabled && it.uefiSettings.vTpmEnabled,
    vm => { profile(vm)['securityProfile'].securityType = 'Standard'; }, vm => { profile(vm)['securityProfile'].uefiSettings.secureBootEnabled = false; }),
  each('every_disk_is_premium_and_goes_with_its_machine', VM, vm => disk(vm)['deleteOption'] === 'Delete' && disk(vm)['managedDisk'].storageAccountType === 'Premium_LRS',
    vm => { disk(vm)['deleteOption'] = 'Detach'; }, vm => { disk(vm)['managedDisk'].storageAccountType = 'Standard_LRS'; }),
  each('every_network_interface_goes_with_its_machine', VM, vm => cards(vm).every(nic => nic['deleteOption'] === 'Delete'),
    vm => { delete cards(vm)[0]!['deleteOption']; }),
  each('every_address_goes_with_its_machine_and_lets_nothing_in', VM, vm => addresses(vm).every(it => it['deleteOption'] === 'Delete' && it['sku'].name === 'Standard'),
    vm => { delete addresses(vm)[0]!['deleteOption']; }, vm => { addresses(vm)[0]!['sku'].name = 'Basic'; }),
  each('every_card_is_accelerated_and_behind_a_security_group', VM, vm => cards(vm).every(nic => nic['enableAcceleratedNetworking'] === true && nic['networkSecurityGroup']?.id),
    vm => { delete cards(vm)[0]!['enableAcceleratedNetworking']; }, vm => { delete cards(vm)[0]!['networkSecurityGroup']; }),
  // Only Flexible orchestration knows what goes with a machine; there its network has a version of its own.
  each('every_machine_is_one_of_its_own_in_the_lab_s_group', VM, vm => vm['orchestrationMode'] === 'Flexible' && profile(vm)['networkProfile'].networkApiVersion === '2020-11-01',
    vm => { vm['orchestrationMode'] = 'Uniform'; }, vm => { delete profile(vm)['networkProfile'].networkApiVersion; }),
  each('every_machine_is_provisioned_empty_and_stays_as_it_is_until_somebody_asks', VM, vm => vm['sku'].capacity === 0 && vm['upgradePolicy'].mode === 'Manual',
    vm => { vm['sku'].capacity = 1; }, vm => { vm['upgradePolicy'].mode = 'Automatic'; }),
  each('what_a_machine_boots_with_is_base_64_and_no_secret_of_the_state', VM, vm => Buffer.from(profile(vm)['osProfile'].customData, 'base64').toString() === '#cloud-config\n',
    vm => { profile(vm)['osProfile'].customData = '#cloud-config\n'; }),
  each('what_is_left_of_a_machine_can_be_told_by_name_and_tag', VM, vm => vm['tags']['perf-lab:machine'] === vm['vmScaleSetName'] && cards(vm).every(nic => nic['name'] === vm['vmScaleSetName']),
    vm => { delete vm['tags']['perf-lab:machine']; }, vm => { cards(vm)[0]!['name'] = 'nic'; }),
  each('every_machine_keeps_its_boot_log', VM, vm => profile(vm)['diagnosticsProfile'].bootDiagnostics.enabled === true, vm => { profile(vm)['diagnosticsProfile'].bootDiagnostics.enabled = false; }),
  each('nothing_is_installed_into_a_machine_from_outside', VM, vm => profile(vm)['osProfile'].allowExtensionOperations === false, vm => { delete profile(vm)['osProfile'].allowExtensionOperations; }),
  {
    name: 'azure_itself_denies_every_size_but_those_of_the_stack_file',
    check: all => {
      const used = [...new Set(of(all, 'compute:VirtualMachineScaleSet').map(set => set['sku'].name))].sort().join();
      const denies = of(all, 'authorization:PolicyDefinition').filter(it => isDeepStrictEqual(it['policyRule'], DENIES)).map(it => it['policyDefinitionName']);
      const allowed = of(all, 'authorization:PolicyAssignment').filter(it => denies.includes(it['policyDefinitionId'].split('/').at(-1)) && it['enforcementMode'] === 'Default'
        && /\/resourceGroups\/[^/]+$/.test(it['scope'])).map(it => it['parameters'].listOfAllowedSKUs.value.join());
      return allowed.length === 1 && allowed[0] === used ? [] : [`allowed ${allowed.join(' and ')}, used ${used}`];
    },
    mistakes: [
      all => { of(all, 'authorization:PolicyAssignment')[0]!['parameters'].listOfAllowedSKUs.value.push('Standard_D64s_v5'); },
      all => { of(all, 'authorization:PolicyAssignment')[0]!['enforcementMode'] = 'DoNotEnforce'; },
      all => { of(all, 'authorization:PolicyAssignment')[0]!['scope'] += '/providers/x'; },
      all => { of(all, 'authorization:PolicyAssignment')[0]!['policyDefinitionId'] = '/providers/Microsoft.Authorization/policyDefinitions/cccc23c7-8427-4f53-ad12-b6a63eb452b3'; },
      all => { of(all, 'authorization:PolicyDefinition')[0]!['policyRule'].if.anyOf.pop(); },
      all => { of(all, 'authorization:PolicyDefinition')[0]!['policyRule'].then.effect = 'audit'; },
    ],
  },
  each('everything_carries_the_tag_of_its_stack', TAGGED, it => it['tags']?.[STACK_TAG], it => { it['tags'] = {}; }),
  // The one tag that a cluster is born with is another rule's (a_new_cluster_is_stopped_by_the_first_round_of_the_reaper).
  each('no_update_writes_a_tag_that_the_lab_works_with', TAGGED, it => !LIVE_TAGS.some(tag => tag in (it['tags'] ?? {}) && !('agentPoolProfiles' in it && tag in BORN_SUSPECTED)),
    it => { it['tags']['perf-lab:lease'] = ''; }, it => { Object.assign(it['tags'], BORN_SUSPECTED); }),
  each('every_group_that_costs_has_a_budget', /:(ResourceGroup|ManagedCluster)$/, (it, all) =>
    of(all, 'costmanagement:Budget').some(budget => budget['scope'].endsWith(`/resourceGroups/${it['nodeResourceGroup'] ?? it['resourceGroupName']}`)),
    group => { group['resourceGroupName'] = 'other'; }),
  each('every_budget_tells_people', /:Budget$/, ({ amount, timeGrain, notifications }) => amount > 0 && timeGrain === 'Monthly'
    && Object.keys(notifications).length > 0 && Object.values<Inputs>(notifications).every(alert => alert['enabled'] && alert['contactEmails'].length > 0),
    budget => { budget['notifications'] = {}; }, budget => { budget['notifications']['actual-80'].contactEmails = []; }, budget => { budget['notifications']['actual-80'].enabled = false; }),
];
