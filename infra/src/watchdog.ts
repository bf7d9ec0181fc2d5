import * as logic from '@pulumi/azure-native/logic';
import * as managedidentity from '@pulumi/azure-native/managedidentity';
import * as pulumi from '@pulumi/pulumi';
import type { Settings } from './config/settings';
import { WATCH } from './config/names';
import { pathOf, type Place } from './place';
import type { Roles } from './roles';

export interface WatchdogArgs {
  readonly clusterId: pulumi.Output<string>;
  /** The same, before there is one: so that a preview shows the whole workflow. */
  readonly clusterPath: string;
  readonly settings: Settings;
  readonly place: Place;
  readonly roles: Roles;
}

/**
 * Stops a forgotten cluster, also while GitHub is down: one workflow of Azure's own scheduler, which holds nothing but these few lines
 * (docs/decisions/0013-a-watchdog-outside-of-the-cluster.md).
 */
export class ClusterWatchdog extends pulumi.ComponentResource {
  constructor(name: string, { clusterId, clusterPath, settings, place, roles }: WatchdogArgs, options?: pulumi.ComponentResourceOptions) {
    super('perf-lab:index:ClusterWatchdog', name, {}, options);
    const own = { parent: this };
    const identity = new managedidentity.UserAssignedIdentity(name, { ...place, resourceName: name }, own);
    const role = roles.assign(name, 'cluster-watch', { scope: clusterId, principalId: identity.principalId }, this);
    new logic.Workflow(name, {
      ...place, workflowName: name, state: logic.WorkflowState.Enabled,
      identity: { type: logic.ManagedServiceIdentityType.UserAssigned, userAssignedIdentities: [identity.id] },
      definition: watching(clusterPath, pathOf(settings, 'Microsoft.ManagedIdentity/userAssignedIdentities', name)),
    }, { ...own, dependsOn: [role] });
    this.registerOutputs({});
  }
}

const API = '?api-version=2024-09-01', TIME = 'yyyy-MM-ddTHH:mm:ssZ';

/** The workflow, in Azure's language for them. */
function watching(cluster: string, identity: string) {
  const call = (method: string, path: string) => ({
    type: 'Http', operationOptions: 'DisableAsyncPattern',    // how an operation goes on may not be read with this role
    inputs: { method, uri: `https://management.azure.com${cluster}${path}${API}`, authentication: { type: 'ManagedServiceIdentity', identity, audience: 'https://management.azure.com/' } },
  });
  return {
    $schema: 'https://schema.management.azure.com/providers/Microsoft.Logic/schemas/2016-06-01/workflowdefinition.json#', contentVersion: '1.0.0.0',
    triggers: { hourly: { type: 'Recurrence', recurrence: { frequency: 'Hour', interval: WATCH.everyHours }, runtimeConfiguration: { concurrency: { runs: 1 } } } },
    actions: {
      look: { ...call('GET', ''), runAfter: {} },
      forgotten: {
        type: 'If', runAfter: { look: ['Succeeded'] }, expression: nobodyHolds('look'),
        actions: {
          wait: { type: 'Wait', inputs: { interval: { count: WATCH.againAfterMinutes, unit: 'Minute' } }, runAfter: {} },
          again: { ...call('GET', ''), runAfter: { wait: ['Succeeded'] } },
          still: { type: 'If', runAfter: { again: ['Succeeded'] }, expression: nobodyHolds('again'), actions: { stop: { ...call('POST', '/stop'), runAfter: {} } } },
        },
      },
    },
  };
}

/**
 * It runs, and no lease is live (runner/PerfLab.Lab/Azure/Lease.cs). Times of that form are compared as texts: what is no time fails no
 * comparison, and lies below now or above the longest lease.
 */
function nobodyHolds(look: string) {
  const until = `@last(split(coalesce(body('${look}')?['tags']?['perf-lab:lease'], ''), '/'))`;
  return {
    and: [
      { equals: [`@body('${look}')?['properties']?['powerState']?['code']`, 'Running'] },
      { not: { and: [{ greater: [until, `@utcNow('${TIME}')`] }, { lessOrEquals: [until, `@addHours(utcNow(), 7, '${TIME}')`] }] } },
    ],
  };
}
