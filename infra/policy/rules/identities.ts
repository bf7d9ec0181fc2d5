import { azureName, each, inId, type Resource, together } from './rule';

/** Every right that an own role of a lab may hold. Kept apart from the program's own list on purpose: who widens that one is told here. */
const RIGHTS = [
  'Microsoft.Compute/virtualMachineScaleSets/read', 'Microsoft.Compute/virtualMachineScaleSets/write',
  'Microsoft.Compute/virtualMachines/read', 'Microsoft.Compute/virtualMachines/instanceView/read', 'Microsoft.Compute/virtualMachines/delete',
  'Microsoft.Compute/virtualMachines/retrieveBootDiagnosticsData/action', 'Microsoft.Compute/disks/read', 'Microsoft.Compute/disks/delete',
  'Microsoft.Network/networkInterfaces/read', 'Microsoft.Network/networkInterfaces/delete', 'Microsoft.Network/publicIPAddresses/read', 'Microsoft.Network/publicIPAddresses/delete',
  'Microsoft.Network/networkSecurityGroups/join/action', 'Microsoft.Network/publicIPAddresses/join/action',
  'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action', 'Microsoft.DevTestLab/schedules/write', 'Microsoft.DevTestLab/schedules/delete',
  'Microsoft.Resources/tags/write', 'Microsoft.KeyVault/vaults/keys/sign/action',
  'Microsoft.ContainerService/managedClusters/read', 'Microsoft.ContainerService/managedClusters/start/action', 'Microsoft.ContainerService/managedClusters/stop/action',
  'Microsoft.Network/virtualNetworks/subnets/read', 'Microsoft.Network/virtualNetworks/subnets/join/action',
];
const DELETE = 'Microsoft.Compute/virtualMachines/delete';
/** Kinds of what machines are made of: they come and go, so a right on them is one on the group that only they live in. */
const INSTANCES = /^Microsoft\.(Compute\/(virtualMachines|disks)|Network\/(networkInterfaces|publicIPAddresses|networkSecurityGroups\/join|virtualNetworks\/subnets\/join)|DevTestLab\/schedules|ManagedIdentity\/userAssignedIdentities\/assign)\//;
const CONTRIBUTOR = 'b24988ac-6180-42a0-ab88-20f7382dd24c', ROLE_ADMINISTRATOR = 'f58310d9-a9f6-439a-9e8d-f62e7b41a168', READER = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';
const ENVIRONMENTS = ['perf-lab', 'perf-lab-setup'];
const GROUP = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+$/i, IN_GROUP = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/.+/i;

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

const narrowScope = together({
  name: 'narrow-scope', severity: 'critical',
  why: 'A right on the subscription is a right on everything that anybody else keeps there.',
}, function* (lab) {
  const onInstances = lab.of('authorization:RoleDefinition').filter(role => actionsOf(role).length > 0 && actionsOf(role).every(action => INSTANCES.test(action))).map(guidOf);
  for (const assignment of lab.of('authorization:RoleAssignment')) {
    const { scope } = assignment.props;
    if (!GROUP.test(scope) && !IN_GROUP.test(scope)) yield [assignment, `it reaches ${scope}, which is wider than the lab's resource group`];
    else if (GROUP.test(scope) && ![CONTRIBUTOR, ROLE_ADMINISTRATOR, ...onInstances].includes(roleOf(assignment))) {
      yield [assignment, 'a role on the whole resource group; only setting the lab up, and machines that come and go, need that'];
    }
  }
});

const ownRolesOnly = together({
  name: 'own-roles-only',
  why: 'Azure\'s ready-made roles hold more than a lab needs.',
}, function* (lab) {
  const own = lab.of('authorization:RoleDefinition').map(guidOf);
  for (const assignment of lab.of('authorization:RoleAssignment')) {
    const isImage = roleOf(assignment) === READER && /\/galleries\/[^/]+$/i.test(String(assignment.props['scope']));
    if (!isImage && ![...own, CONTRIBUTOR, ROLE_ADMINISTRATOR].includes(roleOf(assignment))) yield [assignment, `the role ${roleOf(assignment)} is not one of the lab's`];
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

const machineMayOnlyDelete = together({
  name: 'machine-may-only-delete', severity: 'critical',
  why: 'Code of strangers runs on a machine: what its identity may do, they may.',
}, function* (lab) {
  const small = lab.of('authorization:RoleDefinition').filter(role => actionsOf(role).join() === DELETE).map(guidOf);
  for (const identity of lab.of('managedidentity:UserAssignedIdentity').filter(one => azureName(one, 'resourceName') === 'machine')) {
    const its = lab.of('authorization:RoleAssignment').filter(one => identity.props['principalId'] !== undefined && one.props['principalId'] === identity.props['principalId']);
    for (const one of its) if (!small.includes(roleOf(one))) yield [identity, `it has ${one.name}: more than to delete machines`];
    if (identity.props['principalId'] !== undefined && its.length === 0) yield [identity, 'the watchdogs have no right to delete their machines'];
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

export const IDENTITIES = [listedRights, narrowScope, ownRolesOnly, givesAwayOnlyItsOwn, machineMayOnlyDelete, loginFromAnEnvironment];
