import { isPrivate, parseCidr } from './cidr';
import type { Fields } from './fields';
import { readSize } from './machines';
import type { ClusterSettings } from './settings';

export function readCluster(fields: Fields, location: string): ClusterSettings {
  const prefix = (text: string): number => parseCidr(text)?.prefix ?? -1;
  const cluster = {
    kubernetesVersion: fields.text('kubernetesVersion', 'an exact version such as 1.34.1 (az aks get-versions)', /^1\.\d{2}\.\d{1,2}$/),
    size: readSize(fields, location),
    nodes: fields.whole('nodes', [1, 10], 3),
    podCidr: fields.text('podCidr', 'a private IPv4 range of /19 or larger: every node takes a /24', text => isPrivate(text) && prefix(text) <= 19, '10.244.0.0/16'),
    serviceCidr: fields.text('serviceCidr', 'a private IPv4 range from /12 to /24', text => isPrivate(text) && prefix(text) >= 12 && prefix(text) <= 24, '10.245.0.0/16'),
    apiAllowList: fields.texts('apiAllowList', [0, 50], 'an IPv4 range of /16 or smaller', text => prefix(text) >= 16),
  };
  fields.refuseUnknown();
  return cluster;
}
