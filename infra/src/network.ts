import * as network from '@pulumi/azure-native/network';
import type * as types from '@pulumi/azure-native/types';
import * as pulumi from '@pulumi/pulumi';
import type { Settings } from './config/settings';
import type { Place } from './place';

/** A network without a way in: machines reach out over HTTPS through one NAT address, and nothing reaches them. */
export class LabNetwork extends pulumi.ComponentResource {
  readonly machinesSubnetId: pulumi.Output<string>;
  readonly clusterSubnetId: pulumi.Output<string>;

  constructor(name: string, settings: Settings, place: Place, options?: pulumi.ComponentResourceOptions) {
    super('perf-lab:index:Network', name, {}, options);
    const own = { parent: this }, { addressSpace, machines, cluster } = settings.network;
    const firewall = new network.NetworkSecurityGroup('machines', { ...place, networkSecurityGroupName: 'machines', securityRules: rules(settings) }, own);
    const address = new network.PublicIPAddress('nat', {
      ...place, publicIpAddressName: 'nat', sku: { name: network.PublicIPAddressSkuName.Standard },
      publicIPAllocationMethod: network.IPAllocationMethod.Static,
    }, own);
    const nat = new network.NatGateway('nat', {
      ...place, natGatewayName: 'nat', sku: { name: network.NatGatewaySkuName.Standard }, publicIpAddresses: [{ id: address.id }], idleTimeoutInMinutes: 10,
    }, own);
    // Subnets inline: a subnet resource of its own would fight with the network over them.
    const natGateway = { id: nat.id }, defaultOutboundAccess = false;
    const clusterSubnet = { name: 'cluster', addressPrefix: cluster, natGateway, defaultOutboundAccess } satisfies types.input.network.SubnetArgs;
    const all = new network.VirtualNetwork('lab', {
      ...place, virtualNetworkName: 'lab', addressSpace: { addressPrefixes: [addressSpace] },
      subnets: [{ name: 'machines', addressPrefix: machines, networkSecurityGroup: { id: firewall.id }, natGateway, defaultOutboundAccess },
        ...(settings.cluster ? [clusterSubnet] : [])],
    }, own);
    this.machinesSubnetId = pulumi.interpolate`${all.id}/subnets/machines`;
    this.clusterSubnetId = pulumi.interpolate`${all.id}/subnets/cluster`;
    this.registerOutputs({});
  }
}

type Rule = { name: string; priority: number; direction: network.SecurityRuleDirection; access: network.SecurityRuleAccess; protocol: network.SecurityRuleProtocol; destinationAddressPrefix: string; destinationPortRange: string };

/** Azure's own default rules let the network's machines talk to each other; these deny that too. GitHub has no service tag to narrow 443 down to. */
function rules(settings: Settings) {
  const { Inbound, Outbound } = network.SecurityRuleDirection, { Allow, Deny } = network.SecurityRuleAccess, { Tcp, Asterisk } = network.SecurityRuleProtocol;
  const out = (name: string, priority: number, destinationAddressPrefix: string): Rule =>
    ({ name, priority, direction: Outbound, access: Allow, protocol: Tcp, destinationAddressPrefix, destinationPortRange: '443' });
  const deny = (name: string, direction: network.SecurityRuleDirection): Rule =>
    ({ name, priority: 4096, direction, access: Deny, protocol: Asterisk, destinationAddressPrefix: '*', destinationPortRange: '*' });
  const all = [out('https-out', 100, 'Internet'), ...(settings.cluster ? [out('cluster-api-out', 110, settings.network.cluster)] : []),
    deny('nothing-in', Inbound), deny('nothing-else-out', Outbound)];
  return all.map(rule => ({ ...rule, sourceAddressPrefix: '*', sourcePortRange: '*' }));
}
