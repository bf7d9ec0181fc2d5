import * as compute from '@pulumi/azure-native/compute';
import type * as types from '@pulumi/azure-native/types';
import * as pulumi from '@pulumi/pulumi';
import type { Image } from './config/image';
import type { MachineSettings, Settings } from './config/settings';
import { LIVE_TAGS, MACHINE_TAG } from './config/names';
import type { LabNetwork } from './network';
import type { Place } from './place';

export interface MachineArgs {
  readonly machine: MachineSettings;
  readonly settings: Settings;
  readonly place: Place;
  readonly network: LabNetwork;
  /** Resource id of the user-assigned identity that a machine has. */
  readonly identityId: pulumi.Input<string>;
}

/**
 * One measuring machine: a scale set of one fixed size that holds nobody. `lab start` scales it to one for a request, `lab stop` empties it
 * (docs/decisions/0010-one-machine-per-request.md). The model says everything that is fixed; a change of it touches no running machine.
 */
export class Machine extends pulumi.ComponentResource {
  readonly setId: pulumi.Output<string>;

  constructor(name: string, { machine, settings, place, network, identityId }: MachineArgs, options?: pulumi.ComponentResourceOptions) {
    super('perf-lab:index:Machine', name, {}, options);
    const tags = { ...place.tags, [MACHINE_TAG]: name };
    const set = new compute.VirtualMachineScaleSet(name, {
      ...place, tags, vmScaleSetName: name,
      orchestrationMode: compute.OrchestrationMode.Flexible, platformFaultDomainCount: 1, singlePlacementGroup: false,    // no zones: more places to be
      sku: { name: machine.size, tier: 'Standard', capacity: 0 },
      identity: { type: compute.ResourceIdentityType.UserAssigned, userAssignedIdentities: [identityId] },
      upgradePolicy: { mode: compute.UpgradeMode.Manual },
      virtualMachineProfile: {
        priority: compute.VirtualMachinePriorityTypes.Regular,    // Spot adds eviction
        ...(machine.vcpusPerCore ? { hardwareProfile: { vmSizeProperties: { vCPUsPerCore: machine.vcpusPerCore } } } : {}),
        securityProfile: { securityType: compute.SecurityTypes.TrustedLaunch, uefiSettings: { secureBootEnabled: true, vTpmEnabled: true } },
        storageProfile: {
          imageReference: imageReference(settings.image),
          osDisk: {
            createOption: compute.DiskCreateOptionTypes.FromImage, deleteOption: compute.DiskDeleteOptionTypes.Delete,    // goes with its machine
            managedDisk: { storageAccountType: compute.StorageAccountTypes.Premium_LRS }, diskSizeGB: machine.diskGiB,
          },
        },
        osProfile: {
          computerNamePrefix: name.slice(0, 50), adminUsername: 'lab', allowExtensionOperations: false,
          customData: NOTHING,    // `lab start` brings what a request boots with
          linuxConfiguration: {
            disablePasswordAuthentication: true, ssh: { publicKeys: [{ path: '/home/lab/.ssh/authorized_keys', keyData: settings.sshPublicKey }] },
            patchSettings: { patchMode: compute.LinuxVMGuestPatchMode.ImageDefault, assessmentMode: compute.LinuxPatchAssessmentMode.ImageDefault },
          },
        },
        networkProfile: { networkApiVersion: compute.NetworkApiVersion.NetworkApiVersion_2020_11_01, networkInterfaceConfigurations: [card(name, network)] },
        diagnosticsProfile: { bootDiagnostics: { enabled: true } },
      },
    }, {
      parent: this, customTimeouts: { create: '15m' },
      // `lab start` writes these; an update sends their old values, so it is refused while a lease is live (live-lease.ts).
      ignoreChanges: ['sku.capacity', 'virtualMachineProfile.osProfile.customData', ...LIVE_TAGS.map(tag => `tags["${tag}"]`)],
    });
    this.setId = set.id;
    this.registerOutputs({ setId: this.setId });
  }
}

/** Azure takes no empty text for "nothing". */
const NOTHING = Buffer.from('#cloud-config\n').toString('base64');

/** Everything in it begins with the machine's name: so what a machine leaves behind says whose it was, also where Azure hands no tags on. */
function card(name: string, { machinesSubnetId, machinesFirewallId }: LabNetwork): types.input.compute.VirtualMachineScaleSetNetworkConfigurationArgs {
  return {
    name, primary: true, enableAcceleratedNetworking: true, deleteOption: compute.DeleteOptions.Delete,    // Dsv5 wants it accelerated
    networkSecurityGroup: { id: machinesFirewallId },
    ipConfigurations: [{
      name: `${name}-ip`, primary: true, subnet: { id: machinesSubnetId },
      // A way out that costs nothing while nobody is there; the security groups let nothing in through it.
      publicIPAddressConfiguration: {
        name: `${name}-address`, deleteOption: compute.DeleteOptions.Delete,
        sku: { name: compute.PublicIPAddressSkuName.Standard, tier: compute.PublicIPAddressSkuTier.Regional },
      },
    }],
  };
}

function imageReference(image: Image): types.input.compute.ImageReferenceArgs {
  if (image.kind === 'gallery') return { id: image.id };
  const { publisher, offer, sku, version } = image;
  return { publisher, offer, sku, version };
}
