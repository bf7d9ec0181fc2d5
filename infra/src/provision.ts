import type * as pulumi from '@pulumi/pulumi';
import type { Image } from './config/image';
import type { Settings } from './config/settings';
import type { GitHubIdentity } from './identity';
import { ROLES, ROLE_NAMES, type Roles } from './roles';

/** Azure's built-in roles, by their public GUIDs. */
export const CONTRIBUTOR = 'b24988ac-6180-42a0-ab88-20f7382dd24c';
export const ROLE_BASED_ACCESS_CONTROL_ADMINISTRATOR = 'f58310d9-a9f6-439a-9e8d-f62e7b41a168';

/**
 * What `pulumi up` from the setup workflow needs: everything in the group, and giving away the lab's own roles only. It can't change what
 * those roles hold: role definitions are made by the owner's first `pulumi up`.
 */
export function allowProvisioning(identity: GitHubIdentity, group: pulumi.Output<string>, { roles, settings }: { readonly roles: Roles; readonly settings: Settings }): void {
  const to = { scope: group, principalId: identity.principalId };
  const mine = ROLE_NAMES.filter(role => settings.cluster || !('onlyWithCluster' in ROLES[role])).map(role => roles.guid(role));
  roles.assignBuiltIn('provision-contributor', CONTRIBUTOR, to, identity);
  roles.assignBuiltIn('provision-roles', ROLE_BASED_ACCESS_CONTROL_ADMINISTRATOR, { ...to, condition: onlyRoles(mine) }, identity);
}

export const READER = 'acdd72a7-3385-48ef-bd42-f606fba81ae7';

/** Who writes a machine of a gallery's image has to be able to read that image (Azure: LinkedAuthorizationFailed). */
export function allowReading({ id }: Extract<Image, { kind: 'gallery' }>, readers: readonly GitHubIdentity[], roles: Roles): void {
  const scope = id.replace(/\/images\/.*$/, '');    // the gallery: an image's next version is another resource
  for (const reader of readers) roles.assignBuiltIn(`${reader.environment}-image`, READER, { scope, principalId: reader.principalId }, reader);
}

/** Azure's attribute condition, version 2.0: assignments may be written and deleted when they are of these roles. */
export function onlyRoles(guids: readonly string[]): string {
  const clause = (action: string, source: string): string =>
    `((!(ActionMatches{'Microsoft.Authorization/roleAssignments/${action}'})) OR `
    + `(@${source}[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${guids.join(', ')}}))`;
  return `${clause('write', 'Request')} AND ${clause('delete', 'Resource')}`;
}
