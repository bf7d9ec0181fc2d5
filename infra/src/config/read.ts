import { createHash } from 'node:crypto';
import { contains, isPrivate, overlap, parseCidr } from './cidr';
import { Fields } from './fields';
import { parseImage } from './image';
import { DEFAULT_SIZE, sizeProblem } from './sizes';
import { publicKeyProblem } from './ssh-keys';
import type { BudgetSettings, ClusterSettings, Image, MachineSettings, MetalSettings, Network, Settings, Shutdown } from './settings';

export const MOST_MACHINES = 10;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Also the VM's and the host's name: at most 63 characters of a DNS label, and Azure's 64 is one more. */
const NAME = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
const NAME_HINT = 'lower-case letters, digits and dashes, at most 63, a letter first';
const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/;

/** Values as the stack file has them (objects already parsed); `secrets` are the keys that are stored encrypted. */
export interface RawConfig { readonly values: Readonly<Record<string, unknown>>; readonly secrets: ReadonlySet<string> }

/** Checks everything before anything is made: either settings, or every problem at once. */
export function readSettings(stack: string, raw: RawConfig): { readonly settings: Settings; readonly problems: readonly string[] } {
  const problems: string[] = [], top = new Fields('', raw.values, problems);
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(stack)) problems.push(`the stack's name: "${stack.slice(0, 80)}" is not lower-case letters, digits and dashes, at most 31, a letter first`);
  const subscriptionId = top.text('subscriptionId', 'a GUID (az account show --query id)', GUID);
  const location = top.text('location', 'an Azure region such as westeurope', /^[a-z0-9]{3,30}$/);
  const cluster = top.has('cluster') ? readCluster(top.object('cluster'), location) : undefined;
  const metal = readMetal(top, raw.secrets);
  const settings: Settings = {
    stack, subscriptionId, location,
    tenantId: top.text('tenantId', 'a GUID (az account show --query tenantId)', GUID),
    githubSubject: top.text('githubSubject', 'the start of the token\'s subject: repo:OWNER/NAME or, since June 2026, repo:OWNER@ID/NAME@ID',
      /^repo:[A-Za-z0-9._@-]{1,80}\/[A-Za-z0-9._@-]{1,120}$/),
    githubApp: readApp(top.object('githubApp')),
    sshPublicKey: readKey(top, 'sshPublicKey', 'a public key whose private half nobody keeps'),
    image: readImage(top),
    network: readNetwork(top.object('network', {}), cluster),
    machines: readMachines(top, location),
    shutdown: readShutdown(top.object('shutdown', {})),
    budget: readBudget(top.object('budget')),
    vaultName: top.text('vaultName', '3 to 24 letters, digits and dashes, a letter first', /^[a-z](?!.*--)[a-z0-9-]{1,22}[a-z0-9]$/, vaultName(subscriptionId, stack)),
    ...(metal ? { metal } : {}),
    ...(cluster ? { cluster } : {}),
  };
  const names = [...settings.machines.map(m => m.name), ...(metal ? [metal.name] : [])];
  names.filter((name, i) => names.indexOf(name) !== i).forEach(name => problems.push(`machines: "${name.slice(0, 80)}" is there twice`));
  top.refuseUnknown();
  return { settings, problems };
}

function readMachines(top: Fields, location: string): MachineSettings[] {
  return top.list('machines', [1, MOST_MACHINES], 'machines').map((entry, i) => {
    const fields = Fields.of(`machines[${i}]`, entry, top.problems);
    const vcpusPerCore = fields.has('vcpusPerCore') ? fields.whole('vcpusPerCore', [1, 2]) as 1 | 2 : undefined;
    const machine: MachineSettings = {
      name: fields.text('name', NAME_HINT, NAME),
      size: readSize(fields, location, vcpusPerCore),
      diskGiB: fields.whole('diskGiB', [32, 1024], 64),
      ...(vcpusPerCore ? { vcpusPerCore } : {}),
    };
    fields.refuseUnknown();
    return machine;
  });
}

function readSize(fields: Fields, location: string, vcpusPerCore?: number): string {
  const size = fields.text('size', 'a VM size', /./, DEFAULT_SIZE), problem = sizeProblem(size, location, vcpusPerCore);
  if (problem) fields.refuse('size', problem);
  return size;
}

function readKey(fields: Fields, key: string, hint: string): string {
  const line = fields.text(key, hint, () => true);
  const problem = line === '' ? undefined : publicKeyProblem(line);
  if (problem) fields.refuse(key, problem);
  return line.trim().split(/ +/).slice(0, 2).join(' ');
}

function readImage(top: Fields): Image {
  const text = top.text('image', 'Publisher:offer:sku:version, or the id of a gallery image version', () => true);
  const image = parseImage(text);
  if (typeof image !== 'string') return image;
  if (text !== '') top.refuse('image', image);
  return { kind: 'gallery', id: '' };
}

function readNetwork(fields: Fields, cluster: ClusterSettings | undefined): Network {
  const cidr = (key: string, fallback: string): string =>
    fields.text(key, 'a private IPv4 range such as 10.90.0.0/16, without host bits', text => isPrivate(text), fallback);
  const network = { addressSpace: cidr('addressSpace', '10.90.0.0/16'), machines: cidr('machines', '10.90.0.0/24'), cluster: cidr('cluster', '10.90.4.0/22') };
  fields.refuseUnknown();
  for (const key of ['machines', 'cluster'] as const) {
    if (!contains(network.addressSpace, network[key])) fields.refuse(key, `"${network[key]}" is not inside addressSpace "${network.addressSpace}"`);
    if ((parseCidr(network[key])?.prefix ?? 0) > 28) fields.refuse(key, `"${network[key]}" is too small; /28 is the smallest`);
  }
  const used: (readonly [string, string])[] = [['machines', network.machines], ['cluster', network.cluster]];
  if (cluster) used.push(['cluster.podCidr', cluster.podCidr], ['cluster.serviceCidr', cluster.serviceCidr]);
  used.forEach(([name, range], i) => used.slice(i + 1).forEach(([other, otherRange]) => {
    if (overlap(range, otherRange)) fields.problems.push(`network: ${name} "${range}" overlaps ${other} "${otherRange}"`);
  }));
  return network;
}

function readShutdown(fields: Fields): Shutdown {
  const shutdown = {
    time: fields.text('time', 'a time of day as HHmm, in quotes', /^([01]\d|2[0-3])[0-5]\d$/, '0300'),
    timeZone: fields.text('timeZone', 'a Windows time zone name such as UTC or W. Europe Standard Time', /^[A-Z][A-Za-z0-9 .+()-]{2,60}$/, 'UTC'),
  };
  fields.refuseUnknown();
  return shutdown;
}

function readApp(fields: Fields): Settings['githubApp'] {
  const app = { id: fields.whole('id', [1, 2 ** 40]), installation: fields.whole('installation', [1, 2 ** 40]) };
  fields.refuseUnknown();
  return app;
}

function readBudget(fields: Fields): BudgetSettings {
  const budget = {
    amount: fields.whole('amount', [1, 100_000]),
    start: fields.text('start', 'the first day of a month as YYYY-MM-01, in quotes', /^20\d\d-(0[1-9]|1[0-2])-01$/),
    emails: fields.texts('emails', [1, 10], 'an e-mail address', text => EMAIL.test(text)),
  };
  fields.refuseUnknown();
  return budget;
}

function readMetal(top: Fields, secrets: ReadonlySet<string>): MetalSettings | undefined {
  const wanted = top.has('metal');
  for (const key of ['metalPrivateKey', 'metalRunnerToken']) {
    if (top.has(key) && !secrets.has(key)) top.refuse(key, `stored in the clear: pulumi config set --secret ${key}, then replace what it held`);
    if (top.has(key) && !wanted) top.refuse(key, 'of no use without metal');
  }
  if (!wanted) return undefined;
  if (!top.has('metalPrivateKey')) top.refuse('metalPrivateKey', 'missing (the key that logs in to the metal agent; pulumi config set --secret metalPrivateKey)');
  const fields = top.object('metal');
  const metal = {
    name: fields.text('name', NAME_HINT, NAME),
    host: fields.text('host', 'a host name or an address', /^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$/),
    port: fields.whole('port', [1, 65_535], 22),
    user: fields.text('user', 'a user name with passwordless sudo for the agent script, not root', text => /^[a-z_][a-z0-9_-]{0,30}$/.test(text) && text !== 'root'),
    hostKey: readKey(fields, 'hostKey', 'the host\'s own public key (ssh-keyscan, compared at its console); without it nobody knows who answers'),
  };
  fields.refuseUnknown();
  return metal;
}

function readCluster(fields: Fields, location: string): ClusterSettings {
  const range = (text: string): boolean => { const cidr = parseCidr(text); return cidr !== undefined && cidr.prefix >= 16; };
  const cluster = {
    kubernetesVersion: fields.text('kubernetesVersion', 'an exact version such as 1.34.1 (az aks get-versions)', /^1\.\d{2}\.\d{1,2}$/),
    size: readSize(fields, location),
    nodes: fields.whole('nodes', [1, 10], 3),
    podCidr: fields.text('podCidr', 'a private IPv4 range', isPrivate, '10.244.0.0/16'),
    serviceCidr: fields.text('serviceCidr', 'a private IPv4 range', isPrivate, '10.245.0.0/16'),
    apiAllowList: fields.texts('apiAllowList', [0, 50], 'an IPv4 range of /16 or smaller', range),
  };
  fields.refuseUnknown();
  return cluster;
}

/** Key vault names are unique in the whole world: the hash keeps two labs apart. */
function vaultName(subscriptionId: string, stack: string): string {
  const hash = createHash('sha256').update(`${subscriptionId}/${stack}`).digest('hex');
  return `plab-${stack.slice(0, 10).replace(/-+$/, '').replace(/--+/g, '-')}-${hash.slice(0, 8)}`;
}
