import { CONTRIBUTOR, READER, ROLE_BASED_ACCESS_CONTROL_ADMINISTRATOR } from '../../src/provision';
import { stableGuid } from '../../src/config/names';
import type { Recorded, Registration } from '../runtime/recorded';
import type { Row } from './tables';

const BUILT_IN: Readonly<Record<string, string>> = { [CONTRIBUTOR]: 'Contributor', [READER]: 'Reader', [ROLE_BASED_ACCESS_CONTROL_ADMINISTRATOR]: 'Role Based Access Control Administrator' };
const of = ({ registrations }: Recorded, type: string): Registration[] => registrations.filter(one => one.type.endsWith(`:${type}`));
const last = (id: unknown): string => String(id).split('/').at(-1) ?? '';

/** Who has which role on what in this stack, in the words of docs/internals/security-tables.md. What all machines have is one row, when they all have it. */
export function grantRows(stack: Recorded): Row[] {
  const machines = of(stack, 'VirtualMachineScaleSet').map(one => one.name), names = of(stack, 'UserAssignedIdentity').map(one => one.name);
  const holder = new Map(names.map(name => [stableGuid('principal', name), name]));    // as the fake Azure gives them out
  const rows = of(stack, 'RoleAssignment').map(({ inputs }) => {
    const identity = holder.get(String(inputs['principalId'])) ?? `unknown ${String(inputs['principalId'])}`;
    return { identity, who: who(stack, identity), role: role(stack, inputs), on: on(String(inputs['scope'])) };
  });
  const everywhere = rows.filter(row => row.on === 'every scale set').length;
  if (everywhere !== machines.length) throw new Error(`${everywhere} grants on ${machines.length} machines`);
  return [...new Map(rows.map(row => [JSON.stringify(row), { 'identity': row.identity, 'who can be it': row.who, 'role': row.role, 'on': row.on }])).values()];
}

function role(stack: Recorded, inputs: Registration['inputs']): string {
  const guid = last(inputs['roleDefinitionId']), own = of(stack, 'RoleDefinition').find(one => one.inputs['roleDefinitionId'] === guid);
  return own?.name ?? `${BUILT_IN[guid] ?? `unknown ${guid}`}${inputs['condition'] === undefined ? '' : ', for the lab\'s own roles only'}`;
}

function on(scope: string): string {
  const [kind = ''] = scope.split('/').slice(-2);
  return { virtualMachineScaleSets: 'every scale set', galleries: 'the gallery', managedClusters: 'the cluster', keys: 'the App\'s key', resourceGroups: 'the resource group', subnets: 'the cluster\'s subnet' }[kind] ?? scope;
}

/** Only logins can be compared; who else can be an identity is Azure's doing. */
function who(stack: Recorded, identity: string): string {
  const login = of(stack, 'FederatedIdentityCredential').find(one => one.inputs['resourceName'] === identity), environment = /:environment:(.+)$/.exec(String(login?.inputs['subject']))?.[1];
  return environment ? `jobs in the environment ${environment}` : 'no login';
}
