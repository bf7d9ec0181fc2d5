import * as network from '@pulumi/azure-native/network';
import type * as types from '@pulumi/azure-native/types';
import * as pulumi from '@pulumi/pulumi';
import type { Settings } from './config/settings';
import type { Place } from './place';

const ENDPOINTS = { sourceAddressPrefix: '*', sourcePortRange: '*' };

/** A network without a way in: each machine reaches out over HTTPS through an address of its own, and nothing reaches it. */
export class LabNetwork extends pulumi.ComponentResource {
  readonly machinesSubnetId: pulumi.Output<string>;
  readonly machinesFirewallId: pulumi.Output<string>;
  /** Names nothing when there is no cluster. */
  readonly clusterSubnetId: pulumi.Output<string>;

  constructor(name: string, settings: Settings, place: Place, options?: pulumi.ComponentResourceOptions) {
    super('perf-lab:index:Network', name, {}, options);
    const own = { parent: this }, { addressSpace, machines, cluster } = settings.network;
    const firewall = (of: string, securityRules: SecurityRule[]): pulumi.Output<string> =>
      new network.NetworkSecurityGroup(of, { ...place, networkSecurityGroupName: of, securityRules }, own).id;
    // Subnets inline: a subnet resource of its own would fight with the network over them.
    const subnet = (of: string, addressPrefix: string, firewallId: pulumi.Output<string>): Subnet =>
      ({ name: of, addressPrefix, networkSecurityGroup: { id: firewallId }, defaultOutboundAccess: false });
    this.machinesFirewallId = firewall('machines', forMachines(cluster));
    const all = new network.VirtualNetwork('lab', {
      ...place, virtualNetworkName: 'lab', addressSpace: { addressPrefixes: [addressSpace] },
      subnets: [subnet('machines', machines, this.machinesFirewallId), ...(cluster ? [subnet('cluster', cluster, firewall('cluster', forCluster()))] : [])],
    }, own);
    this.machinesSubnetId = pulumi.interpolate`${all.id}/subnets/machines`;
    this.clusterSubnetId = pulumi.interpolate`${all.id}/subnets/cluster`;
    this.registerOutputs({});
  }
}

type SecurityRule = types.input.network.SecurityRuleArgs;
type Subnet = types.input.network.SubnetArgs;

/** Azure's own default rules let the machines of a network talk to each other; these deny that too. GitHub has no service tag to narrow 443 down to. */
function forMachines(cluster: string | undefined): SecurityRule[] {
  const { Inbound, Outbound } = network.SecurityRuleDirection, { Allow, Deny } = network.SecurityRuleAccess, { Tcp, Asterisk } = network.SecurityRuleProtocol;
  const https = (name: string, priority: number, destinationAddressPrefix: string): SecurityRule =>
    ({ ...ENDPOINTS, name, priority, direction: Outbound, access: Allow, protocol: Tcp, destinationAddressPrefix, destinationPortRange: '443' });
  const deny = (name: string, direction: network.SecurityRuleDirection): SecurityRule =>
    ({ ...ENDPOINTS, name, priority: 4096, direction, access: Deny, protocol: Asterisk, destinationAddressPrefix: '*', destinationPortRange: '*' });
  return [https('https-out', 100, 'Internet'), ...(cluster ? [https('cluster-api-out', 110, cluster)] : []),
    deny('nothing-in', Inbound), deny('nothing-else-out', Outbound)];
}

/** Nodes talk to each other, and to Kubernetes' control plane over more than 443: only the way in is closed. */
function forCluster(): SecurityRule[] {
  return [{
    ...ENDPOINTS, name: 'nothing-in-from-outside', priority: 4096, direction: network.SecurityRuleDirection.Inbound, access: network.SecurityRuleAccess.Deny,
    protocol: network.SecurityRuleProtocol.Asterisk, sourceAddressPrefix: 'Internet', destinationAddressPrefix: '*', destinationPortRange: '*',
  }];
}
