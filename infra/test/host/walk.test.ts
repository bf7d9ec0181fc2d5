// A bare-metal agent on a host that is as real as it gets without one: Debian 12 with its own systemd as process 1, sshd, sudo, Docker, nftables, in namespaces of
// its own. What it is sent is what the program asks Pulumi to send (agent.ts). Played: GitHub's runner (runner/: a listener, a worker and config.sh as recorded),
// Pulumi's engine, and four of the kernel's settings, because the kernel is this machine's own (boot).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Agent, OURS, REMOVAL } from './agent';
import { Host } from './host';
import { debianRoot, whyNot } from './root';

const reason = whyNot();
if (reason) console.log(`skipped, a metal agent on a host: ${reason}`);

describe.skipIf(reason)('a_metal_agent_on_a_host', { timeout: 240_000 }, () => {
  let host: Host, agent: Agent, before: string;
  const state = (): string => host.ask(`
    for unit in apt-daily.timer apt-daily-upgrade.timer unattended-upgrades.service fstrim.timer; do printf '%s %s %s\\n' "$unit" "$(systemctl is-enabled $unit)" "$(systemctl is-active $unit)"; done
    for key in kernel.randomize_va_space kernel.nmi_watchdog kernel.numa_balancing vm.swappiness; do sysctl $key; done
    nft list tables | grep perf-lab; find /etc/systemd/system /etc/docker /etc/sysctl.d /etc/perf-lab /etc/nftables.d /usr/local/lib /var/lib/perf-lab /run/perf-lab 2>/dev/null | LC_ALL=C sort
    cat /etc/docker/daemon.json; grep -c -e lab-runner -e perf-lab-watch /etc/passwd; true`);

  beforeAll(async () => {
    host = new Host(debianRoot(), `echo '{ "data-root": "/var/lib/docker", "debug": true }' >/etc/docker/daemon.json`);
    agent = new Agent(host);
    await host.up();
    agent.giveRunner();
    before = state();
  }, 600_000);
  afterAll(async () => { await host?.stop(); });

  it('is_installed_and_registered', async () => {
    const { code, output } = await agent.up();
    expect([code, output]).toEqual([0, expect.stringContaining('metal-agent: registered')]);
    expect(host.ask('systemctl is-active perf-lab-firewall perf-lab-quiet perf-lab-reset perf-lab-after-job.path perf-lab-metal-runner docker | sort -u')).toBe('active');
    expect(host.ask('systemctl is-enabled apt-daily.timer unattended-upgrades.service || true').split('\n')).toEqual(['masked', 'masked']);
    expect(JSON.parse(host.ask('cat /etc/docker/daemon.json'))).toMatchObject({ 'data-root': '/var/lib/docker', debug: true, 'cgroup-parent': 'perf-lab-workload.slice', icc: false });
    expect(host.ask('docker info --format "{{.LiveRestoreEnabled}} {{.LoggingDriver}}"')).toBe('true local');
  });

  it('takes_a_job_of_the_lab_and_reboots_after_it_with_a_fresh_user', async () => {
    await agent.job('one', OURS, 'success id -un >/tmp/who', 'success touch ~/left');
    await host.up(2);
    expect(host.ask('cat /opt/actions-runner/ended/one; ls -A /home/lab-runner | grep -c left || true').split('\n')).toEqual(['succeeded', '0']);
    expect(host.ask('systemctl is-active perf-lab-firewall perf-lab-quiet perf-lab-reset perf-lab-metal-runner docker | sort -u')).toBe('active');
  });

  it('is_removed_and_the_host_is_what_it_was', async () => {
    const { code, output } = await agent.destroy(REMOVAL);
    expect([code, output]).toEqual([0, expect.stringContaining('the runner has left the list on GitHub')]);
    expect(state()).toBe(before);
    expect(host.ask('docker info --format "{{.LiveRestoreEnabled}} {{.LoggingDriver}}"')).toBe('false json-file');
  });
});
