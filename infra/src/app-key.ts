import * as keyvault from '@pulumi/azure-native/keyvault';
import * as pulumi from '@pulumi/pulumi';
import type { Settings } from './config/settings';
import type { GitHubIdentity } from './identity';
import type { Place } from './place';
import type { Roles } from './roles';

export interface AppKeyArgs {
  /** Who may sign. */
  readonly signer: GitHubIdentity;
  readonly settings: Settings;
  readonly place: Place;
  readonly roles: Roles;
}

/** The GitHub App's key: it signs inside the vault and never leaves it. */
export class AppKey extends pulumi.ComponentResource {
  /** Without a version, so that a rotated key is found: `https://<vault>.vault.azure.net/keys/github-app`. */
  readonly keyUri: pulumi.Output<string>;

  constructor(name: string, { signer, settings, place, roles }: AppKeyArgs, options?: pulumi.ComponentResourceOptions) {
    super('perf-lab:index:AppKey', name, {}, options);
    const own = { parent: this };
    const vault = new keyvault.Vault(name, {
      ...place, vaultName: settings.vaultName,
      properties: {
        tenantId: settings.tenantId, sku: { family: keyvault.SkuFamily.A, name: keyvault.SkuName.Standard },
        enableRbacAuthorization: true, enableSoftDelete: true, softDeleteRetentionInDays: 90, enablePurgeProtection: true,
        // Hosted GitHub runners have no fixed addresses: the role on the key is the fence, not the network.
        publicNetworkAccess: 'enabled', networkAcls: { defaultAction: keyvault.NetworkRuleAction.Allow, bypass: keyvault.NetworkRuleBypassOptions.None },
      },
    }, { ...own, protect: true });
    // GitHub makes the App's key and gives it out once; the owner imports it as the next version of this one (docs/internals/infrastructure.md).
    const key = new keyvault.Key(name, {
      resourceGroupName: place.resourceGroupName, tags: place.tags, vaultName: vault.name, keyName: name,
      properties: { kty: keyvault.JsonWebKeyType.RSA, keySize: 2048, keyOps: [keyvault.JsonWebKeyOperation.Sign] },
    }, { ...own, protect: true });
    roles.assign('sign', 'sign', { scope: key.id, principalId: signer.principalId }, this);
    this.keyUri = pulumi.interpolate`https://${settings.vaultName}.vault.azure.net/keys/${name}`;
    this.registerOutputs({ keyUri: this.keyUri });
  }
}
