import { contains, isPrivate, overlap, parseCidr } from './cidr';
import type { Fields } from './fields';
import type { ClusterSettings, Network } from './settings';

/** Longest prefixes: ten machines and Azure's own five addresses; twenty nodes, their replacements and the private API server. */
const SMALLEST = { machines: 28, cluster: 26 } as const;

export function readNetwork(fields: Fields, cluster: ClusterSettings | undefined): Network {
  const cidr = (key: string, fallback: string): string => fields.text(key, 'a private IPv4 range such as 10.90.0.0/16, without host bits', isPrivate, fallback);
  const network: Network = {
    addressSpace: cidr('addressSpace', '10.90.0.0/16'),
    machines: cidr('machines', '10.90.0.0/24'),
    ...(cluster ? { cluster: cidr('cluster', '10.90.4.0/22') } : {}),
  };
  if (!cluster && fields.has('cluster')) fields.refuse('cluster', 'of no use without perf-lab:cluster');
  fields.refuseUnknown();
  refuseMisfits(fields, network);
  refuseOverlaps(fields, network, cluster);
  return network;
}

function refuseMisfits(fields: Fields, network: Network): void {
  for (const key of ['machines', 'cluster'] as const) {
    const range = network[key];
    if (!range || !isPrivate(range) || !isPrivate(network.addressSpace)) continue;    // told already
    if (!contains(network.addressSpace, range)) fields.refuse(key, `"${range}" is not inside addressSpace "${network.addressSpace}"`);
    if ((parseCidr(range)?.prefix ?? 0) > SMALLEST[key]) fields.refuse(key, `"${range}" is too small; /${SMALLEST[key]} is the smallest`);
  }
}

/** Pods and services live outside of the network's own addresses. */
function refuseOverlaps(fields: Fields, network: Network, cluster: ClusterSettings | undefined): void {
  if (!cluster || !network.cluster) return;
  const pods = ['cluster.podCidr', cluster.podCidr] as const, services = ['cluster.serviceCidr', cluster.serviceCidr] as const, all = ['addressSpace', network.addressSpace] as const;
  const pairs = [[['machines', network.machines], ['cluster', network.cluster]], [all, pods], [all, services], [pods, services]] as const;
  for (const [[name, range], [other, otherRange]] of pairs) {
    if (overlap(range, otherRange)) fields.refuse(name, `"${range}" overlaps ${other} "${otherRange}"`);
  }
}
