import { z } from 'zod';
import { CLUSTER_NAME } from './names';
import { isPrivate, parseCidr } from './cidr';
import { image } from './image';
import { network, refuseMisfits } from './network';
import { regionProblem, size, smtProblem } from './sizes';
import { HOST_KEYS, publicKey, VM_KEYS } from './ssh-keys';
import { across, list, object, section, text, understood, whole } from './values';

/** Words alone, or words and numbers that never change hands; GitHub says which (infra/bootstrap). Owners that a company manages have a `_`. */
export const SUBJECT = /^repo:([A-Za-z0-9_-]{1,39})(?:@\d{1,15}(?=\/[^@]+@))?\/([A-Za-z0-9._-]{1,100})(?:@\d{1,15})?$/;

const prefix = (text: string): number => parseCidr(text)?.prefix ?? -1;
const guid = (command: string) => text(`a GUID (az account show --query ${command})`, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const privateRange = (hint: string, least: number, most: number) =>
  text(hint, text => isPrivate(text) && prefix(text) >= least && prefix(text) <= most);
const firstOfMonth = text('the first day of a month as YYYY-MM-01, in quotes', /^20\d\d-(0[1-9]|1[0-2])-01$/);
/** How often the reaper looks (infra/costs has what each costs and promises). */
export const PACES = ['30m', '2h', '6h'] as const;
const EMAIL = 'an e-mail address', NARROW = 'an IPv4 range of /16 or smaller';

const machine = across(object({
  /** The name in perf-lab.yaml, the name of its scale set and the beginning of its host name: Azure puts up to 9 characters after it. */
  name: text('a name: lower-case letters, digits and dashes, at most 54, a letter first', /^[a-z]([a-z0-9-]{0,52}[a-z0-9])?$/),
  size,
  /** 1 turns simultaneous multithreading off and halves the vCPUs at the same price; absent leaves it as the size has it. */
  vcpusPerCore: whole(1, 2).optional(),
  diskGiB: whole(32, 1024).default(64),
}), (it, refuse) => {
  const problem = it.vcpusPerCore === 1 && it.size ? smtProblem(it.size) : undefined;
  if (problem) refuse('size', problem);
});

const metal = object({
  /** What `infra/machine/metal-agent.sh` takes: GitHub shows it as the runner's label. */
  name: text('a name: lower-case letters, digits and dashes, 2 to 31, a letter first', /^[a-z][a-z0-9-]{0,29}[a-z0-9]$/),
  host: text('a host name or an address', /^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$/),
  port: whole(1, 65_535).default(22),
  user: text('a user with passwordless sudo, and not root', /^(?!root$)[a-z_][a-z0-9_-]{0,30}$/),
  /** One line `<type> <base64>`, as in known_hosts after the host's name. */
  hostKey: publicKey(HOST_KEYS, 'the host\'s own public key (ssh-keyscan, compared at its console); without it nobody knows who answers'),
});

const cluster = object({
  kubernetesVersion: text('an exact version such as 1.34.1 (az aks get-versions)', /^1\.\d{2}\.\d{1,2}$/),
  size,
  /** Most nodes in each of the two pools. */
  nodes: whole(1, 10).default(3),
  /** Azure takes no date before the month in which a budget is made: a cluster that comes later has its own. */
  budgetStart: firstOfMonth.optional(),
  podCidr: privateRange('a private IPv4 range of /19 or larger: every node takes a /24', 0, 19).default('10.244.0.0/16'),
  serviceCidr: privateRange('a private IPv4 range from /12 to /24', 12, 24).default('10.245.0.0/16'),
  /** Ranges that may reach a public API server; empty means that it is private. */
  apiAllowList: list(text(NARROW, text => prefix(text) >= 16), [0, 50], `entries, each ${NARROW}`).default([]),
});

/** The repository's own settings; without it they are made by hand. */
const github = object({
  /** Its default branch: the only one whose jobs may enter the environments. */
  branch: text('a branch\'s name without wildcards', /^[A-Za-z0-9._-][A-Za-z0-9._/-]{0,99}$/).default('main'),
  /** Numbers of the people who let a change of the lab through; GitHub takes six, and none in a private repository below Enterprise. */
  reviewers: list(whole(1, 2 ** 53 - 1), [0, 6], 'numbers of people (gh api users/NAME --jq .id)'),
  reaper: text(`one of ${PACES.join(', ')}`, value => (PACES as readonly string[]).includes(value)).default('30m'),
  /** What `pulumi login` is given. */
  stateUrl: understood((value, refuse) => typeof value === 'string' && /^[a-z0-9]+:\/\/[^\s@]{1,400}$/.test(value) ? value
    : refuse('what pulumi login is given is wanted, such as azblob://state?storage_account=NAME, without a password (its value is not shown)')),
});

/** Which optional parts the stack file has, and which of its keys are stored encrypted. */
export interface Parts { readonly cluster: boolean; readonly metal: boolean; readonly secrets: ReadonlySet<string> }

/** Looked at here, never shown, and left out of `Settings`. */
const secret = ({ metal, secrets }: Parts, key: string, valid: RegExp, hint: string, missing?: string) => {
  const store = `pulumi config set --secret ${key}`;
  return z.preprocess((value = null) => value, z.unknown().superRefine((value, ctx) => {
    if (value === null) { if (metal && missing) ctx.addIssue(`missing (${missing}; ${store})`); }
    else if (!metal) ctx.addIssue('of no use without metal');
    else if (!secrets.has(key)) ctx.addIssue(`stored in the clear: ${store}, then replace what it held, which is spent`);
    else if (typeof value !== 'string' || !valid.test(value)) ctx.addIssue(`not ${hint} (its value is not shown)`);
  }));
};

/** What people write into a stack file; Pulumi.sample.yaml explains every key. */
export const stackFile = (parts: Parts) => across(object({
  tenantId: guid('tenantId'),
  subscriptionId: guid('id'),
  location: text('an Azure region such as westeurope', /^[a-z0-9]{3,30}$/),
  /** Start of the `sub` claim of GitHub's tokens, e.g. `repo:octocat@123456/my-repo@456789`. */
  githubSubject: text('the start of the token\'s subject: repo:OWNER/NAME or repo:OWNER@ID/NAME@ID, whichever GitHub says', SUBJECT),
  /** The App that registers runners; its numbers are on its settings page. */
  githubApp: section({ id: whole(1, 2 ** 40), installation: whole(1, 2 ** 40) }),
  sshPublicKey: publicKey(VM_KEYS, 'a public key whose private half nobody keeps'),
  image,
  network: network(parts.cluster),
  machines: list(machine, [1, 10], 'machines'),
  shutdown: section({
    /** Local time of day. */
    time: text('a time of day as HHmm, in quotes', /^([01]\d|2[0-3])[0-5]\d$/).default('0300'),
    timeZone: text('a Windows time zone name such as UTC or W. Europe Standard Time', /^[A-Z][A-Za-z0-9 .+()-]{2,60}$/).default('UTC'),
  }),
  budget: section({
    /** Per month, in the currency of the subscription. */
    amount: whole(1, 100_000),
    start: firstOfMonth,
    emails: list(text(EMAIL, /^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/), [1, 10], `entries, each ${EMAIL}`),
  }),
  vaultName: text('3 to 24 lower-case letters, digits and single dashes, a letter first',
    /^[a-z](?!.*--)[a-z0-9-]{1,22}[a-z0-9]$/).optional(),
  metal: metal.optional(),
  metalPrivateKey: secret(parts, 'metalPrivateKey', /^-----BEGIN (?!ENCRYPTED)[A-Z ]*PRIVATE KEY-----\n/,
    'a private key without passphrase: -----BEGIN … PRIVATE KEY----- and what follows', 'the key that logs in to the metal agent'),
  metalRunnerToken: secret(parts, 'metalRunnerToken', /^[A-Z0-9]{20,100}\n?$/,
    'a registration token, or one to remove: 20 to 100 capital letters and digits'),
  cluster: cluster.optional(),
  github: github.optional(),
}), (it, refuse) => {
  const machines = it.machines ?? [];
  const region = (path: string, size: string | undefined): void => {
    const problem = size && it.location ? regionProblem(size, it.location) : undefined;
    if (problem) refuse(path, problem);
  };
  machines.forEach((machine, i) => region(`machines.${i}.size`, machine?.size));
  region('cluster.size', it.cluster?.size);
  const names = [...machines, it.metal].flatMap(machine => machine?.name ?? []);
  for (const name of names.filter((name, i) => names.indexOf(name) !== i)) {
    refuse('machines', `"${name}" is there twice; every machine, the metal one too, has its own name`);
  }
  for (const [i, one] of names.entries()) {
    // What Azure makes for a machine begins with the machine's name: so nobody's may begin with another's.
    const longer = names.find((other, j) => j !== i && other.startsWith(`${one}-`));
    if (longer) refuse('machines', `"${longer}" begins with "${one}-", the name of another machine: what belongs to which could not be told apart`);
  }
  if (it.cluster && names.includes(CLUSTER_NAME)) {
    refuse('machines', `"${CLUSTER_NAME}" is the cluster's name; beside one a machine has another`);
  }
  refuseMisfits(it.network ?? {}, it.cluster, refuse);
});

type StackFile = z.output<ReturnType<typeof stackFile>>;
export type MachineSettings = StackFile['machines'][number];
export type MetalSettings = z.output<typeof metal>;
export type ClusterSettings = z.output<typeof cluster>;
export type GitHubSettings = z.output<typeof github>;

/** What a stack is, after its configuration was checked. */
export interface Settings extends Readonly<Omit<StackFile, 'metalPrivateKey' | 'metalRunnerToken'>> {
  readonly stack: string;
  /** `https://github.com/OWNER/NAME`, as the subject names it. */
  readonly repository: string;
  readonly vaultName: string;
}
