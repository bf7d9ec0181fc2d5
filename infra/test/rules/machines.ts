import { SIZES } from '../../src/config/sizes';
import { BORN_SUSPECTED, LIVE_TAGS, STACK_TAG } from '../../src/names';
import { each, of, type Inputs, type Rule } from './rule';

const VM = /:VirtualMachine$/;
/** Types of Azure that have tags. */
const TAGGED = /:(ResourceGroup|NetworkSecurityGroup|PublicIPAddress|NatGateway|VirtualNetwork|NetworkInterface|VirtualMachine|GlobalSchedule|UserAssignedIdentity|Vault|Key|ManagedCluster)$/;
const disk = (vm: Inputs): Inputs => vm['storageProfile'].osDisk;
const linux = (vm: Inputs): Inputs => vm['osProfile'].linuxConfiguration;
const schedules = (vm: Inputs, all: Parameters<typeof of>[0]): Inputs[] =>
  of(all, 'devtestlab:GlobalSchedule').filter(schedule => schedule['targetResourceId'].endsWith(`/virtualMachines/${vm['vmName']}`));

export const MACHINE_RULES: readonly Rule[] = [
  each('no_image_is_latest', VM, vm => /^\d+(\.\d+){1,3}$/.test(vm['storageProfile'].imageReference.version ?? vm['storageProfile'].imageReference.id.split('/').at(-1)),
    vm => { vm['storageProfile'].imageReference = { publisher: 'Debian', offer: 'debian-13', sku: '13-gen2', version: 'latest' }; },
    vm => { vm['storageProfile'].imageReference.id = '/subscriptions/x/galleries/g/images/i/versions/latest'; },
    vm => { vm['storageProfile'].imageReference.id = '/subscriptions/x/galleries/g/images/i'; }),
  each('no_password_opens_a_machine', VM, vm => linux(vm)['disablePasswordAuthentication'] === true && vm['osProfile'].adminPassword === undefined,
    vm => { linux(vm)['disablePasswordAuthentication'] = false; },
    vm => { delete linux(vm)['disablePasswordAuthentication']; },
    vm => { vm['osProfile'].adminPassword = 'secret'; }),
  each('every_size_is_on_the_list', VM, vm => vm['hardwareProfile'].vmSize in SIZES, vm => { vm['hardwareProfile'].vmSize = 'Standard_B2s'; }),
  each('no_machine_can_be_evicted', VM, vm => vm['priority'] === 'Regular', vm => { vm['priority'] = 'Spot'; }, vm => { delete vm['priority']; }),
  each('every_machine_boots_only_what_is_signed', VM, ({ securityProfile: it }) => it.securityType === 'TrustedLaunch' && it.uefiSettings.secureBootEnabled && it.uefiSettings.vTpmEnabled,
    vm => { vm['securityProfile'].securityType = 'Standard'; }, vm => { vm['securityProfile'].uefiSettings.secureBootEnabled = false; }),
  each('every_disk_is_premium_and_goes_with_its_machine', VM, vm => disk(vm)['deleteOption'] === 'Delete' && disk(vm)['managedDisk'].storageAccountType === 'Premium_LRS',
    vm => { disk(vm)['deleteOption'] = 'Detach'; }, vm => { disk(vm)['managedDisk'].storageAccountType = 'Standard_LRS'; }),
  each('every_network_interface_goes_with_its_machine', VM, vm => vm['networkProfile'].networkInterfaces.every((nic: Inputs) => nic['deleteOption'] === 'Delete'),
    vm => { delete vm['networkProfile'].networkInterfaces[0].deleteOption; }),
  each('every_machine_keeps_its_boot_log', VM, vm => vm['diagnosticsProfile'].bootDiagnostics.enabled === true, vm => { vm['diagnosticsProfile'].bootDiagnostics.enabled = false; }),
  each('nothing_is_installed_into_a_machine_from_outside', VM, vm => vm['osProfile'].allowExtensionOperations === false, vm => { delete vm['osProfile'].allowExtensionOperations; }),
  each('every_machine_is_switched_off_every_day', VM, (vm, all) => schedules(vm, all).some(it => it['name'] === `shutdown-computevm-${vm['vmName']}`
    && it['taskType'] === 'ComputeVmShutdownTask' && it['status'] === 'Enabled' && /^\d{4}$/.test(it['dailyRecurrence'].time)),
    vm => { vm['vmName'] = 'other'; }),
  each('every_schedule_is_one_that_azure_accepts', /:GlobalSchedule$/, it => it['name'] === `shutdown-computevm-${it['targetResourceId'].split('/').at(-1)}`
    && it['taskType'] === 'ComputeVmShutdownTask' && it['status'] === 'Enabled',
    it => { it['name'] = 'nightly'; }, it => { it['status'] = 'Disabled'; }, it => { it['taskType'] = 'LabVmsShutdownTask'; }),
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
