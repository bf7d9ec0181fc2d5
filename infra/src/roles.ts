import * as authorization from '@pulumi/azure-native/authorization';
import * as pulumi from '@pulumi/pulumi';
import type { Settings } from './config/settings';
import { stableGuid } from './config/names';

interface Role { readonly may: string; readonly actions: readonly string[]; readonly dataActions?: readonly string[]; readonly onlyWithCluster?: boolean }

const VM = 'Microsoft.Compute/virtualMachines', SET = 'Microsoft.Compute/virtualMachineScaleSets', NETWORK = 'Microsoft.Network';
const AKS = 'Microsoft.ContainerService/managedClusters';

/** Every right that a lab identity has, and no others. docs/internals/security-tables.md is compared with this list by a test. */
export const ROLES = {
  power: {
    may: 'read one scale set, say how many it holds and what they boot with, write its tags (the lease)',
    actions: [`${SET}/read`, `${SET}/write`, 'Microsoft.Resources/tags/write'],
  },
  'instances': {
    may: 'see and delete what a scale set has made, fetch a boot log, give it the daily shutdown; and what Azure asks of whoever has a machine made',
    actions: [`${VM}/read`, `${VM}/instanceView/read`, `${VM}/delete`, `${VM}/retrieveBootDiagnosticsData/action`,
      `${NETWORK}/networkInterfaces/read`, `${NETWORK}/networkInterfaces/delete`, `${NETWORK}/publicIPAddresses/read`, `${NETWORK}/publicIPAddresses/delete`,
      'Microsoft.Compute/disks/read', 'Microsoft.Compute/disks/delete', 'Microsoft.DevTestLab/schedules/write', 'Microsoft.DevTestLab/schedules/delete',
      `${NETWORK}/virtualNetworks/subnets/join/action`, `${NETWORK}/networkSecurityGroups/join/action`, `${NETWORK}/publicIPAddresses/join/action`,
      'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action'],
  },
  'self-delete': { may: 'delete machines of the lab, the one that it runs on among them', actions: [`${VM}/delete`] },
  sign: { may: 'sign with one key, without seeing it', actions: [], dataActions: ['Microsoft.KeyVault/vaults/keys/sign/action'] },
  'cluster-power': {
    may: 'read, start and stop the cluster, write its tags (the lease)',
    actions: [`${AKS}/read`, `${AKS}/start/action`, `${AKS}/stop/action`, 'Microsoft.Resources/tags/write'], onlyWithCluster: true,
  },
  'cluster-watch': {
    may: 'read the cluster and stop it', actions: [`${AKS}/read`, `${AKS}/stop/action`], onlyWithCluster: true,
  },
  'cluster-network': {
    may: 'attach the cluster\'s nodes to their subnet',
    actions: ['Microsoft.Network/virtualNetworks/subnets/read', 'Microsoft.Network/virtualNetworks/subnets/join/action'], onlyWithCluster: true,
  },
} as const satisfies Record<string, Role>;

export type RoleName = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as RoleName[];

/** The lab's own role definitions; they can be assigned inside the lab's resource group only. */
export class Roles extends pulumi.ComponentResource {
  private readonly definitions = new Map<RoleName, authorization.RoleDefinition>();

  constructor(name: string, private readonly settings: Settings, group: pulumi.Input<string>, options?: pulumi.ComponentResourceOptions) {
    super('perf-lab:index:Roles', name, {}, options);
    for (const role of ROLE_NAMES) {
      const { may, actions, dataActions = [], onlyWithCluster = false }: Role = ROLES[role];
      if (onlyWithCluster && !settings.cluster) continue;
      this.definitions.set(role, new authorization.RoleDefinition(role, {
        scope: group, assignableScopes: [group], roleDefinitionId: this.guid(role), roleType: 'CustomRole',
        roleName: `perf-lab ${role} (${settings.stack}, ${settings.subscriptionId.slice(0, 8)})`, description: `May ${may}.`,
        permissions: [{ actions: [...actions], notActions: [], dataActions: [...dataActions], notDataActions: [] }],
      }, { parent: this }));
    }
    this.registerOutputs({});
  }

  /** Known before anything exists, so that conditions can name it. */
  guid(role: RoleName): string { return stableGuid(this.settings.subscriptionId, this.settings.stack, 'role', role); }

  /** Gives one principal one role on one resource. */
  assign(name: string, role: RoleName, to: Grant, parent: pulumi.Resource): authorization.RoleAssignment {
    const definition = this.definitions.get(role);
    if (!definition) throw new Error(`the role ${role} was not made for this stack`);
    return this.give(name, { ...to, key: role, roleDefinitionId: definition.id }, parent);
  }

  /** One of Azure's own roles, by its public GUID. */
  assignBuiltIn(name: string, guid: string, to: Grant, parent: pulumi.Resource): authorization.RoleAssignment {
    const roleDefinitionId = `/subscriptions/${this.settings.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${guid}`;
    return this.give(name, { ...to, key: guid, roleDefinitionId }, parent);
  }

  private give(name: string, to: Grant & { readonly key: string; readonly roleDefinitionId: pulumi.Input<string> }, parent: pulumi.Resource): authorization.RoleAssignment {
    return new authorization.RoleAssignment(name, {
      scope: to.scope, roleDefinitionId: to.roleDefinitionId, principalId: to.principalId, principalType: authorization.PrincipalType.ServicePrincipal,
      roleAssignmentName: stableGuid(this.settings.subscriptionId, this.settings.stack, 'assignment', to.key, name),
      ...(to.condition ? { condition: to.condition, conditionVersion: '2.0' } : {}),
    }, { parent });
  }
}

/** `condition` in Azure's attribute language, version 2.0. */
export interface Grant { readonly scope: pulumi.Input<string>; readonly principalId: pulumi.Input<string>; readonly condition?: string }
