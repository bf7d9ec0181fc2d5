import { azureName, each, inId, kind, type Resource, together } from './rule';

/** Azure lets nobody put tags on these. */
const TAGLESS = ['authorization:RoleDefinition', 'authorization:RoleAssignment', 'costmanagement:Budget', 'consumption:Budget', 'managedidentity:FederatedIdentityCredential'];
/** Everything that a lab is made of. */
const TAGGED = [
  'resources:ResourceGroup', 'network:NetworkSecurityGroup', 'network:PublicIPAddress', 'network:NatGateway', 'network:VirtualNetwork', 'network:NetworkInterface',
  'compute:VirtualMachine', 'devtestlab:GlobalSchedule', 'managedidentity:UserAssignedIdentity', 'keyvault:Vault', 'keyvault:Key', 'containerservice:ManagedCluster',
];
const OTHER = ['command:remote:Command', 'command:remote:CopyToRemote'];

const dailyShutdown = together({
  name: 'daily-shutdown',
  why: 'It fires when everything of ours is dead.',
}, function* (lab) {
  for (const machine of lab.of('compute:VirtualMachine')) {
    const name = azureName(machine, 'vmName');
    const schedule = lab.of('devtestlab:GlobalSchedule').find(({ props }) => inId(props['targetResourceId'], 'virtualMachines') === name && props['status'] === 'Enabled'
      && props['taskType'] === 'ComputeVmShutdownTask' && /^\d{4}$/.test(props['dailyRecurrence']?.time ?? ''));
    if (!schedule) yield [machine, 'nothing shuts it down every day'];
    else if (String(schedule.props['name']).toLowerCase() !== `shutdown-computevm-${name}`) yield [machine, `Azure refuses a shutdown of another name than shutdown-computevm-${name}`];
  }
});

const budgetThatTells = together({
  name: 'budget-that-tells', severity: 'medium',
  why: 'Somebody must hear of money before the invoice says it; a cluster\'s nodes cost in a group of their own.',
}, function* (lab) {
  const tells = ({ props }: Resource): boolean => props['amount'] > 0
    && Object.values<{ enabled?: boolean; contactEmails?: string[] }>(props['notifications'] ?? {}).some(one => one.enabled === true && (one.contactEmails ?? []).length > 0);
  const groups = [...lab.of('costmanagement:Budget'), ...lab.of('consumption:Budget')].filter(tells).map(({ props }) => inId(props['scope'], 'resourceGroups'));
  for (const group of lab.of('resources:ResourceGroup')) if (!groups.includes(azureName(group, 'resourceGroupName'))) yield [group, 'no budget tells anybody'];
  for (const cluster of lab.of('containerservice:ManagedCluster')) {
    if (!groups.includes(String(cluster.props['nodeResourceGroup'] ?? '').toLowerCase())) yield [cluster, 'no budget tells anybody of its nodes'];
  }
});

const tagged = each({
  name: 'tagged', severity: 'low',
  why: 'A thing that says which lab it is of can be found, and paid by the right people.',
}, TAGGED, function* ({ props }) {
  if (!/^[a-z][a-z0-9-]*$/.test(props['tags']?.['perf-lab:stack'] ?? '')) yield 'it has no tag perf-lab:stack';
});

const nothingUnforeseen = together({
  name: 'nothing-unforeseen',
  why: 'A rule knows only the kinds of things that it was written for: extensions, run commands, load balancers, secrets are not among them.',
}, function* (lab) {
  for (const one of lab.all) {
    const known = one.type.startsWith('pulumi:') || one.type.startsWith('perf-lab:') || [...TAGLESS, ...TAGGED, ...OTHER].includes(kind(one.type));
    if (!known) yield [one, `${one.type} is nothing that a lab is made of`];
  }
});

export const COST = [dailyShutdown, budgetThatTells, tagged, nothingUnforeseen];
