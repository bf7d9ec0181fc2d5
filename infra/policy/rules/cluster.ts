import { each } from './rule';

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

const pools = (props: Readonly<Record<string, unknown>>): readonly Pool[] => (props['agentPoolProfiles'] as Pool[] | undefined) ?? [];

export const CLUSTERS = [closedCluster, identitiesNotSecrets, fixedCluster, idleCostsNothing];
