import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/sample';

/** Debian's own system and what docs/operations.md tells the owner of a host to install; unattended-upgrades, because owners have it. */
const PACKAGES = [
  'systemd', 'systemd-sysv', 'dbus', 'openssh-server', 'sudo', 'iproute2', 'iptables', 'unattended-upgrades',
  'nftables', 'jq', 'curl', 'ca-certificates', 'docker.io', 'libicu72', 'libssl3', 'procps',
];
const OPTIONS = ['--variant=apt', '--skip=check/empty', '--skip=cleanup/apt/lists', '--dpkgopt=path-exclude=/usr/share/doc/*', '--dpkgopt=path-exclude=/usr/share/man/*'];

/** Why no host can be started here; empty when one can. */
export function whyNot(): string {
  if (process.platform !== 'linux') return 'namespaces are Linux\'s';
  if (process.getuid?.() !== 0) return 'not root: a host is booted in namespaces of its own';
  for (const [tool, from] of [['mmdebstrap', 'mmdebstrap'], ['ssh', 'openssh-client'], ['unshare', 'util-linux'], ['ip', 'iproute2']] as const) {
    if (spawnSync('which', [tool]).status !== 0) return `${tool} is not installed: apt-get install ${from}`;
  }
  return '';
}

/** The folder of a Debian root, made once for a list of packages (about a minute) and then kept below .perf-lab. */
export function debianRoot(): string {
  const store = join(ROOT, '.perf-lab/hosts'), name = createHash('sha256').update([...OPTIONS, ...PACKAGES].join('\n')).digest('hex').slice(0, 12);
  const root = join(store, name);
  if (existsSync(root)) return root;
  mkdirSync(store, { recursive: true });
  for (const old of readdirSync(store)) rmSync(join(store, old), { recursive: true, force: true });
  const made = spawnSync('mmdebstrap', [...OPTIONS, `--include=${PACKAGES.join(',')}`, 'bookworm', `${root}.new`], { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (made.status !== 0) throw new Error(`making a Debian root for a host: mmdebstrap ended with ${made.status}:\n${made.stderr.slice(-2000)}`);
  renameSync(`${root}.new`, root);
  return root;
}
