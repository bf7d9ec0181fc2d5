import { z } from 'zod';
import { contains, isPrivate, overlap, parseCidr } from './cidr';
import { section, text } from './values';

/** Longest prefixes: ten machines and Azure's own five addresses; twenty nodes, their replacements and the private API server. */
const SMALLEST = { machines: 28, cluster: 26 } as const;

const range = text('a private IPv4 range such as 10.90.0.0/16, without host bits', isPrivate);

/** Address ranges; the subnet `cluster` is there when there is one. */
export const network = (hasCluster: boolean) => section({
  addressSpace: range.default('10.90.0.0/16'),
  machines: range.default('10.90.0.0/24'),
  cluster: hasCluster ? range.default('10.90.4.0/22') : z.undefined({ error: 'of no use without perf-lab:cluster' }).optional(),
});

interface Ranges { readonly addressSpace?: string; readonly machines?: string; readonly cluster?: string | undefined }
interface ClusterRanges { readonly podCidr?: string; readonly serviceCidr?: string }

/** Subnets lie inside of the network and are large enough; pods and services live outside of it; nothing overlaps. */
export function refuseMisfits(network: Ranges, cluster: ClusterRanges | undefined, refuse: (path: string, why: string) => void): void {
  const { addressSpace } = network;
  for (const key of ['machines', 'cluster'] as const) {
    const range = network[key], prefix = parseCidr(range ?? '')?.prefix ?? 0, smallest = SMALLEST[key];
    const isInside = !range || !addressSpace || contains(addressSpace, range);
    if (!isInside) refuse(`network.${key}`, `"${range}" is not inside addressSpace "${addressSpace}"`);
    if (prefix > smallest) refuse(`network.${key}`, `"${range}" is too small; /${smallest} is the smallest`);
  }
  if (!cluster) return;
  const ranges = {
    'network.addressSpace': addressSpace, 'network.machines': network.machines, 'network.cluster': network.cluster,
    'cluster.podCidr': cluster.podCidr, 'cluster.serviceCidr': cluster.serviceCidr,
  };
  const apart = (one: keyof typeof ranges, other: keyof typeof ranges): void => {
    const [range, second] = [ranges[one], ranges[other]];
    if (range && second && overlap(range, second)) refuse(one, `"${range}" overlaps ${other} "${second}"`);
  };
  apart('network.machines', 'network.cluster');
  apart('network.addressSpace', 'cluster.podCidr');
  apart('network.addressSpace', 'cluster.serviceCidr');
  apart('cluster.podCidr', 'cluster.serviceCidr');
}
