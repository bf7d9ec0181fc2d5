import { each, first, of, type Inputs, type Rule } from './rule';

const GROUP = /:NetworkSecurityGroup$/, NIC = /:NetworkInterface$/, NETWORK = /:VirtualNetwork$/;
const rules = (group: Inputs): Inputs[] => group['securityRules'];
const allowed = (group: Inputs, direction: string): Inputs[] => rules(group).filter(rule => rule['direction'] === direction && rule['access'] === 'Allow');
const denies = (group: Inputs, direction: string): Inputs[] =>
  rules(group).filter(rule => rule['direction'] === direction && rule['access'] === 'Deny'
    && ['protocol', 'destinationAddressPrefix', 'destinationPortRange'].every(key => rule[key] === '*'));
const forMachines = (all: Parameters<typeof of>[0]): Inputs => of(all, 'network:NetworkSecurityGroup').find(group => group['networkSecurityGroupName'] === 'machines')!;

export const NETWORK_RULES: readonly Rule[] = [
  each('no_security_group_allows_anything_in', GROUP, group => allowed(group, 'Inbound').length === 0,
    group => rules(group).push({ name: 'ssh', priority: 100, direction: 'Inbound', access: 'Allow', protocol: 'Tcp', sourceAddressPrefix: '*', destinationPortRange: '22' }),
    group => { rules(group).find(rule => rule['direction'] === 'Inbound')!['access'] = 'Allow'; }),
  each('every_security_group_denies_what_comes_from_the_internet', GROUP, group => denies(group, 'Inbound').some(rule => ['*', 'Internet'].includes(rule['sourceAddressPrefix'])),
    group => { group['securityRules'] = []; },
    group => { rules(group).find(rule => rule['direction'] === 'Inbound')!['destinationPortRange'] = '22'; }),
  {
    name: 'machines_reach_out_over_https_and_nothing_else',
    check: all => {
      const group = forMachines(all), isClosed = denies(group, 'Outbound').length === 1;
      const others = allowed(group, 'Outbound').filter(rule => rule['destinationPortRange'] !== '443' || rule['protocol'] !== 'Tcp').map(rule => rule['name']);
      return isClosed ? others : ['nothing denies the rest', ...others];
    },
    mistakes: [
      all => { allowed(forMachines(all), 'Outbound')[0]!['destinationPortRange'] = '*'; },
      all => { forMachines(all)['securityRules'] = rules(forMachines(all)).filter(rule => rule['access'] !== 'Deny'); },
    ],
  },
  each('every_subnet_has_a_security_group_and_goes_out_through_the_nat_gateway', NETWORK, network => network['subnets'].length > 0
    && network['subnets'].every((subnet: Inputs) => subnet['networkSecurityGroup']?.id && subnet['natGateway']?.id && subnet['defaultOutboundAccess'] === false),
    network => { delete network['subnets'][0].networkSecurityGroup; },
    network => { delete network['subnets'][0].natGateway; },
    network => { network['subnets'] = []; }),
  each('no_network_interface_has_a_public_address', NIC, nic => nic['ipConfigurations'].every((ip: Inputs) => ip['publicIPAddress'] === undefined),
    nic => { nic['ipConfigurations'][0].publicIPAddress = { id: 'x' }; }),
  each('network_interfaces_are_accelerated', NIC, nic => nic['enableAcceleratedNetworking'] === true,
    nic => { delete nic['enableAcceleratedNetworking']; }),
  {
    name: 'the_only_public_address_is_that_of_the_nat_gateway',
    check: all => {
      const used = of(all, 'network:NatGateway').flatMap(nat => nat['publicIpAddresses']).length, made = of(all, 'network:PublicIPAddress').length;
      return made === 1 && used === 1 ? [] : [`${made} public addresses, ${used} at the NAT gateway`];
    },
    mistakes: [all => all.push({ ...first(all, /:PublicIPAddress$/), name: 'second' })],
  },
];
