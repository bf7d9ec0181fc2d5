import * as managedidentity from '@pulumi/azure-native/managedidentity';
import * as pulumi from '@pulumi/pulumi';
import type { Settings } from './config/settings';
import type { Place } from './place';

export interface IdentityArgs {
  readonly settings: Settings;
  readonly place: Place;
  /** What there must be before anybody can log in. */
  readonly after: { readonly dependsOn: pulumi.Resource[] };
}

/** An identity that only a job of this repository inside one GitHub environment can put on; it has no password at all. */
export class GitHubIdentity extends pulumi.ComponentResource {
  readonly clientId: pulumi.Output<string>;
  readonly principalId: pulumi.Output<string>;

  constructor(name: string, readonly environment: string, { settings, place, after }: IdentityArgs, options?: pulumi.ComponentResourceOptions) {
    super('perf-lab:index:GitHubIdentity', name, {}, options);
    const own = { parent: this };
    const identity = new managedidentity.UserAssignedIdentity(name, { ...place, resourceName: name }, own);
    new managedidentity.FederatedIdentityCredential(name, {
      resourceGroupName: place.resourceGroupName, resourceName: identity.name, federatedIdentityCredentialResourceName: 'github',
      issuer: 'https://token.actions.githubusercontent.com', audiences: ['api://AzureADTokenExchange'],
      subject: `${settings.githubSubject}:environment:${environment}`,    // with ids in it or without, as GitHub says
    }, { ...own, ...after });
    this.clientId = identity.clientId;
    this.principalId = identity.principalId;
    this.registerOutputs({ clientId: this.clientId });
  }
}
