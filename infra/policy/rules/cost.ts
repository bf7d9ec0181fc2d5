import { azureName, each, inId, kind, type Resource, together } from './rule';

/** Azure lets nobody put tags on these. */
const TAGLESS = ['authorization:RoleDefinition', 'authorization:RoleAssignment', 'costmanagement:Budget', 'consumption:Budget', 'managedidentity:FederatedIdentityCredential', 'authorization:PolicyAssignment', 'authorization:PolicyDefinition'];
/** What a size can be written to. */
const SIZED = ['Microsoft.Compute/virtualMachines', 'Microsoft.Compute/virtualMachineScaleSets'];
/** Everything that a lab is made of. */
const TAGGED = [
  'resources:ResourceGroup', 'network:NetworkSecurityGroup', 'network:VirtualNetwork',
  'compute:VirtualMachineScaleSet', 'managedidentity:UserAssignedIdentity', 'keyvault:Vault', 'keyvault:Key', 'containerservice:ManagedCluster', 'logic:Workflow',
];
const OTHER = [
  'command:remote:Command', 'command:remote:CopyToRemote', 'github:index:RepositoryEnvironment', 'github:index:RepositoryEnvironmentDeploymentPolicy',
  'github:index:RepositoryRuleset', 'github:index:ActionsVariable',
];

/** Of every kind of resource that has one; Azure's built-in policy looks at virtual machines alone. */
function deniesSizes(rule: any): boolean {
  const denied = (kind: string) => (all: any): boolean => all?.allOf?.some((one: any) => one.field === 'type' && one.equals === kind)
    && all.allOf.some((one: any) => one.field === `${kind}/sku.name` && one.notIn === '[parameters(\'listOfAllowedSKUs\')]')
    && all.allOf.every((one: any) => one.field === 'type' || one.field === `${kind}/sku.name`);
  return String(rule?.then?.effect).toLowerCase() === 'deny' && SIZED.every(kind => rule.if?.anyOf?.some(denied(kind)));
}

const sizesDenied = together({
  name: 'sizes-denied-by-azure', severity: 'critical',
  why: 'Who may make machines could make large ones; Azure itself has to say no.',
}, function* (lab) {
  const denying = lab.of('authorization:PolicyDefinition').filter(({ props }) => deniesSizes(props['policyRule'])).map(one => azureName(one, 'policyDefinitionName'));
  const sizes = lab.of('authorization:PolicyAssignment').filter(({ props }) => denying.includes(inId(props['policyDefinitionId'], 'policyDefinitions'))
    && (props['enforcementMode'] ?? 'Default') === 'Default').flatMap(({ props }) => (props['parameters']?.listOfAllowedSKUs?.value ?? []) as string[]);
  const used = lab.of('compute:VirtualMachineScaleSet').map(({ props }) => String(props['sku']?.name));
  if (used.length > 0 && sizes.length === 0) yield 'no policy denies other sizes of machines';
  for (const size of sizes) if (!used.includes(size)) yield `${size} is allowed, and no machine has it`;
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
  why: 'A rule knows only the kinds of things that it was written for: extensions, run commands, addresses, secrets are not among them.',
}, function* (lab) {
  for (const one of lab.all) {
    const known = one.type.startsWith('pulumi:') || one.type.startsWith('perf-lab:') || [...TAGLESS, ...TAGGED, ...OTHER].includes(kind(one.type));
    if (!known) yield [one, `${one.type} is nothing that a lab is made of`];
  }
});

export const COST = [sizesDenied, budgetThatTells, tagged, nothingUnforeseen];
