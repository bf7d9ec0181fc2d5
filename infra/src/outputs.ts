import { readPrices } from '../costs/costs';
import type { Lab } from './lab';
import { CLUSTER_NAME } from './config/names';

/** The stack's outputs: exactly the members of lab.json (docs/internals/formats.md, schemas/lab.schema.json). None of them is a secret. */
export function outputs(lab: Lab) {
  const { settings } = lab, { shutdown, metal, githubApp } = settings, { prices } = readPrices();
  const identity = ({ clientId, environment }: Lab['power']) => ({ clientId, environment });
  return {
    schema: 'perf-lab/lab/1',
    stack: settings.stack,
    tenantId: settings.tenantId,
    subscriptionId: settings.subscriptionId,
    resourceGroup: lab.groupName,
    location: settings.location,
    shutdown: { time: shutdown.time, timeZone: shutdown.timeZone },
    identities: { power: identity(lab.power), sign: identity(lab.signer), provision: identity(lab.setup) },
    githubApp: { id: githubApp.id, installation: githubApp.installation, key: lab.appKey.keyUri },
    machines: [
      ...lab.machines.map(({ name, size, id }) => ({ name, kind: 'azure', size, id, pricePerHour: prices[size]?.price ?? null })),
      ...(metal ? [{ name: metal.name, kind: 'metal', host: metal.host, port: metal.port, user: metal.user, hostKey: metal.hostKey }] : []),
    ],
    cluster: lab.cluster ? { name: CLUSTER_NAME, id: lab.cluster.clusterId, size: lab.cluster.size, nodes: lab.cluster.nodes, pools: { measured: 'sut', load: 'load' } } : null,
  };
}
