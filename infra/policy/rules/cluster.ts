import { each, together } from './rule';

const CLUSTER = ['containerservice:ManagedCluster'];
interface Pool { name?: string; mode?: string; minCount?: number; enableAutoScaling?: boolean; kubeletConfig?: { cpuManagerPolicy?: string } }

const closedCluster = each({
  name: 'closed-cluster', severity: 'critical',
  why: 'An API server that everybody reaches is a way in.',
}, CLUSTER, function* ({ props }) {
  const { enablePrivateCluster, authorizedIPRanges } = props['apiServerAccessProfile'] ?? {}, ranges: readonly string[] = authorizedIPRanges ?? [];
  if (enablePrivateCluster !== true && ranges.length === 0) yield 'its API server is open to everybody';
  for (const range of ranges) if (Number(range.split('/')[1] ?? 32) < 16) yield `its API server is open to ${range}`;
  if (props['disableLocalAccounts'] !== true) yield 'it has accounts that no directory knows';
});

const identitiesNotSecrets = each({
  name: 'identities-not-secrets', severity: 'medium',
  why: 'A workload that needs Azure gets an identity, never a password in a file.',
}, CLUSTER, function* ({ props }) {
  if (props['oidcIssuerProfile']?.enabled !== true || props['securityProfile']?.workloadIdentity?.enabled !== true) yield 'workload identity is off';
});

const fixedCluster = each({
  name: 'fixed-cluster', severity: 'medium',
  why: 'Nodes that upgrade themselves, or share their cores, measure themselves.',
}, CLUSTER, function* ({ props }) {
  const { upgradeChannel, nodeOSUpgradeChannel } = props['autoUpgradeProfile'] ?? {};
  if (upgradeChannel !== 'none' || nodeOSUpgradeChannel !== 'None') yield 'it upgrades itself';
  if (!/^\d+\.\d+\.\d+$/.test(props['kubernetesVersion'] ?? '')) yield `its version ${props['kubernetesVersion'] ?? ''} is not exact`;
  for (const pool of pools(props)) if (pool.kubeletConfig?.cpuManagerPolicy !== 'static') yield `the nodes of "${pool.name ?? ''}" share their cores`;
});

const idleCostsNothing = each({
  name: 'idle-cluster-shrinks', severity: 'medium',
  why: 'Six nodes that wait cost as much as six that work.',
}, CLUSTER, function* ({ props }) {
  for (const pool of pools(props)) {
    const least = pool.mode === 'System' ? 1 : 0;    // Azure takes no empty system pool
    if (pool.enableAutoScaling !== true || (pool.minCount ?? Infinity) > least) yield `"${pool.name ?? ''}" keeps more than ${least} node(s) when idle`;
  }
});

const STOP = /^https:\/\/management\.azure\.com\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.ContainerService\/managedClusters\/[^/?]+(\/stop)?\?api-version=[\d-]+$/i;

const watchedCluster = together({
  name: 'watched-cluster',
  why: 'Azure has no daily shutdown for a cluster: a forgotten one runs until somebody outside of it looks. What looks may look and stop, and nobody can call it.',
}, function* (lab) {
  const watching = lab.of('logic:Workflow');
  for (const workflow of watching) {
    const { definition, state } = workflow.props, every = Object.values<Action>(definition?.triggers ?? {});
    if (state !== 'Enabled') yield [workflow, 'it is switched off'];
    if (every.length !== 1 || every[0]?.type !== 'Recurrence' || every[0].recurrence?.frequency !== 'Hour' || (every[0].recurrence.interval ?? Infinity) > 2) yield [workflow, 'it does not look every hour or two, and by nothing else'];
    for (const { type, inputs } of actionsOf(definition?.actions ?? {})) {
      const isCall = type === 'Http' && STOP.test(inputs?.uri ?? '') && inputs?.method === (/\/stop\?/.test(inputs?.uri ?? '') ? 'POST' : 'GET');
      if (!isCall && type !== 'If' && type !== 'Wait') yield [workflow, `it does something else than look and stop: ${type} ${inputs?.method ?? ''} ${inputs?.uri ?? ''}`.trimEnd()];
    }
  }
  for (const cluster of lab.of('containerservice:ManagedCluster')) if (watching.length === 0) yield [cluster, 'nothing outside of it stops it'];
});

interface Action { type?: string; recurrence?: { frequency?: string; interval?: number }; inputs?: { method?: string; uri?: string }; actions?: Record<string, Action>; else?: { actions?: Record<string, Action> } }

const actionsOf = (actions: Readonly<Record<string, Action>>): Action[] => Object.values(actions).flatMap(one => [one, ...actionsOf(one.actions ?? {}), ...actionsOf(one.else?.actions ?? {})]);

const pools = (props: Readonly<Record<string, unknown>>): readonly Pool[] => (props['agentPoolProfiles'] as Pool[] | undefined) ?? [];

export const CLUSTERS = [closedCluster, identitiesNotSecrets, fixedCluster, idleCostsNothing, watchedCluster];
