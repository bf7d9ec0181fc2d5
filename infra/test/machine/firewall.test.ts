// The firewall's rules, loaded into a kernel and tried: three network namespaces (firewall), real users, real connections. Played: Azure's platform, by a listener
// on both of its addresses.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isNightly } from '../host/root';
import { ROOT } from '../support/sample';

const RULES = readFileSync(join(ROOT, 'infra/machine/files/etc/nftables.d/perf-lab.nft'), 'utf8');
const METADATA = '169.254.169.254', WIRE = '168.63.129.16', OTHER = '10.77.2.1', PORTS = ['53', '80', '32526'];

function whyNot(): string {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'not root: rules are loaded in network namespaces of their own';
  for (const [tool, from] of [['/usr/sbin/nft', 'nftables'], ['ip', 'iproute2'], ['unshare', 'util-linux'], ['nsenter', 'util-linux']] as const) {
    if (spawnSync('which', [tool], { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } }).status !== 0) return `${tool} is not installed: apt-get install ${from}`;
  }
  const allowed = spawnSync('unshare', ['--net', '--mount', '/usr/sbin/nft', 'list', 'tables'], { encoding: 'utf8' });
  return allowed.status === 0 ? '' : `this sandbox lets nobody load firewall rules: ${allowed.stderr}`;
}

let folder = '';
beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'perf-lab-nft-')); chmodSync(folder, 0o755); });
afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

/** Who reaches what: `with lab-runner 169.254.169.254 80` → open or closed. */
function tried(rules: string): ReadonlyMap<string, string> {
  const at = (name: string, text: string): string => { writeFileSync(join(folder, name), text); return join(folder, name); };
  const users = at('passwd', ['root:x:0:0::/root:/bin/bash', 'lab-runner:x:4001:65534::/:/bin/false', 'perf-lab-watch:x:4002:65534::/:/bin/false', ''].join('\n'));
  const listener = at('listener.cjs', 'for (const port of process.argv.slice(2)) require("node:net").createServer(one => one.end()).listen(Number(port), "0.0.0.0");');
  const { status, stdout, stderr } = spawnSync('unshare', ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', join(__dirname, 'firewall'), at('rules.nft', rules), users, process.execPath, listener], {
    encoding: 'utf8', timeout: 120_000, env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  });
  if (status !== 0) throw new Error(`the walk ended with ${status}: ${stderr}${stdout}`);
  return new Map(stdout.trim().split('\n').map(line => [line.replace(/ \w+$/, ''), line.split(' ').at(-1)!]));
}

/** What docs/security.md promises: the metadata service is closed to a container. */
function broken(seen: ReadonlyMap<string, string>): string[] {
  const wants: [string, boolean][] = [];
  for (const who of ['root', 'perf-lab-watch', 'lab-runner', 'container']) {
    for (const port of PORTS) {
      for (const address of [METADATA, WIRE, OTHER]) wants.push([`without ${who} ${address} ${port}`, true]);    // or "closed" would say nothing
      wants.push([`with ${who} ${OTHER} ${port}`, true]);
      wants.push([`with ${who} ${METADATA} ${port}`, who === 'root' || who === 'perf-lab-watch']);
      wants.push([`with ${who} ${WIRE} ${port}`, who === 'root' || (who !== 'container' && port === '53')]);
    }
  }
  return wants.filter(([what, open]) => seen.get(what) !== (open ? 'open' : 'closed')).map(([what, open]) => `${what} is ${seen.get(what)}, not ${open ? 'open' : 'closed'}`);
}

const reason = whyNot();
if (reason) console.log(`skipped, the firewall in a namespace: ${reason}`);
else if (!isNightly) console.log('skipped, broken firewalls: half a minute; ./perf-lab test --all runs them');

describe.skipIf(reason)('the firewall of a machine', { timeout: 150_000 }, () => {
  it('lets root and the watchdog ask the metadata service, everybody a name, and a container neither', () => { expect(broken(tried(RULES))).toEqual([]); });

  it.skipIf(!isNightly).each<[string, string, string, RegExp]>([
    ['without its rule for containers', '    ip daddr @platform counter drop\n', '', /with container 169\.254\.169\.254/],
    ['without its rule for the wire server', RULES.split('\n').find(line => line.includes('tcp dport { 80, 32526 }'))!, '', /with lab-runner 168\.63\.129\.16 80 is open/],
    ['without its rule for the metadata service', RULES.split('\n').find(line => line.includes('169.254.169.254 meta skuid'))!, '', /with lab-runner 169\.254\.169\.254 80 is open/],
    ['with one platform address less', ', 168.63.129.16 }', ' }', /with container 168\.63\.129\.16/],
    ['that lets the job\'s user ask, too', '{ root, perf-lab-watch }', '{ root, perf-lab-watch, lab-runner }', /with lab-runner 169\.254\.169\.254 80 is open/],
    ['that keeps the watchdog out', '{ root, perf-lab-watch }', '{ root }', /with perf-lab-watch 169\.254\.169\.254 80 is closed/],
    ['that takes names away', 'tcp dport { 80, 32526 }', 'tcp dport { 53, 80, 32526 }', /with lab-runner 168\.63\.129\.16 53 is closed/],
  ])('%s would be found', (_, right, wrong, found) => {
    expect(RULES).toContain(right);
    expect(broken(tried(RULES.replace(right, wrong)))).toEqual(expect.arrayContaining([expect.stringMatching(found)]));
  });
});
