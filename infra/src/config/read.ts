import { createHash } from 'node:crypto';
import { CLUSTER_NAME } from '../names';
import { readBudget } from './budget';
import { readCluster } from './cluster';
import { Fields } from './fields';
import { readImage } from './image';
import { readMachines } from './machines';
import { readMetal } from './metal';
import { readNetwork } from './network';
import { REGION } from './sizes';
import { readPublicKey, VM_KEYS } from './ssh-keys';
import type { Settings, Shutdown } from './settings';

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Repositories made before 2026-06-18 are named by words alone, later ones by words and numbers that never change hands. */
const SUBJECT = /^repo:([A-Za-z0-9-]{1,39})(?:@\d{1,15}(?=\/[^@]+@))?\/([A-Za-z0-9._-]{1,100})(?:@\d{1,15})?$/;

/** Values as the stack file has them (objects already parsed); `secrets` are the keys that are stored encrypted. */
export interface RawConfig { readonly values: Readonly<Record<string, unknown>>; readonly secrets: ReadonlySet<string> }

/** Checks everything before anything is made. The settings are only worth something when there are no problems. */
export function readSettings(stack: string, raw: RawConfig): { readonly settings: Settings; readonly problems: readonly string[] } {
  const problems: string[] = [], top = new Fields('', raw.values, problems);
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(stack)) problems.push(`the stack's name: "${stack.slice(0, 80)}" is not lower-case letters, digits and dashes, at most 31, a letter first`);
  const subscriptionId = top.text('subscriptionId', 'a GUID (az account show --query id)', GUID);
  const location = top.text('location', 'an Azure region such as westeurope', REGION);
  const githubSubject = top.text('githubSubject', 'the start of the token\'s subject: repo:OWNER/NAME or, since June 2026, repo:OWNER@ID/NAME@ID', SUBJECT);
  const cluster = top.has('cluster') ? readCluster(top.object('cluster'), location) : undefined;
  const metal = readMetal(top, raw.secrets);
  const settings: Settings = {
    stack, subscriptionId, location, githubSubject,
    tenantId: top.text('tenantId', 'a GUID (az account show --query tenantId)', GUID),
    repository: githubSubject.replace(SUBJECT, 'https://github.com/$1/$2'),
    githubApp: readApp(top.object('githubApp')),
    sshPublicKey: readPublicKey(top, 'sshPublicKey', { hint: 'a public key whose private half nobody keeps', types: VM_KEYS }),
    image: readImage(top),
    network: readNetwork(top.object('network'), cluster),
    machines: readMachines(top, location),
    shutdown: readShutdown(top.object('shutdown')),
    budget: readBudget(top.object('budget')),
    vaultName: top.text('vaultName', '3 to 24 lower-case letters, digits and single dashes, a letter first', /^[a-z](?!.*--)[a-z0-9-]{1,22}[a-z0-9]$/, vaultName(subscriptionId, stack)),
    ...(metal ? { metal } : {}),
    ...(cluster ? { cluster } : {}),
  };
  const names = [...settings.machines, ...(metal ? [metal] : [])].map(machine => machine.name).filter(name => name !== '');
  names.filter((name, i) => names.indexOf(name) !== i).forEach(name => top.refuse('machines', `"${name.slice(0, 80)}" is there twice; every machine, the metal one too, has its own name`));
  if (cluster && names.includes(CLUSTER_NAME)) top.refuse('machines', `"${CLUSTER_NAME}" is the cluster's name; beside one a machine has another`);
  top.refuseUnknown();
  return { settings, problems };
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

/** Key vault names are unique in the whole world: the hash keeps two labs apart. */
function vaultName(subscriptionId: string, stack: string): string {
  const hash = createHash('sha256').update(`${subscriptionId}/${stack}`).digest('hex');
  return `plab-${stack.slice(0, 10).toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/-+$/, '')}-${hash.slice(0, 8)}`;
}
