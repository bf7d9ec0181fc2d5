import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/sample';

/** Debian's own system and what docs/operations.md tells the owner of a host to install; unattended-upgrades, because owners have it. */
const PACKAGES = [
  'systemd', 'systemd-sysv', 'dbus', 'openssh-server', 'sudo', 'iproute2', 'iptables', 'unattended-upgrades',
  'nftables', 'jq', 'curl', 'ca-certificates', 'docker.io', 'libicu72', 'libssl3', 'procps',
];
/** What not-ready.test.ts takes away is kept as packages: a host has no network, and apt is to bring it back by the line that the agent prints. */
const KEEP = 'chroot "$1" sh -c "cd /srv && apt-get download nftables jq libicu72 >&2"';
const OPTIONS = ['--skip=check/empty', '--skip=cleanup/apt/lists', '--dpkgopt=path-exclude=/usr/share/doc/*', '--dpkgopt=path-exclude=/usr/share/man/*'];

/** `./perf-lab test --all`, which CI runs each night. */
export const isNightly = process.env['PERF_LAB_TEST_ALL'] === '1';

/** Why a test that takes some minutes is left out; empty when it runs. */
export const whyNotAll = (): string => whyNot() || (isNightly ? '' : 'takes some minutes; ./perf-lab test --all runs it');

/** Why no host can be started here; empty when one can. */
export function whyNot(): string {
  if (process.platform !== 'linux') return 'namespaces are Linux\'s';
  if (process.getuid?.() !== 0) return 'not root: a host is booted in namespaces of its own';
  for (const [tool, from] of [['mmdebstrap', 'mmdebstrap'], ['ssh', 'openssh-client'], ['unshare', 'util-linux'], ['ip', 'iproute2']] as const) {
    if (spawnSync('which', [tool]).status !== 0) return `${tool} is not installed: apt-get install ${from}`;
  }
  return '';
}

/** A root by its packages; `store` is its folder below .perf-lab. */
export interface Debian { readonly release: string; readonly options: readonly string[]; readonly packages: readonly string[]; readonly store: string }

const HOST: Debian = { release: 'bookworm', options: ['--variant=apt', `--customize-hook=${KEEP}`], packages: PACKAGES, store: 'hosts' };

/** The folder of a Debian root, made once for a list of packages (about a minute) and then kept below .perf-lab. */
export function debianRoot({ release, options: own, packages, store: place }: Debian = HOST): string {
  const options = [...OPTIONS, ...own, `--include=${packages.join(',')}`], store = join(ROOT, '.perf-lab', place);
  const root = join(store, createHash('sha256').update([release, ...options].join('\n')).digest('hex').slice(0, 12));
  mkdirSync(store, { recursive: true });
  // One maker at a time; what was made for another list goes.
  const make = 'test -d "$0" && touch "$0" && exit; find "$(dirname "$0")" -mindepth 1 -maxdepth 1 ! -name lock -exec rm -rf {} +; mmdebstrap "${@:2}" "$1" "$0.new" && mv "$0.new" "$0"';
  const made = spawnSync('flock', [join(store, 'lock'), 'bash', '-c', make, root, release, ...options], { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (made.status !== 0) throw new Error(`making a Debian root for a host: mmdebstrap ended with ${made.status}:\n${made.stderr.slice(-2000)}`);
  return root;
}
