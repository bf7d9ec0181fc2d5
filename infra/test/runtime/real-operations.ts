/**
 * Operations that the providers have, of those that the lab could ask for: a hand-written part of Microsoft's published reference
 * (learn.microsoft.com/azure/role-based-access-control/permissions). A right that isn't here is a typo, or wants its line and a look at that page.
 */
export const REAL_OPERATIONS: ReadonlySet<string> = new Set([
  ...['read', 'write', 'delete', 'start/action', 'deallocate/action', 'restart/action', 'reimage/action', 'scale/action', 'delete/action', 'instanceView/read', 'virtualMachines/read', 'virtualMachines/delete']
    .map(it => `Microsoft.Compute/virtualMachineScaleSets/${it}`),
  ...['read', 'write', 'delete', 'start/action', 'powerOff/action', 'deallocate/action', 'reimage/action', 'restart/action', 'runCommand/action', 'instanceView/read', 'retrieveBootDiagnosticsData/action']
    .map(it => `Microsoft.Compute/virtualMachines/${it}`),
  ...['read', 'write', 'delete'].map(it => `Microsoft.Compute/disks/${it}`),
  ...['read', 'write', 'delete', 'join/action'].flatMap(it => ['networkInterfaces', 'publicIPAddresses', 'networkSecurityGroups'].map(of => `Microsoft.Network/${of}/${it}`)),
  ...['read', 'write', 'delete', 'join/action'].map(it => `Microsoft.Network/virtualNetworks/subnets/${it}`),
  ...['read', 'write', 'delete', 'assign/action'].map(it => `Microsoft.ManagedIdentity/userAssignedIdentities/${it}`),
  ...['read', 'write', 'delete'].map(it => `Microsoft.DevTestLab/schedules/${it}`),
  ...['read', 'write', 'delete', 'start/action', 'stop/action', 'listClusterUserCredential/action'].map(it => `Microsoft.ContainerService/managedClusters/${it}`),
  'Microsoft.Resources/tags/read', 'Microsoft.Resources/tags/write', 'Microsoft.KeyVault/vaults/keys/read', 'Microsoft.KeyVault/vaults/keys/sign/action',
]);
