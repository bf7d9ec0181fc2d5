import * as compute from '@pulumi/azure-native/compute';
import * as devtestlab from '@pulumi/azure-native/devtestlab';
import * as network from '@pulumi/azure-native/network';
import type * as types from '@pulumi/azure-native/types';
import * as pulumi from '@pulumi/pulumi';
import type { Image } from './config/image';
import type { MachineSettings, Settings } from './config/settings';
import { LIVE_TAGS } from './names';
import type { Place } from './place';
import type { Roles } from './roles';

export interface MachineArgs {
  readonly machine: MachineSettings;
  readonly settings: Settings;
  readonly place: Place;
  readonly subnetId: pulumi.Input<string>;
  /** The cloud-init text of the first boot, not yet in base 64. */
  readonly cloudInit: string;
  readonly roles: Roles;
}

/** One measuring VM: reached by nobody, switched off every day, able to switch itself off and nothing else. */
export class Machine extends pulumi.ComponentResource {
  readonly vmId: pulumi.Output<string>;

  constructor(name: string, { machine, settings, place, subnetId, cloudInit, roles }: MachineArgs, options?: pulumi.ComponentResourceOptions) {
    super('perf-lab:index:Machine', name, {}, options);
    const own = { parent: this };
    const nic = new network.NetworkInterface(name, {
      ...place, networkInterfaceName: `${name}-nic`, enableAcceleratedNetworking: true,    // Dsv5 wants it
      ipConfigurations: [{ name: 'main', subnet: { id: subnetId }, privateIPAllocationMethod: network.IPAllocationMethod.Dynamic }],
    }, own);
    const vm = new compute.VirtualMachine(name, {
      ...place, vmName: name,
      priority: compute.VirtualMachinePriorityTypes.Regular,    // Spot adds eviction
      identity: { type: compute.ResourceIdentityType.SystemAssigned },
      hardwareProfile: { vmSize: machine.size, ...(machine.vcpusPerCore ? { vmSizeProperties: { vCPUsPerCore: machine.vcpusPerCore } } : {}) },
      securityProfile: { securityType: compute.SecurityTypes.TrustedLaunch, uefiSettings: { secureBootEnabled: true, vTpmEnabled: true } },
      storageProfile: {
        imageReference: imageReference(settings.image),
        osDisk: {
          createOption: compute.DiskCreateOptionTypes.FromImage, deleteOption: compute.DiskDeleteOptionTypes.Delete,    // reimage drops the old disk only with Delete
          managedDisk: { storageAccountType: compute.StorageAccountTypes.Premium_LRS }, diskSizeGB: machine.diskGiB,
        },
      },
      osProfile: {
        computerName: name, adminUsername: 'lab', customData: Buffer.from(cloudInit).toString('base64'), allowExtensionOperations: false,
        linuxConfiguration: {
          disablePasswordAuthentication: true, ssh: { publicKeys: [{ path: '/home/lab/.ssh/authorized_keys', keyData: settings.sshPublicKey }] },
          patchSettings: { patchMode: compute.LinuxVMGuestPatchMode.ImageDefault, assessmentMode: compute.LinuxPatchAssessmentMode.ImageDefault },
        },
      },
      networkProfile: { networkInterfaces: [{ id: nic.id, primary: true, deleteOption: compute.DeleteOptions.Delete }] },
      diagnosticsProfile: { bootDiagnostics: { enabled: true } },
    }, {
      ...own, customTimeouts: { create: '15m' }, deleteBeforeReplace: true,    // names are fixed
      // Each reimage brings its own customData, and the lease lives in a tag: an update must not undo either.
      ignoreChanges: ['osProfile.customData', ...LIVE_TAGS.map(tag => `tags["${tag}"]`)],
    });
    dailyShutdown(name, vm, settings, place, own);
    // Together with the id: while that is unknown, in the first preview, the principal is unknown too and not missing.
    const principalId = pulumi.all([vm.identity, vm.id]).apply(([identity]) => ownPrincipal(name, identity));
    roles.assign(`${name}-self`, 'self-deallocate', { scope: vm.id, principalId }, this);
    this.vmId = vm.id;
    this.registerOutputs({ vmId: this.vmId });
  }
}

/** A role for nobody would be refused by Azure with a message about something else. */
function ownPrincipal(name: string, identity: { readonly principalId?: string } | undefined): string {
  if (!identity?.principalId) throw new Error(`the VM ${name} came back without the identity that was asked for`);
  return identity.principalId;
}

/** Cost layer 4: fires when everything of ours is dead. Azure answers 400 to any other name. */
function dailyShutdown(name: string, vm: compute.VirtualMachine, { shutdown }: Settings, place: Place, own: pulumi.CustomResourceOptions): void {
  new devtestlab.GlobalSchedule(name, {
    ...place, name: `shutdown-computevm-${name}`, taskType: 'ComputeVmShutdownTask', status: devtestlab.EnableStatus.Enabled,
    dailyRecurrence: { time: shutdown.time }, timeZoneId: shutdown.timeZone, targetResourceId: vm.id,
    notificationSettings: { status: devtestlab.EnableStatus.Disabled },
  }, own);
}

function imageReference(image: Image): types.input.compute.ImageReferenceArgs {
  if (image.kind === 'gallery') return { id: image.id };
  const { publisher, offer, sku, version } = image;
  return { publisher, offer, sku, version };
}
