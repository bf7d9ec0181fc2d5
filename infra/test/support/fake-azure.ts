import { stableGuid } from '../../src/config/names';

interface Asked { readonly type: string; readonly name: string; readonly inputs: Record<string, any> }

/** Type of the provider → path below the resource group, and which input is the name in Azure. */
const PATHS: Record<string, readonly [path: string, name: string]> = {
  'azure-native:compute:VirtualMachineScaleSet': ['Microsoft.Compute/virtualMachineScaleSets', 'vmScaleSetName'],
  'azure-native:containerservice:ManagedCluster': ['Microsoft.ContainerService/managedClusters', 'resourceName'],
  'azure-native:keyvault:Vault': ['Microsoft.KeyVault/vaults', 'vaultName'],
  'azure-native:managedidentity:UserAssignedIdentity': ['Microsoft.ManagedIdentity/userAssignedIdentities', 'resourceName'],
  'azure-native:logic:Workflow': ['Microsoft.Logic/workflows', 'workflowName'],
  'azure-native:network:NetworkSecurityGroup': ['Microsoft.Network/networkSecurityGroups', 'networkSecurityGroupName'],
  'azure-native:network:VirtualNetwork': ['Microsoft.Network/virtualNetworks', 'virtualNetworkName'],
};

export const SUBSCRIPTION = '22222222-2222-4222-8222-222222222222';

/** Who an identity is, by the Azure name of what it belongs to. */
export const principalOf = (azureName: string): string => stableGuid('principal', azureName);

/** What Azure would answer, as far as the program reads it: ids in Azure's form, principals of identities. */
export function fakeResource({ type, name, inputs }: Asked): { id: string; state: Record<string, any> } {
  const id = idOf({ type, name, inputs });
  const azureName = id.split('/').at(-1) ?? name;
  const state: Record<string, any> = { ...inputs, name: azureName };
  if (type.endsWith(':UserAssignedIdentity')) Object.assign(state, { principalId: principalOf(azureName), clientId: stableGuid('client', azureName) });
  return { id, state };
}

function idOf({ type, name, inputs }: Asked): string {
  const group = (resourceGroup: string): string => `/subscriptions/${SUBSCRIPTION}/resourceGroups/${resourceGroup}`;
  const known = PATHS[type];
  if (known) return `${group(inputs['resourceGroupName'])}/providers/${known[0]}/${inputs[known[1]]}`;
  switch (type) {
    case 'azure-native:resources:ResourceGroup': return group(inputs['resourceGroupName']);
    case 'azure-native:keyvault:Key': return `${group(inputs['resourceGroupName'])}/providers/Microsoft.KeyVault/vaults/${inputs['vaultName']}/keys/${inputs['keyName']}`;
    case 'azure-native:authorization:PolicyDefinition': return `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/policyDefinitions/${inputs['policyDefinitionName']}`;
    case 'azure-native:authorization:RoleDefinition': return `${inputs['scope']}/providers/Microsoft.Authorization/roleDefinitions/${inputs['roleDefinitionId']}`;
    case 'azure-native:authorization:RoleAssignment': return `${inputs['scope']}/providers/Microsoft.Authorization/roleAssignments/${inputs['roleAssignmentName']}`;
    default: return `${name}-id`;
  }
}
