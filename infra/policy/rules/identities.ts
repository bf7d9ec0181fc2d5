import { azureName, each, inId, type Resource, together } from './rule';

/** Every right that an own role of a lab may hold. Kept apart from the program's own list on purpose: who widens that one is told here. */
const RIGHTS = [
  'Microsoft.Compute/virtualMachines/read', 'Microsoft.Compute/virtualMachines/instanceView/read', 'Microsoft.Compute/virtualMachines/start/action',
  'Microsoft.Compute/virtualMachines/deallocate/action', 'Microsoft.Compute/virtualMachines/reimage/action',
  'Microsoft.Compute/virtualMachines/retrieveBootDiagnosticsData/action',
  'Microsoft.Resources/tags/write', 'Microsoft.KeyVault/vaults/keys/sign/action',
  'Microsoft.ContainerService/managedClusters/read', 'Microsoft.ContainerService/managedClusters/start/action', 'Microsoft.ContainerService/managedClusters/stop/action',
  'Microsoft.Network/virtualNetworks/subnets/read', 'Microsoft.Network/virtualNetworks/subnets/join/action',
];
const DEALLOCATE = 'Microsoft.Compute/virtualMachines/deallocate/action';
const CONTRIBUTOR = 'b24988ac-6180-42a0-ab88-20f7382dd24c', ROLE_ADMINISTRATOR = 'f58310d9-a9f6-439a-9e8d-f62e7b41a168';
const ENVIRONMENTS = ['perf-lab', 'perf-lab-setup'];
const GROUP = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+$/i, IN_GROUP = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/.+/i;
const ASSIGNMENT = ['authorization:RoleAssignment'];

interface Permission { readonly actions?: string[]; readonly dataActions?: string[] }
const actionsOf = ({ props }: Resource): readonly string[] =>
  (props['permissions'] ?? []).flatMap(({ actions = [], dataActions = [] }: Permission) => [...actions, ...dataActions]);
/** A role definition's own GUID; Azure answers with it as `name`. */
const guidOf = ({ props }: Resource): string => String(props['roleDefinitionId'] ?? props['name'] ?? '').toLowerCase();
const roleOf = ({ props }: Resource): string => inId(props['roleDefinitionId'], 'roleDefinitions');

const listedRights = each({
  name: 'listed-rights', severity: 'critical',
  why: 'A star in a role grows with every feature of Azure.',
}, ['authorization:RoleDefinition'], function* (role, settings) {
  const rights = settings.texts('rights', RIGHTS);
  for (const action of actionsOf(role)) if (!rights.includes(action)) yield `${action} is no right that a lab needs`;
  for (const scope of role.props['assignableScopes'] ?? []) {
    if (!GROUP.test(scope)) yield `it can be given on ${scope}, which is wider than the lab's resource group`;
  }
});
listedRights.configSchema = { properties: { rights: { type: 'array', items: { type: 'string' } } } };

const narrowScope = each({
  name: 'narrow-scope', severity: 'critical',
  why: 'A right on the subscription is a right on everything that anybody else keeps there.',
}, ASSIGNMENT, function* (assignment) {
  const { scope } = assignment.props, role = roleOf(assignment), isProvisioning = [CONTRIBUTOR, ROLE_ADMINISTRATOR].includes(role);
  if (!GROUP.test(scope) && !IN_GROUP.test(scope)) yield `it reaches ${scope}, which is wider than the lab's resource group`;
  else if (GROUP.test(scope) && !isProvisioning) yield 'a role on the whole resource group; only setting the lab up needs that, all else is about one resource';
});

const ownRolesOnly = together({
  name: 'own-roles-only',
  why: 'Azure\'s ready-made roles hold more than a lab needs.',
}, function* (lab) {
  const own = lab.of('authorization:RoleDefinition').map(guidOf);
  for (const assignment of lab.of('authorization:RoleAssignment')) {
    if (![...own, CONTRIBUTOR, ROLE_ADMINISTRATOR].includes(roleOf(assignment))) yield [assignment, `the role ${roleOf(assignment)} is not one of the lab's`];
  }
});

const givesAwayOnlyItsOwn = together({
  name: 'gives-away-only-its-own-roles', severity: 'critical',
  why: 'Who may give any role away may give it to himself.',
}, function* (lab) {
  const own = lab.of('authorization:RoleDefinition').map(guidOf);
  for (const assignment of lab.of('authorization:RoleAssignment').filter(one => roleOf(one) === ROLE_ADMINISTRATOR)) {
    const condition = String(assignment.props['condition'] ?? ''), named = condition.toLowerCase().match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
    for (const action of ['write', 'delete']) {
      if (!condition.includes(`roleAssignments/${action}'`)) yield [assignment, `no condition says which roles it may ${action}`];
    }
    if (condition !== '' && named.length === 0) yield [assignment, 'its condition names no role'];
    for (const role of named) if (!own.includes(role)) yield [assignment, `its condition names the role ${role}, which is not one of the lab's`];
  }
});

const machineMayOnlyStopItself = together({
  name: 'machine-may-only-stop-itself', severity: 'critical',
  why: 'Code of strangers runs on a machine: what its identity may do, they may.',
}, function* (lab) {
  const small = lab.of('authorization:RoleDefinition').filter(role => actionsOf(role).join() === DEALLOCATE).map(guidOf);
  for (const machine of lab.of('compute:VirtualMachine')) {
    const principal = machine.props['identity']?.principalId, name = azureName(machine, 'vmName');
    const its = lab.of('authorization:RoleAssignment').filter(one => principal !== undefined && one.props['principalId'] === principal);
    for (const one of its) {
      if (inId(one.props['scope'], 'virtualMachines') !== name || !small.includes(roleOf(one))) yield [machine, `its identity has ${one.name}: more than to deallocate itself`];
    }
    if (principal !== undefined && its.length === 0) yield [machine, 'its watchdog has no right to deallocate it'];
  }
});

const loginFromAnEnvironment = each({
  name: 'login-from-an-environment', severity: 'critical',
  why: 'A login that any branch or pull request gets is everybody\'s.',
}, ['managedidentity:FederatedIdentityCredential'], function* ({ props }) {
  const { issuer, subject, audiences } = props, environment = /^repo:[^/*:]+\/[^/*:]+:environment:([^*:]+)$/.exec(String(subject))?.[1];
  if (issuer !== 'https://token.actions.githubusercontent.com') yield `it believes ${issuer}, not GitHub`;
  if (!environment || !ENVIRONMENTS.includes(environment)) yield `"${subject}" is not one repository's environment ${ENVIRONMENTS.join(' or ')}`;
  if (JSON.stringify(audiences) !== '["api://AzureADTokenExchange"]') yield 'it takes tokens that were meant for somebody else';
});

export const IDENTITIES = [listedRights, narrowScope, ownRolesOnly, givesAwayOnlyItsOwn, machineMayOnlyStopItself, loginFromAnEnvironment];
