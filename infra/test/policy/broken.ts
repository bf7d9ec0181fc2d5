import type { Registration } from '../runtime/recorded';
import type { StackKind } from '../runtime/stacks';
import { change, type Spot } from '../schema/change';

type Registrations = readonly Registration[];
/** One way to break a rule: a change of a stack that breaks none. */
export interface Mistake { readonly what: string; readonly kind?: StackKind; readonly make: (stack: Registrations) => Registrations; readonly message: RegExp }

type Path = readonly (string | number)[];
const at = (type: string, name: string) => (...path: Path): Spot => ({ type, name, path });
const SET = at('VirtualMachineScaleSet', 'azure-d4s'), VM = (...path: Path): Spot => SET('virtualMachineProfile', ...path), NIC = (...path: Path): Spot => VM('networkProfile', 'networkInterfaceConfigurations', 0, ...path);
const RULES = at('NetworkSecurityGroup', 'machines'), SELF = at('RoleAssignment', 'machine-self'), SIZES = at('PolicyAssignment', 'sizes');
const SIZE_RULE = (...path: (string | number)[]) => at('PolicyDefinition', 'sizes')('policyRule', ...path);
const VAULT = at('Vault', 'github-app'), KEY = at('Key', 'github-app'), COMMAND = at('Command', 'metal'), AKS = at('ManagedCluster', 'cluster'), LOGIN = at('FederatedIdentityCredential', 'lab-power');
const WATCH = at('Workflow', 'cluster-watchdog'), ENVIRONMENT = at('RepositoryEnvironment', 'perf-lab'), BRANCH = at('RepositoryRuleset', 'default-branch');

const set = (spot: Spot, value: unknown) => (stack: Registrations) => change(stack, spot, () => value);
const add = (spot: Spot, value: unknown) => (stack: Registrations) => change(stack, spot, before => [...(before as unknown[] | undefined) ?? [], value]);
const drop = (type: string, name: string) => (stack: Registrations): Registrations => {
  const rest = stack.filter(one => !(one.type.endsWith(`:${type}`) && one.name === name));
  if (rest.length === stack.length) throw new Error(`no resource ${type} ${name}`);
  return rest;
};
/** One more resource, otherwise like a machine's; what only it has is given. */
const more = (type: string, inputs: Record<string, unknown>, name = 'stranger') => (stack: Registrations): Registrations => {
  const like = stack.find(one => one.type.endsWith(':VirtualMachineScaleSet'))!;
  return [...stack, { ...like, type, name, urn: like.urn.replace(/[^$]*$/, `${type}::${name}`), inputs }];
};
const options = (altered: Partial<Registration>, type = ':VirtualMachineScaleSet') => (stack: Registrations): Registrations => stack.map(one => one.type.endsWith(type) ? { ...one, ...altered } : one);

const IN = { name: 'ssh', priority: 100, direction: 'Inbound', access: 'Allow', protocol: 'Tcp', sourceAddressPrefix: '*', destinationPortRange: '22' };
const OUT = { name: 'mail', priority: 101, direction: 'Outbound', access: 'Allow', protocol: 'Tcp', destinationPortRange: '25' };
const GROUP = '/subscriptions/s/resourceGroups/perf-lab-dev', OWNER = '/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/8e3af657-a8ff-443c-a75c-2fe8c4bcb635';

/** Rule → ways to break it. The message is what somebody reads who did it. */
export const BROKEN: Readonly<Record<string, readonly Mistake[]>> = {
  'nothing-comes-in': [
    { what: 'a rule that lets everybody in', make: add(RULES('securityRules'), IN), message: /"ssh" lets \* in/ },
    { what: 'the same in other letters\' case', make: add(RULES('securityRules'), { ...IN, direction: 'inbound', access: 'allow' }), message: /lets \* in/ },
    { what: 'a rule as a resource of its own, of another version', make: more('azure-native:network/v20240701:SecurityRule', IN), message: /stranger: the rule "ssh" lets \* in/ },
  ],
  'only-https-goes-out': [
    { what: 'mail', make: add(RULES('securityRules'), OUT), message: /"mail" lets Tcp 25 out/ },
    { what: 'every port', make: set(RULES('securityRules', 0, 'destinationPortRange'), '*'), message: /lets Tcp \* out/ },
    { what: 'every protocol', make: set(RULES('securityRules', 0, 'protocol'), '*'), message: /lets \* 443 out/ },
    { what: 'a port in a list', make: add(RULES('securityRules'), { ...OUT, destinationPortRange: '443', destinationPortRanges: ['22'] }), message: /443, 22/ },
  ],
  'addresses-that-let-nobody-in': [
    { what: 'an open address', make: set(NIC('ipConfigurations', 0, 'publicIPAddressConfiguration', 'sku', 'name'), 'Basic'), message: /its address is Basic/ },
    { what: 'nodes with addresses', kind: 'cluster', make: set(AKS('agentPoolProfiles', 1, 'enableNodePublicIP'), true), message: /nodes of "sut" have public addresses/ },
  ],
  'machines-sit-behind-the-rules': [
    { what: 'a subnet without a security group', make: set(at('VirtualNetwork', 'lab')('subnets', 0, 'networkSecurityGroup'), undefined), message: /its subnet has no security group/ },
    { what: 'a security group without its last rules', make: set(RULES('securityRules'), []), message: /does not deny inbound[^]*does not deny outbound/ },
    { what: 'a subnet of another network', make: set(NIC('ipConfigurations', 0, 'subnet', 'id'), `${GROUP}/providers/Microsoft.Network/virtualNetworks/other/subnets/machines`), message: /no security group/ },
  ],
  'listed-size': [
    { what: 'a larger machine', make: set(SET('sku', 'name'), 'Standard_D64s_v5'), message: /Standard_D64s_v5 is not one of Standard_D4s_v5/ },
    { what: 'larger nodes', kind: 'cluster', make: set(AKS('agentPoolProfiles', 0, 'vmSize'), 'Standard_E96s_v5'), message: /Standard_E96s_v5/ },
  ],
  'exact-image': [
    { what: 'the latest of the marketplace', make: set(VM('storageProfile', 'imageReference'), { publisher: 'Debian', offer: 'debian-13', sku: '13-gen2', version: 'latest' }), message: /the image is latest/ },
    { what: 'the latest of a gallery', make: set(VM('storageProfile', 'imageReference'), { id: '/x/images/machine' }), message: /not one exact version/ },
    { what: 'no image', make: set(VM('storageProfile', 'imageReference'), undefined), message: /not said/ },
  ],
  'keys-only': [
    { what: 'passwords allowed', make: set(VM('osProfile', 'linuxConfiguration', 'disablePasswordAuthentication'), false), message: /takes passwords/ },
    { what: 'a password', make: set(VM('osProfile', 'adminPassword'), 'x'), message: /has a password/ },
  ],
  'trusted-launch': [
    { what: 'a standard machine', make: set(VM('securityProfile', 'securityType'), 'Standard'), message: /trusted launch/ },
    { what: 'no secure boot', make: set(VM('securityProfile', 'uefiSettings', 'secureBootEnabled'), false), message: /secure boot/ },
  ],
  'nothing-survives-a-request': [
    { what: 'a disk that stays', make: set(VM('storageProfile', 'osDisk', 'deleteOption'), 'Detach'), message: /the disk stays/ },
    { what: 'a card that stays', make: set(NIC('deleteOption'), undefined), message: /the network card stays/ },
    { what: 'an address that stays', make: set(NIC('ipConfigurations', 0, 'publicIPAddressConfiguration', 'deleteOption'), 'Detach'), message: /the address stays/ },
    { what: 'a data disk', make: set(VM('storageProfile', 'dataDisks'), [{ lun: 0, createOption: 'Empty' }]), message: /data disk/ },
  ],
  'not-spot': [{ what: 'a Spot machine', make: set(VM('priority'), 'Spot'), message: /priority is Spot/ }],
  'boot-log': [{ what: 'none', make: set(VM('diagnosticsProfile'), undefined), message: /keeps no boot log/ }],
  'no-extensions': [{ what: 'extensions allowed', make: set(VM('osProfile', 'allowExtensionOperations'), undefined), message: /takes extensions/ }],
  'identity-of-machines': [
    { what: 'an identity of others', make: set(SET('identity', 'userAssignedIdentities'), ['/x/userAssignedIdentities/lab-power']), message: /not the one that machines have/ },
    { what: 'one more', make: add(SET('identity', 'userAssignedIdentities'), '/x/userAssignedIdentities/lab-power'), message: /not the one that machines have/ },
    { what: 'none, so that no watchdog can delete it', make: set(SET('identity'), undefined), message: /identity is none/ },
  ],
  'empty-until-asked': [
    { what: 'a machine that stands by', make: set(SET('sku', 'capacity'), 1), message: /holds 1 machines from the start/ },
    { what: 'another orchestration', make: set(SET('orchestrationMode'), 'Uniform'), message: /Flexible/ },
    { what: 'upgrades by themselves', make: set(SET('upgradePolicy', 'mode'), 'Automatic'), message: /reach a running machine/ },
  ],
  'lease-stays': [
    { what: 'an update that takes it away', make: options({ ignoreChanges: ['sku.capacity', 'virtualMachineProfile.osProfile.customData'] }), message: /would undo tags\["perf-lab:lease"\]/ },
    { what: 'an update that ends a machine', make: options({ ignoreChanges: ['tags["perf-lab:lease"]', 'virtualMachineProfile.osProfile.customData'] }), message: /would undo sku\.capacity/ },
    { what: 'an update that takes the cluster\'s away', kind: 'cluster', make: options({ ignoreChanges: [] }, ':ManagedCluster'), message: /cluster: an update would undo tags\["perf-lab:lease"\]/ },
  ],
  'listed-rights': [
    { what: 'a star', make: add(at('RoleDefinition', 'power')('permissions', 0, 'actions'), 'Microsoft.Compute/*'), message: /Microsoft\.Compute\/\* is no right/ },
    { what: 'running commands on a machine', make: add(at('RoleDefinition', 'power')('permissions', 0, 'actions'), 'Microsoft.Compute/virtualMachines/runCommand/action'), message: /runCommand/ },
    { what: 'reading a key', make: add(at('RoleDefinition', 'sign')('permissions', 0, 'dataActions'), 'Microsoft.KeyVault/vaults/keys/read'), message: /keys\/read/ },
    { what: 'a role for the whole subscription', make: set(at('RoleDefinition', 'power')('assignableScopes'), ['/subscriptions/s']), message: /can be given on \/subscriptions\/s/ },
  ],
  'narrow-scope': [
    { what: 'the subscription', make: set(SELF('scope'), '/subscriptions/s'), message: /reaches \/subscriptions\/s/ },
    { what: 'a management group', make: set(SELF('scope'), '/providers/Microsoft.Management/managementGroups/root'), message: /managementGroups/ },
    { what: 'a role of one thing on the whole group', make: set(at('RoleAssignment', 'sign')('scope'), GROUP), message: /only setting the lab up, and machines/ },
  ],
  'own-roles-only': [{ what: 'Owner', make: set(SELF('roleDefinitionId'), OWNER), message: /8e3af657-\S+ is not one of the lab's/ }],
  'gives-away-only-its-own-roles': [
    { what: 'no condition', make: set(at('RoleAssignment', 'provision-roles')('condition'), undefined), message: /which roles it may write[^]*which roles it may delete/ },
    { what: 'a condition for another role', make: stack => change(stack, at('RoleAssignment', 'provision-roles')('condition'), text => String(text).replace(/[0-9a-f-]{36}/, '8e3af657-a8ff-443c-a75c-2fe8c4bcb635')), message: /names the role 8e3af657/ },
    { what: 'a condition for writing only', make: stack => change(stack, at('RoleAssignment', 'provision-roles')('condition'), text => String(text).split(' AND ')[0]), message: /which roles it may delete/ },
  ],
  'machine-may-only-delete': [
    { what: 'the role of the workflows', make: stack => change(stack, SELF('roleDefinitionId'), () => stack.find(one => one.name === 'instances')!.inputs['roleDefinitionId']), message: /more than to delete machines/ },
    { what: 'a role that grew', make: add(at('RoleDefinition', 'self-delete')('permissions', 0, 'actions'), 'Microsoft.Compute/virtualMachines/read'), message: /more than to delete machines/ },
    { what: 'no right at all', make: drop('RoleAssignment', 'machine-self'), message: /no right to delete their machines/ },
  ],
  'login-from-an-environment': [
    { what: 'a branch', make: set(LOGIN('subject'), 'repo:o@1/r@2:ref:refs/heads/main'), message: /is not one repository's environment/ },
    { what: 'pull requests', make: set(LOGIN('subject'), 'repo:o@1/r@2:pull_request'), message: /pull_request/ },
    { what: 'every repository', make: set(LOGIN('subject'), 'repo:o@1/*:environment:perf-lab'), message: /is not one repository/ },
    { what: 'another environment', make: set(LOGIN('subject'), 'repo:o@1/r@2:environment:pages'), message: /environment perf-lab or perf-lab-setup/ },
    { what: 'another issuer', make: set(LOGIN('issuer'), 'https://example.org'), message: /example\.org, not GitHub/ },
    { what: 'tokens meant for others', make: set(LOGIN('audiences'), ['https://vault.azure.net']), message: /somebody else/ },
  ],
  'sealed-vault': [
    { what: 'no purge protection', make: set(VAULT('properties', 'enablePurgeProtection'), undefined), message: /can be purged/ },
    { what: 'no soft delete', make: set(VAULT('properties', 'enableSoftDelete'), false), message: /can be purged/ },
    { what: 'access policies', make: set(VAULT('properties', 'enableRbacAuthorization'), false), message: /no role assignment shows/ },
  ],
  'sign-only-key': [
    { what: 'one that decrypts', make: set(KEY('properties', 'keyOps'), ['sign', 'decrypt']), message: /may sign, decrypt/ },
    { what: 'one without a list', make: set(KEY('properties', 'keyOps'), undefined), message: /may everything/ },
    { what: 'one that can leave', make: set(KEY('properties', 'attributes'), { exportable: true }), message: /exported/ },
    { what: 'a curve, which GitHub does not take', make: set(KEY('properties', 'kty'), 'EC'), message: /not EC/ },
  ],
  'pinned-host': [
    { what: 'no host key', kind: 'metal', make: set(COMMAND('connection', 'hostKey'), undefined), message: /no host key/ },
    { what: 'an empty one, at the copy', kind: 'metal', make: set(at('CopyToRemote', 'metal')('connection', 'hostKey'), ''), message: /no host key/ },
    { what: 'a password', kind: 'metal', make: set(COMMAND('connection', 'password'), 'x'), message: /with a password/ },
    { what: 'a proxy that nobody knows', kind: 'metal', make: set(COMMAND('connection', 'proxy'), { host: 'x' }), message: /proxy has no host key/ },
  ],
  'nothing-of-the-agent-is-kept': [
    { what: 'output in the log', kind: 'metal', make: set(COMMAND('logging'), undefined), message: /goes to the log/ },
    { what: 'output in the environment, the default', kind: 'metal', make: set(COMMAND('addPreviousOutputInEnv'), undefined), message: /next command's environment/ },
  ],
  'sizes-denied-by-azure': [
    { what: 'no policy', make: drop('PolicyAssignment', 'sizes'), message: /no policy denies other sizes/ },
    { what: 'one that only looks', make: set(SIZES('enforcementMode'), 'DoNotEnforce'), message: /no policy denies other sizes/ },
    { what: 'a definition that only looks', make: set(SIZE_RULE('then', 'effect'), 'audit'), message: /no policy denies other sizes/ },
    { what: 'Azure\'s own, which does not look at scale sets', make: set(SIZE_RULE('if', 'anyOf'), []), message: /no policy denies other sizes/ },
    { what: 'a size that nobody uses', make: set(SIZES('parameters', 'listOfAllowedSKUs', 'value'), ['Standard_D4s_v5', 'Standard_D64s_v5']), message: /Standard_D64s_v5 is allowed/ },
  ],
  'budget-that-tells': [
    { what: 'none', make: drop('Budget', 'budget'), message: /no budget tells anybody/ },
    { what: 'one that tells nobody', make: set(at('Budget', 'budget')('notifications'), {}), message: /no budget tells anybody/ },
    { what: 'one of another group', make: set(at('Budget', 'budget')('scope'), `${GROUP}-other`), message: /no budget tells anybody/ },
    { what: 'none for the nodes of a cluster', kind: 'cluster', make: drop('Budget', 'cluster-budget'), message: /of its nodes/ },
  ],
  'tagged': [
    { what: 'no tags', make: set(SET('tags'), undefined), message: /no tag perf-lab:stack/ },
    { what: 'a stack without a name', make: set(at('ResourceGroup', 'lab')('tags', 'perf-lab:stack'), ''), message: /no tag perf-lab:stack/ },
  ],
  'nothing-unforeseen': [
    { what: 'an extension of a machine', make: more('azure-native:compute:VirtualMachineExtension', {}), message: /VirtualMachineExtension is nothing that a lab is made of/ },
    { what: 'an address that waits', make: more('azure-native:network:PublicIPAddress', {}), message: /PublicIPAddress is nothing/ },
    { what: 'a NAT gateway', make: more('azure-native:network:NatGateway', {}), message: /NatGateway is nothing/ },
    { what: 'a secret', make: more('azure-native:keyvault:Secret', {}), message: /Secret/ },
    { what: 'a command on the machine that deploys', make: more('command:local:Command', {}), message: /command:local:Command/ },
    { what: 'a resource of another provider', make: more('random:index/randomPassword:RandomPassword', {}), message: /random/ },
  ],
  'closed-cluster': [
    { what: 'a public API server', kind: 'cluster', make: set(AKS('apiServerAccessProfile'), {}), message: /open to everybody/ },
    { what: 'an allow-list of everybody', kind: 'cluster', make: set(AKS('apiServerAccessProfile'), { authorizedIPRanges: ['0.0.0.0/0'] }), message: /open to 0\.0\.0\.0\/0/ },
    { what: 'local accounts', kind: 'cluster', make: set(AKS('disableLocalAccounts'), false), message: /no directory knows/ },
  ],
  'identities-not-secrets': [{ what: 'workload identity off', kind: 'cluster', make: set(AKS('securityProfile'), undefined), message: /workload identity is off/ }],
  'fixed-cluster': [
    { what: 'upgrades by themselves', kind: 'cluster', make: set(AKS('autoUpgradeProfile'), undefined), message: /upgrades itself/ },
    { what: 'a version that moves', kind: 'cluster', make: set(AKS('kubernetesVersion'), '1.34'), message: /1\.34 is not exact/ },
    { what: 'shared cores', kind: 'cluster', make: set(AKS('agentPoolProfiles', 1, 'kubeletConfig'), undefined), message: /nodes of "sut" share their cores/ },
  ],
  'idle-cluster-shrinks': [
    { what: 'nodes that stay', kind: 'cluster', make: set(AKS('agentPoolProfiles', 1, 'minCount'), 3), message: /"sut" keeps more than 0 node/ },
    { what: 'a fixed number of nodes', kind: 'cluster', make: set(AKS('agentPoolProfiles', 0, 'enableAutoScaling'), false), message: /"load" keeps more than 1/ },
  ],
  'watched-cluster': [
    { what: 'none', kind: 'cluster', make: drop('Workflow', 'cluster-watchdog'), message: /nothing outside of it stops it/ },
    { what: 'one that is off', kind: 'cluster', make: set(WATCH('state'), 'Disabled'), message: /switched off/ },
    { what: 'one a month', kind: 'cluster', make: set(WATCH('definition', 'triggers', 'hourly', 'recurrence', 'frequency'), 'Month'), message: /every hour or two/ },
    { what: 'one that anybody can call', kind: 'cluster', make: set(WATCH('definition', 'triggers', 'open'), { type: 'Request' }), message: /by nothing else/ },
    { what: 'one that starts', kind: 'cluster', make: set(WATCH('definition', 'actions', 'look', 'inputs', 'method'), 'POST'), message: /something else than look and stop: Http POST/ },
    { what: 'one that tells somebody else', kind: 'cluster', make: set(WATCH('definition', 'actions', 'tell'), { type: 'Http', inputs: { method: 'GET', uri: 'https://elsewhere.example/' } }), message: /elsewhere/ },
  ],
  'environment-takes-one-branch': [
    { what: 'any branch', kind: 'metal', make: set(ENVIRONMENT('deploymentBranchPolicy'), undefined), message: /more than a list of branches/ },
    { what: 'protected branches, of which there may be none', kind: 'metal', make: set(ENVIRONMENT('deploymentBranchPolicy'), { protectedBranches: true, customBranchPolicies: false }), message: /more than a list/ },
    { what: 'a pattern', kind: 'metal', make: set(at('RepositoryEnvironmentDeploymentPolicy', 'perf-lab')('branchPattern'), '*'), message: /takes the branches \*, not one/ },
    { what: 'a list of nothing', kind: 'metal', make: drop('RepositoryEnvironmentDeploymentPolicy', 'perf-lab'), message: /branches of nobody/ },
  ],
  'default-branch-is-reviewed': [
    { what: 'rules that look', kind: 'metal', make: set(BRANCH('enforcement'), 'evaluate'), message: /only look/ },
    { what: 'no review', kind: 'metal', make: set(BRANCH('rules', 'pullRequest', 'requiredApprovingReviewCount'), 0), message: /nobody has to review/ },
    { what: 'no owners', kind: 'metal', make: set(BRANCH('rules', 'pullRequest', 'requireCodeOwnerReview'), false), message: /nobody has to review/ },
    { what: 'another history', kind: 'metal', make: set(BRANCH('rules', 'nonFastForward'), false), message: /history can be replaced/ },
    { what: 'admins who push', kind: 'metal', make: set(BRANCH('bypassActors', 0, 'bypassMode'), 'always'), message: /push past the rules/ },
  ],
};
