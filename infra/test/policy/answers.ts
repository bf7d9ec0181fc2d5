import type { Registration } from '../runtime/recorded';
import { plainObject, type Values } from '../runtime/values';
import { fakeResource } from '../support/fake-azure';

/** Inputs that are names or places: part of the id in what Azure answers, no longer properties. */
const NAMES = /^(resourceGroupName|vmScaleSetName|policyAssignmentName|policyDefinitionName|networkSecurityGroupName|virtualNetworkName|vaultName|keyName|budgetName|roleDefinitionId|roleAssignmentName)$/;

/** What Azure says back: what it was asked for and what it gave out, under the names of its answers, ids in other letters' case. */
export function asAzureAnswers({ type, name, inputs }: Registration): Values {
  const asked = plainObject(inputs);
  if (!type.startsWith('azure-native:')) return asked;
  const { state } = fakeResource({ type, name, inputs: asked }), isRole = type.endsWith(':RoleDefinition');
  const kept = Object.entries(state).filter(([key]) => !NAMES.test(key) || (key === 'roleDefinitionId' && !isRole));
  return shouted({ ...Object.fromEntries(kept), ...(isRole ? { name: asked['roleDefinitionId'] } : {}) }) as Values;
}

/** Azure answers `resourcegroups` for `resourceGroups`, and the other way round, as it likes. */
function shouted(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('/subscriptions/') ? value.replace('/resourceGroups/', '/resourcegroups/').replace('/virtualMachineScaleSets/', '/VIRTUALMACHINESCALESETS/') : value;
  if (Array.isArray(value)) return value.map(shouted);
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shouted(inner)])) : value;
}

/** As in a preview, or by a provider that says nothing of its own: the inputs, and the principals that assignments are compared with. */
export const asAsked = ({ type, name, inputs }: Registration): Values => fakeResource({ type, name, inputs: plainObject(inputs) }).state;
