import { CONTRIBUTOR, READER, ROLE_BASED_ACCESS_CONTROL_ADMINISTRATOR } from '../../src/provision';
import type { Recorded } from './deploy';
import { principalOf } from './fake-azure';

type Inputs = Record<string, any>;
type All = readonly Recorded[];

/** A page with every resource of a stack, in the words of its owner: what it is called in Azure and what about it matters. */
export function stackTable(title: string, made: All): string {
  const all = made.filter(r => !r.isComponent && !r.type.startsWith('pulumi:')).sort((a, b) => (a.type + a.name < b.type + b.name ? -1 : 1));
  const rows = all.map(r => `| ${r.type.replace('azure-native:', '')} | ${r.name} | ${SETTINGS[r.type.split(':').at(-1) ?? '']?.(r.inputs, all) ?? ''} |`);
  const components = made.filter(r => r.isComponent).map(r => `${r.type.split(':').at(-1)} \`${r.name}\``).sort();
  return `# ${title}

Made by \`npm run stacks --prefix infra\` from \`Pulumi.sample.yaml\`; a test holds this page against the program. The program ran against a fake of Azure:
this is what it asks for, not what Azure answered.

${all.length} resources, in ${components.length} components: ${components.join(', ')}.

| type | resource | what matters about it |
|---|---|---|
${rows.join('\n')}
`;
}

const last = (id: string): string => id.split('/').at(-1) ?? '';
/** Type and name of what an id names: `virtualMachines/azure-d4s`. */
const thing = (id: string): string => id.split('/').slice(-2).join('/');
const subnet = (it: Inputs): string => `\`${it['name']}\` ${it['addressPrefix']} (security group \`${last(it['networkSecurityGroup'].id)}\`)`;

function rule(it: Inputs): string {
  const [other, way] = it['direction'] === 'Inbound' ? [it['sourceAddressPrefix'], 'in from'] : [it['destinationAddressPrefix'], 'out to'];
  return `${it['access'] === 'Allow' ? 'allow' : 'deny'} ${way} ${other === '*' ? 'anywhere' : other}${it['destinationPortRange'] === '*' ? '' : `, port ${it['destinationPortRange']}`}`;
}

/** `50 % spent, 80 % spent, 100 % forecast` */
function alerts(budget: Inputs): string {
  const words = Object.values<Inputs>(budget['notifications']).map(it => [it['thresholdType'] === 'Actual' ? 'spent' : 'forecast', it['threshold']] as const);
  return words.sort((a, b) => a[1] - b[1] || (a[0] > b[0] ? -1 : 1)).map(([kind, percent]) => `${percent} % ${kind}`).join(', ');
}

function who(principalId: string, all: All): string {
  return all.find(r => /:UserAssignedIdentity$/.test(r.type) && principalOf(r.inputs['resourceName']) === principalId)?.name ?? principalId;
}

function role(id: string, all: All): string {
  const builtIn: Record<string, string> = { [CONTRIBUTOR]: 'Contributor', [ROLE_BASED_ACCESS_CONTROL_ADMINISTRATOR]: 'Role Based Access Control Administrator', [READER]: 'Reader' };
  return builtIn[last(id)] ?? all.find(r => r.type.endsWith(':RoleDefinition') && r.inputs['roleDefinitionId'] === last(id))?.name ?? id;
}

const pinned = (it: Inputs): string => (it['connection'].hostKey ? ', host key pinned' : ', ANY host key');

function machine({ sku, orchestrationMode, identity, virtualMachineProfile: { storageProfile: { imageReference: image, osDisk }, securityProfile, osProfile, networkProfile } }: Inputs): string {
  const password = osProfile.linuxConfiguration.disablePasswordAuthentication ? 'no password' : 'password', [card] = networkProfile.networkInterfaceConfigurations;
  const address = card.ipConfigurations[0].publicIPAddressConfiguration;
  return [`${orchestrationMode}, holds ${sku.capacity} of ${sku.name}`, `image \`${image.id ? image.id.split('/').slice(-5).join('/') : `${image.publisher}:${image.offer}:${image.sku}:${image.version}`}\``,
    securityProfile.securityType, `${osDisk.managedDisk.storageAccountType} ${osDisk.diskSizeGB} GiB (${osDisk.deleteOption})`, `card${card.enableAcceleratedNetworking ? ', accelerated' : ''} (${card.deleteOption})`,
    `${address.sku.name} address (${address.deleteOption})`, password, `identity \`${identity.userAssignedIdentities.map(last).join()}\``].join(', ');
}

function cluster({ tags, kubernetesVersion, apiServerAccessProfile: api, nodeResourceGroup, agentPoolProfiles }: Inputs): string {
  const pools = agentPoolProfiles.map((pool: Inputs) => `\`${pool['name']}\` ${pool['vmSize']} ${pool['minCount']} to ${pool['maxCount']}${pool['nodeTaints']?.length ? `, tainted \`${pool['nodeTaints'].join()}\`` : ''}`).join(', ');
  return `Kubernetes ${kubernetesVersion}, API server ${api.enablePrivateCluster ? 'private' : `for ${api.authorizedIPRanges.join()} only`}, nodes in \`${nodeResourceGroup}\`; pools ${pools}; tags ${JSON.stringify(tags).replaceAll('"', '')}`;
}

const SETTINGS: Record<string, (it: Inputs, all: All) => string> = {
  RepositoryEnvironment: it => `\`${it['environment']}\` of \`${it['repository']}\`, branches by list${it['reviewers'] ? `, waits for ${it['reviewers'][0].users.length} reviewer(s)` : ''}`,
  RepositoryEnvironmentDeploymentPolicy: it => `\`${it['environment']}\` takes the branch \`${it['branchPattern']}\``,
  RepositoryRuleset: it => `${it['enforcement']} on ${it['conditions'].refName.includes.join()}: ${it['rules'].pullRequest.requiredApprovingReviewCount} review, of code owners too; no deletion, no other history; admins by pull request only`,
  ActionsVariable: it => `\`${it['variableName']}\` = ${/CLIENT_ID$/.test(it['variableName']) ? 'client id of `lab-provision`' : `\`${it['value']}\``}`,
  ResourceGroup: it => `\`${it['resourceGroupName']}\` in ${it['location']}, tags ${JSON.stringify(it['tags']).replaceAll('"', '')}`,
  NetworkSecurityGroup: it => it['securityRules'].map(rule).join('; '),
  VirtualNetwork: it => `${it['addressSpace'].addressPrefixes.join()}; subnets ${it['subnets'].map(subnet).join(', ')}`,
  VirtualMachineScaleSet: machine,
  PolicyDefinition: it => `\`${it['policyDefinitionName']}\` of the subscription: ${it['policyRule'].then.effect} of other sizes to ${it['policyRule'].if.anyOf.map((one: Inputs) => one['allOf'][0].equals.split('/').at(-1)).join(' and ')}`,
  PolicyAssignment: it => `policy \`${last(it['policyDefinitionId'])}\` (sizes of machines): ${it['parameters'].listOfAllowedSKUs.value.join(', ')}`,
  Budget: it => `${it['amount']} a month on \`${last(it['scope'])}\`; e-mails at ${alerts(it)}`,
  Workflow: it => `\`${it['workflowName']}\`, ${it['state'].toLowerCase()}, every ${it['definition'].triggers.hourly.recurrence.interval} h as \`${last(it['identity'].userAssignedIdentities[0])}\`: look, ${it['definition'].actions.forgotten.actions.wait.inputs.interval.count} min later again, stop`,
  UserAssignedIdentity: it => `\`${it['resourceName']}\``,
  FederatedIdentityCredential: it => `tokens of \`${it['subject']}\``,
  RoleDefinition: it => [...it['permissions'][0].actions, ...it['permissions'][0].dataActions].map((action: string) => `\`${action}\``).join(', '),
  RoleAssignment: (it, all) => `${who(it['principalId'], all)} gets **${role(it['roleDefinitionId'], all)}** on \`${thing(it['scope'])}\`${it['condition'] ? ', under a condition' : ''}`,
  Vault: ({ vaultName, properties: it }) => `\`${vaultName}\`: ${it.enableRbacAuthorization ? 'roles only' : 'access policies'}${it.enablePurgeProtection ? ', purge protection' : ''}, ${it.softDeleteRetentionInDays} days`,
  Key: it => `${it['properties'].kty} ${it['properties'].keySize}, may ${it['properties'].keyOps.join()}`,
  ManagedCluster: cluster,
  CopyToRemote: it => `\`infra/machine\` to \`${it['connection'].user}@${it['connection'].host}\`${pinned(it)}`,
  Command: it => `\`metal-agent.sh\` ${it['create'].split(' ').slice(-2).join(' ')} at \`${it['connection'].host}\`${pinned(it)}${it['stdin'] ? ', token on stdin' : ''}${it['logging'] === 'none' ? ', not logged' : ''}`,
};
