import { SIZES } from '../../src/config/sizes';
import { READER } from '../../src/provision';
import { fakeResource } from '../support/fake-azure';
import { REAL_OPERATIONS } from './real-operations';
import { gitHubRefusalOf, type Repository } from './github-refusals';
import type { Registration } from './recorded';
import { isUnknown, plainObject, type Values } from './values';

/** The Azure behind a fake engine: what is there, what Pulumi's state knows of it, who asks, and when. */
export interface World {
  /** Resource ids that exist in Azure, in any letters' case. */
  readonly existing?: readonly string[];
  /** What the state remembers, by URN, as it was asked for last. */
  readonly state?: ReadonlyMap<string, Values>;
  /** An owner may do anything; `lab-provision` what its roles say. */
  readonly caller?: 'owner' | 'lab-provision';
  /** `2026-11`. */
  readonly month?: string;
  readonly repository?: Repository;
}

type Refusal = (asked: { readonly one: Registration; readonly inputs: Record<string, any>; readonly id: string; readonly world: World; readonly before: readonly Registration[] }) => string | undefined;

const kind = (one: Registration): string => one.type.replace('azure-native:', '');
const isBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;

/** What Azure, or its Pulumi provider, says no to; with each, where that was recorded. */
export const REFUSALS: Readonly<Record<string, Refusal>> = {
  // R4. pulumi/pulumi-azure-native#1123: nothing is adopted without `import`.
  'what exists and the state does not know': ({ one, id, world }) => !world.state?.has(one.urn) && (world.existing ?? []).some(there => there.toLowerCase() === id.toLowerCase())
    ? `cannot create already existing resource '${id}'` : undefined,
  // R2. pulumi/pulumi-azure-native#1117; of a scale set the same property may change (Azure: custom data and images of scale sets).
  'another image for a virtual machine': ({ one, inputs, world }) => {
    const old = world.state?.get(one.urn) as Record<string, any> | undefined;
    return kind(one) === 'compute:VirtualMachine' && old && JSON.stringify(old['storageProfile']?.imageReference) !== JSON.stringify(inputs['storageProfile']?.imageReference)
      ? 'Code="PropertyChangeNotAllowed" Message="Changing property \'imageReference\' is not allowed."' : undefined;
  },
  // R8. Provider documentation of Budget.timePeriod; the words of the answer were not recorded.
  'a budget that begins before this month': ({ one, inputs, world }) => kind(one) === 'costmanagement:Budget' && world.month && !world.state?.has(one.urn) && String(inputs['timePeriod']?.startDate).slice(0, 7) < world.month
    ? `400: start date ${inputs['timePeriod'].startDate} must be in ${world.month} or later` : undefined,
  // R9. Azure/vm-scale-sets#72: LinkedAuthorizationFailed for galleries/images/versions/read.
  'an image that the caller may not read': ({ one, inputs, world, before }) => {
    const id = inputs['virtualMachineProfile']?.storageProfile?.imageReference?.id as string | undefined;
    if (kind(one) !== 'compute:VirtualMachineScaleSet' || !id || world.caller !== 'lab-provision') return undefined;
    const gallery = id.replace(/\/images\/.*$/, ''), given = [...(world.state?.values() ?? []), ...before.map(other => plainObject(other.inputs))] as Record<string, any>[];
    return given.some(it => it['scope'] === gallery && String(it['roleDefinitionId']).endsWith(READER)) ? undefined
      : `Code="LinkedAuthorizationFailed" Message="The client has permission to perform action 'Microsoft.Compute/virtualMachineScaleSets/write'; however, it does not have permission to perform action 'Microsoft.Compute/galleries/images/versions/read' on the linked scope(s)"`;
  },
  // Azure/aks-engine#1663, a logged answer.
  'custom data that is not base 64': ({ one, inputs }) => {
    const data = inputs['virtualMachineProfile']?.osProfile?.customData as unknown;
    return kind(one) === 'compute:VirtualMachineScaleSet' && typeof data === 'string' && !(isBase64(data) && data.length <= 87_380)
      ? 'Code="InvalidParameter" Message="Custom data in OSProfile must be in Base64 encoding and with a maximum length of 87380 characters."' : undefined;
  },
  // Microsoft, "Troubleshoot Azure RBAC": UnmatchedPrincipalType. A managed identity is a service principal.
  'a principal of another type': ({ one, inputs }) => kind(one) === 'authorization:RoleAssignment' && inputs['principalType'] !== 'ServicePrincipal'
    ? `Code="UnmatchedPrincipalType" the principal has type 'ServicePrincipal', which is different from '${inputs['principalType']}'` : undefined,
  // Microsoft, "Azure custom roles": InvalidActionOrNotAction.
  'a role with an action that no provider has': ({ one, inputs }) => {
    const [permission = {}] = (kind(one) === 'authorization:RoleDefinition' ? inputs['permissions'] : []) as Record<string, string[]>[];
    const unknown = [...permission['actions'] ?? [], ...permission['dataActions'] ?? []].find(action => !REAL_OPERATIONS.has(action));
    return unknown ? `Code="InvalidActionOrNotAction" Message="'${unknown}' does not match any of the actions supported by the providers."` : undefined;
  },
  // REST reference: `publicIPAddressConfiguration.sku` and `deleteOption` exist with Flexible orchestration only, which wants `networkApiVersion`.
  'a network of another orchestration': ({ one, inputs }) => kind(one) === 'compute:VirtualMachineScaleSet' && inputs['orchestrationMode'] === 'Flexible' && !inputs['virtualMachineProfile']?.networkProfile?.networkApiVersion
    ? 'Code="InvalidParameter" Required parameter \'networkProfile.networkApiVersion\' is missing (null).' : undefined,
  // Microsoft, built-in roles: Contributor has no Microsoft.Authorization/*/Write. Role assignments `lab-provision` may write by its second role.
  'what only an owner may write': ({ one, inputs, id, world }) => {
    const what = { 'authorization:PolicyAssignment': 'policyAssignments', 'authorization:PolicyDefinition': 'policyDefinitions', 'authorization:RoleDefinition': 'roleDefinitions' }[kind(one)];
    if (what === undefined || world.caller !== 'lab-provision' || JSON.stringify(world.state?.get(one.urn)) === JSON.stringify(inputs)) return undefined;
    return `Code="AuthorizationFailed" Message="The client 'lab-provision' does not have authorization to perform action 'Microsoft.Authorization/${what}/write' over scope '${id}' or the scope is invalid."`;
  },
  // REST reference, Resource Skus: a size that no region offers.
  'a size that is not offered': ({ one, inputs }) => kind(one) === 'compute:VirtualMachineScaleSet' && !(inputs['sku']?.name in SIZES) ? `Code="SkuNotAvailable" the size ${inputs['sku']?.name} is not available` : undefined,
};

/** Why Azure, or GitHub, would not make or change this; nothing when they would. */
export function refusalOf(one: Registration, world: World, before: readonly Registration[]): string | undefined {
  if (one.type.startsWith('github:')) return gitHubRefusalOf(one, world.repository ?? {}, before);
  if (!one.type.startsWith('azure-native:')) return undefined;
  const inputs = plainObject(one.inputs) as Record<string, any>, id = fakeResource({ type: one.type, name: one.name, inputs }).id;
  if (Object.values(inputs).some(isUnknown)) return undefined;
  for (const refuse of Object.values(REFUSALS)) {
    const why = refuse({ one, inputs, id, world, before });
    if (why) return why;
  }
  return undefined;
}
