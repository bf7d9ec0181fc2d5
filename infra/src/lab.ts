import { Provider } from '@pulumi/azure-native/provider';
import * as resources from '@pulumi/azure-native/resources';
import * as pulumi from '@pulumi/pulumi';
import { AppKey } from './app-key';
import { budget } from './budget';
import { Cluster } from './cluster';
import type { Settings } from './config/settings';
import { GitHubIdentity } from './identity';
import { Machine } from './machine';
import type { MachineFiles } from './machine-files';
import { MetalAgent } from './metal';
import { CLUSTER_NAME, ENVIRONMENTS, STACK_TAG } from './names';
import { LabNetwork } from './network';
import type { Place } from './place';
import { allowProvisioning } from './provision';
import { Roles } from './roles';

/** Secrets of the stack; they never become part of `Settings`, so nothing that prints settings can print them. */
export interface Secrets { readonly metalPrivateKey?: pulumi.Output<string>; readonly metalRunnerToken?: pulumi.Output<string> }

/** The whole lab of one stack, in one resource group. */
export class Lab extends pulumi.ComponentResource {
  readonly groupName: pulumi.Output<string>;
  readonly machines: readonly { readonly name: string; readonly size: string; readonly id: pulumi.Output<string> }[];
  readonly power: GitHubIdentity;
  readonly signer: GitHubIdentity;
  readonly setup: GitHubIdentity;
  readonly appKey: AppKey;
  readonly cluster?: Cluster;

  constructor(name: string, readonly settings: Settings, files: MachineFiles, secrets: Secrets) {
    // Only the subscription that the configuration names, whichever the command line is logged in to.
    const azure = new Provider('azure', { subscriptionId: settings.subscriptionId, tenantId: settings.tenantId, location: settings.location });
    super('perf-lab:index:Lab', name, {}, { providers: [azure] });
    const own = { parent: this }, tags = { [STACK_TAG]: settings.stack };
    const group = new resources.ResourceGroup('lab', { resourceGroupName: `perf-lab-${settings.stack}`, location: settings.location, tags }, own);
    const place: Place = { resourceGroupName: group.name, location: settings.location, tags };

    const network = new LabNetwork('network', settings, place, own);
    const roles = new Roles('roles', settings, group.id, own);
    this.power = new GitHubIdentity('lab-power', ENVIRONMENTS.power, { settings, place }, own);
    this.signer = new GitHubIdentity('lab-sign', ENVIRONMENTS.power, { settings, place }, own);
    this.setup = new GitHubIdentity('lab-provision', ENVIRONMENTS.setup, { settings, place }, own);
    allowProvisioning(this.setup, group.id, { roles, settings });

    this.machines = settings.machines.map(machine => {
      const vm = new Machine(machine.name, { machine, settings, place, subnetId: network.machinesSubnetId, cloudInit: files.cloudInit, roles }, own);
      roles.assign(`${machine.name}-power`, 'power', { scope: vm.vmId, principalId: this.power.principalId }, vm);
      return { name: machine.name, size: machine.size, id: vm.vmId };
    });
    this.appKey = new AppKey('github-app', { signer: this.signer, settings, place, roles }, own);
    budget('budget', group.id, settings, own);
    if (settings.cluster) {
      this.cluster = new Cluster(CLUSTER_NAME, { cluster: settings.cluster, settings, place, subnetId: network.clusterSubnetId, roles, power: this.power }, own);
    }
    if (settings.metal && secrets.metalPrivateKey) {
      new MetalAgent('metal', {    // the name of the machine may change
        metal: settings.metal, privateKey: secrets.metalPrivateKey, repository: settings.repository, folder: files.folder, folderHash: files.hash,
        ...(secrets.metalRunnerToken ? { runnerToken: secrets.metalRunnerToken } : {}),
      }, own);
    }
    this.groupName = group.name;
    this.registerOutputs({});
  }
}
