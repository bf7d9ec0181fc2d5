import * as managedidentity from '@pulumi/azure-native/managedidentity';
import * as resources from '@pulumi/azure-native/resources';
import * as pulumi from '@pulumi/pulumi';
import { AppKey } from './app-key';
import { budget } from './budget';
import { Cluster } from './cluster';
import type { Settings } from './config/settings';
import { RepositorySettings } from './github';
import { GitHubIdentity } from './identity';
import { Machine } from './machine';
import type { MachineFiles } from './config/machine-files';
import { MetalAgent } from './metal';
import { CLUSTER_NAME, ENVIRONMENTS, STACK_TAG } from './config/names';
import { LabNetwork } from './network';
import type { Place } from './place';
import { allowProvisioning, allowReading } from './provision';
import { Roles } from './roles';
import { allowOnlyOurSizes } from './size-policy';

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

  constructor(name: string, readonly settings: Settings, files: MachineFiles, secrets: Secrets, options: pulumi.ComponentResourceOptions) {
    super('perf-lab:index:Lab', name, {}, options);
    const own = { parent: this }, tags = { [STACK_TAG]: settings.stack };
    const group = new resources.ResourceGroup('lab', { resourceGroupName: `perf-lab-${settings.stack}`, location: settings.location, tags }, own);
    const place: Place = { resourceGroupName: group.name, location: settings.location, tags };

    const network = new LabNetwork('network', settings, place, own);
    const roles = new Roles('roles', settings, group.id, own);
    const repository = settings.github && new RepositorySettings('repository', settings, settings.github, own);
    const after = { dependsOn: [...repository?.environments ?? []] };    // an environment that nobody has made takes every branch
    this.power = new GitHubIdentity('lab-power', ENVIRONMENTS.power, { settings, place, after }, own);
    this.signer = new GitHubIdentity('lab-sign', ENVIRONMENTS.power, { settings, place, after }, own);
    this.setup = new GitHubIdentity('lab-provision', ENVIRONMENTS.setup, { settings, place, after }, own);
    allowProvisioning(this.setup, group.id, { roles, settings });
    repository?.tell(this.setup);

    allowOnlyOurSizes(group.id, settings, own);
    // All that a machine's own watchdog needs: to delete machines of the lab, also while GitHub is down.
    const machine = new managedidentity.UserAssignedIdentity('machine', { ...place, resourceName: 'machine' }, own);
    roles.assign('machine-self', 'self-delete', { scope: group.id, principalId: machine.principalId }, this);
    roles.assign('instances', 'instances', { scope: group.id, principalId: this.power.principalId }, this.power);
    this.machines = settings.machines.map(settingsOf => {
      const set = new Machine(settingsOf.name, { machine: settingsOf, settings, place, network, identityId: machine.id }, own);
      roles.assign(`${settingsOf.name}-power`, 'power', { scope: set.setId, principalId: this.power.principalId }, set);
      return { name: settingsOf.name, size: settingsOf.size, id: set.setId };
    });
    if (settings.image.kind === 'gallery') allowReading(settings.image, [this.power, this.setup], roles);
    this.appKey = new AppKey('github-app', { signer: this.signer, settings, place, roles }, own);
    budget('budget', group.id, settings.budget, settings.stack, own);
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
