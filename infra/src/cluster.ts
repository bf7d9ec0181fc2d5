import * as containerservice from '@pulumi/azure-native/containerservice';
import * as managedidentity from '@pulumi/azure-native/managedidentity';
import type * as types from '@pulumi/azure-native/types';
import * as pulumi from '@pulumi/pulumi';
import { budget } from './budget';
import type { ClusterSettings, Settings } from './config/settings';
import type { GitHubIdentity } from './identity';
import { BORN_SUSPECTED, LIVE_TAGS } from './config/names';
import { pathOf, type Place } from './place';
import type { Roles } from './roles';
import { ClusterWatchdog } from './watchdog';

export interface ClusterArgs {
  readonly cluster: ClusterSettings;
  readonly settings: Settings;
  readonly place: Place;
  readonly subnetId: pulumi.Output<string>;
  readonly roles: Roles;
  readonly power: GitHubIdentity;
}

/** For workloads of several nodes: what is measured on `sut`, what drives it on `load`, whole cores on both. Off unless somebody has its lease. */
export class Cluster extends pulumi.ComponentResource {
  readonly clusterId: pulumi.Output<string>;
  readonly size: string;
  /** Most nodes in each of the two pools. */
  readonly nodes: number;

  constructor(name: string, { cluster, settings, place, subnetId, roles, power }: ClusterArgs, options?: pulumi.ComponentResourceOptions) {
    super('perf-lab:index:Cluster', name, {}, options);
    const own = { parent: this };
    const nodes = new managedidentity.UserAssignedIdentity(`${name}-nodes`, { ...place, resourceName: `${name}-nodes` }, own);
    const join = roles.assign(`${name}-network`, 'cluster-network', { scope: subnetId, principalId: nodes.principalId }, this);
    // Azure puts the nodes, which are what costs, into a group of their own: the lab's own budget doesn't see them.
    const nodeResourceGroup = `perf-lab-${settings.stack}-nodes`, { System, User } = containerservice.AgentPoolMode;
    const aks = new containerservice.ManagedCluster(name, {
      ...place, tags: { ...place.tags, ...BORN_SUSPECTED }, resourceName: name, dnsPrefix: name, kubernetesVersion: cluster.kubernetesVersion, nodeResourceGroup,
      sku: { name: containerservice.ManagedClusterSKUName.Base, tier: containerservice.ManagedClusterSKUTier.Free },
      identity: { type: containerservice.ResourceIdentityType.UserAssigned, userAssignedIdentities: [nodes.id] },
      disableLocalAccounts: true, enableRBAC: true, aadProfile: { managed: true, enableAzureRBAC: true, tenantID: settings.tenantId },
      apiServerAccessProfile: cluster.apiAllowList.length > 0 ? { authorizedIPRanges: [...cluster.apiAllowList] } : { enablePrivateCluster: true },
      oidcIssuerProfile: { enabled: true }, securityProfile: { workloadIdentity: { enabled: true } },
      autoUpgradeProfile: { upgradeChannel: containerservice.UpgradeChannel.None, nodeOSUpgradeChannel: containerservice.NodeOSUpgradeChannel.None },    // fixed bits
      networkProfile: {
        networkPlugin: containerservice.NetworkPlugin.Azure, networkPluginMode: containerservice.NetworkPluginMode.Overlay,
        networkPolicy: containerservice.NetworkPolicy.Cilium, networkDataplane: containerservice.NetworkDataplane.Cilium,
        outboundType: containerservice.OutboundType.LoadBalancer, loadBalancerSku: containerservice.LoadBalancerSku.Standard, podCidr: cluster.podCidr, serviceCidr: cluster.serviceCidr,
        dnsServiceIP: cluster.serviceCidr.replace(/\.\d+\/\d+$/, '.10'),
      },
      // A system pool can't be empty: it goes with the load, so that nothing of Kubernetes' own shares a node with what is measured.
      agentPoolProfiles: [pool('load', System, 1, { cluster, place, subnetId }), pool('sut', User, 0, { cluster, place, subnetId })],
    }, {
      ...own, dependsOn: [join], customTimeouts: { create: '30m' },
      ignoreChanges: LIVE_TAGS.map(tag => `tags["${tag}"]`),    // the lease lives in one: an update must not undo it
    });
    budget(`${name}-budget`, `/subscriptions/${settings.subscriptionId}/resourceGroups/${nodeResourceGroup}`, { ...settings.budget, start: cluster.budgetStart ?? settings.budget.start }, settings.stack, { ...own, dependsOn: [aks] });
    roles.assign(`${name}-power`, 'cluster-power', { scope: aks.id, principalId: power.principalId }, this);
    new ClusterWatchdog(`${name}-watchdog`, {
      clusterId: aks.id, clusterPath: pathOf(settings, 'Microsoft.ContainerService/managedClusters', name), settings, place, roles,
    }, own);
    this.clusterId = aks.id;
    this.size = cluster.size;
    this.nodes = cluster.nodes;
    this.registerOutputs({ clusterId: this.clusterId });
  }
}

type Pool = Pick<ClusterArgs, 'cluster' | 'place' | 'subnetId'>;

function pool(name: string, mode: containerservice.AgentPoolMode, minCount: number, { cluster, place, subnetId }: Pool): types.input.containerservice.ManagedClusterAgentPoolProfileArgs {
  return {
    name, mode, vmSize: cluster.size, enableAutoScaling: true, minCount, maxCount: cluster.nodes, count: minCount,
    type: containerservice.AgentPoolType.VirtualMachineScaleSets, osType: containerservice.OSType.Linux, osSKU: containerservice.OSSKU.Ubuntu,
    osDiskType: containerservice.OSDiskType.Managed, osDiskSizeGB: 64,    // D4s_v5 has no local disk for an ephemeral one
    orchestratorVersion: cluster.kubernetesVersion, vnetSubnetID: subnetId, enableNodePublicIP: false, tags: place.tags,
    kubeletConfig: { cpuManagerPolicy: 'static' }, nodeLabels: { 'perf-lab/pool': name },
    nodeTaints: mode === containerservice.AgentPoolMode.User ? [`perf-lab/pool=${name}:NoSchedule`] : [],
  };
}
