import { azureName, each, inId, type Lab, type Resource, together } from './rule';

interface Rule {
  name?: string; direction?: string; access?: string; protocol?: string;
  sourceAddressPrefix?: string; destinationAddressPrefix?: string; destinationPortRange?: string; destinationPortRanges?: string[];
}

const is = (text: unknown, wanted: string): boolean => String(text ?? '').toLowerCase() === wanted;
const rulesOf = ({ type, props }: Resource): readonly Rule[] => type.endsWith(':SecurityRule') ? [props] : props['securityRules'] ?? [];
const SECURITY = ['network:NetworkSecurityGroup', 'network:SecurityRule'];

const nothingComesIn = each({
  name: 'nothing-comes-in', severity: 'critical',
  why: 'A runner only calls out; a rule that lets somebody in is a door.',
}, SECURITY, function* (resource) {
  for (const rule of rulesOf(resource)) {
    if (is(rule.direction, 'inbound') && is(rule.access, 'allow')) yield `the rule "${rule.name ?? ''}" lets ${rule.sourceAddressPrefix ?? 'somebody'} in`;
  }
});

const onlyHttpsGoesOut = each({
  name: 'only-https-goes-out',
  why: 'GitHub and Azure need HTTPS and nothing else; what else leaves a machine is not ours.',
}, SECURITY, function* (resource) {
  for (const rule of rulesOf(resource).filter(one => is(one.direction, 'outbound') && is(one.access, 'allow'))) {
    const ports = [rule.destinationPortRange, ...(rule.destinationPortRanges ?? [])].filter(port => port !== undefined);
    if (is(rule.protocol, 'tcp') && ports.length > 0 && ports.every(port => port === '443')) continue;
    yield `the rule "${rule.name ?? ''}" lets ${rule.protocol ?? '?'} ${ports.join(', ')} out`;
  }
});

const addressesThatLetNobodyIn = each({
  name: 'addresses-that-let-nobody-in', severity: 'critical',
  why: 'Only a Standard address is closed until a rule opens it; nodes of a cluster need none at all.',
}, ['compute:VirtualMachineScaleSet', 'containerservice:ManagedCluster', 'containerservice:AgentPool'], function* ({ type, props }) {
  for (const card of cardsOf(props)) {
    for (const { publicIPAddressConfiguration: address } of card.ipConfigurations ?? []) {
      if (address && address.sku?.name !== 'Standard') yield `its address is ${address.sku?.name ?? 'of no kind'}, which is open unless a rule closes it`;
    }
  }
  for (const pool of type.endsWith(':AgentPool') ? [props] : props['agentPoolProfiles'] ?? []) if (pool.enableNodePublicIP === true) yield `the nodes of "${pool.name ?? ''}" have public addresses`;
});

const machinesSitBehindARule = together({
  name: 'machines-sit-behind-the-rules', severity: 'critical',
  why: 'Azure\'s own default rules let neighbours in and everything out; only a subnet with our rules closes both.',
}, function* (lab) {
  for (const machine of lab.of('compute:VirtualMachineScaleSet')) {
    for (const card of cardsOf(machine.props)) for (const { subnet } of card.ipConfigurations ?? []) {
      const group = groupOf(lab, subnet?.id), rules = group ? rulesOf(group) : [];
      const closed = (direction: string): boolean => rules.some(rule => is(rule.direction, direction) && is(rule.access, 'deny') && is(rule.protocol, '*') && rule.destinationPortRange === '*'
        && rule.sourceAddressPrefix === '*' && rule.destinationAddressPrefix === '*');
      if (!group) yield [machine, 'its subnet has no security group'];
      else for (const direction of ['inbound', 'outbound']) if (!closed(direction)) yield [machine, `the security group of its subnet does not deny ${direction} traffic at its end`];
    }
  }
});

interface Card { ipConfigurations?: { subnet?: { id?: string }; publicIPAddressConfiguration?: { sku?: { name?: string } } }[] }
const cardsOf = (props: Resource['props']): readonly Card[] => props['virtualMachineProfile']?.networkProfile?.networkInterfaceConfigurations ?? [];

/** The security group of a subnet, by the names in the ids. */
function groupOf(lab: Lab, subnetId: unknown): Resource | undefined {
  const network = lab.of('network:VirtualNetwork').find(one => azureName(one, 'virtualNetworkName') === inId(subnetId, 'virtualNetworks'));
  const subnet = (network?.props['subnets'] ?? []).find((one: { name?: string }) => is(one.name, inId(subnetId, 'subnets')));
  return lab.of('network:NetworkSecurityGroup').find(one => azureName(one, 'networkSecurityGroupName') === inId(subnet?.networkSecurityGroup?.id, 'networkSecurityGroups'));
}

export const NETWORK = [nothingComesIn, onlyHttpsGoesOut, addressesThatLetNobodyIn, machinesSitBehindARule];
