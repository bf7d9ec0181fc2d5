/** What a stack is, after its configuration was checked. The keys people write are explained in Pulumi.sample.yaml. */
export interface Settings {
  readonly stack: string;
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly location: string;
  /** Start of the `sub` claim of GitHub's tokens, e.g. `repo:octocat@123456/my-repo@456789`. */
  readonly githubSubject: string;
  /** `https://github.com/OWNER/NAME`, as the subject names it. */
  readonly repository: string;
  /** The App that registers runners; its numbers are on its settings page. */
  readonly githubApp: { readonly id: number; readonly installation: number };
  readonly sshPublicKey: string;
  readonly image: Image;
  readonly network: Network;
  readonly machines: readonly MachineSettings[];
  readonly shutdown: Shutdown;
  readonly budget: BudgetSettings;
  readonly vaultName: string;
  readonly metal?: MetalSettings;
  readonly cluster?: ClusterSettings;
}

/** Either a marketplace image or a version in a compute gallery; always one exact version. */
export type Image =
  | { readonly kind: 'marketplace'; readonly publisher: string; readonly offer: string; readonly sku: string; readonly version: string }
  | { readonly kind: 'gallery'; readonly id: string };

/** Address ranges in CIDR notation; `cluster` is there when there is one. */
export interface Network {
  readonly addressSpace: string;
  readonly machines: string;
  readonly cluster?: string;
}

export interface MachineSettings {
  /** The name in perf-lab.yaml, the name of the VM and its host name. */
  readonly name: string;
  readonly size: string;
  /** 1 turns simultaneous multithreading off and halves the vCPUs at the same price; absent leaves it as the size has it. */
  readonly vcpusPerCore?: 1 | 2;
  readonly diskGiB: number;
}

export interface Shutdown {
  /** Local time of day, `HHmm`. */
  readonly time: string;
  /** A Windows time zone name, as Azure wants it. */
  readonly timeZone: string;
}

export interface BudgetSettings {
  /** Per month, in the currency of the subscription. */
  readonly amount: number;
  /** First day of a month, `YYYY-MM-01`. */
  readonly start: string;
  readonly emails: readonly string[];
}

export interface MetalSettings {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** One line `<type> <base64>`, as in known_hosts after the host's name. */
  readonly hostKey: string;
}

export interface ClusterSettings {
  /** major.minor.patch */
  readonly kubernetesVersion: string;
  readonly size: string;
  /** Most nodes in each of the two pools. */
  readonly nodes: number;
  readonly podCidr: string;
  readonly serviceCidr: string;
  /** Ranges that may reach a public API server; empty means that it is private. */
  readonly apiAllowList: readonly string[];
}
