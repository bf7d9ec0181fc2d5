import { each, first, of, type Inputs, type Rule } from './rule';

const GROUP = /:NetworkSecurityGroup$/, NETWORK = /:VirtualNetwork$/;
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
  each('every_subnet_has_a_security_group_and_no_way_out_of_its_own', NETWORK, network => network['subnets'].length > 0
    && network['subnets'].every((subnet: Inputs) => subnet['networkSecurityGroup']?.id && subnet['defaultOutboundAccess'] === false),
    network => { delete network['subnets'][0].networkSecurityGroup; },
    network => { delete network['subnets'][0].defaultOutboundAccess; },
    network => { network['subnets'] = []; }),
  {
    name: 'nothing_with_an_address_or_a_price_waits_while_nobody_is_there',
    check: all => ['network:PublicIPAddress', 'network:NatGateway', 'network:NetworkInterface', 'compute:VirtualMachine', 'compute:Disk'].flatMap(type => of(all, type).map(() => type)),
    mistakes: ['network:PublicIPAddress', 'network:NatGateway', 'compute:Disk'].map(type => all => all.push({ ...first(all, NETWORK), type: `azure-native:${type}` })),
  },
];
