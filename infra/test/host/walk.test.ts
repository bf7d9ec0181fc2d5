// A bare-metal agent on a host that is as real as it gets without one: Debian 12 with its own systemd as process 1, sshd, sudo, Docker, nftables, in namespaces of
// its own. What it is sent is what the program asks Pulumi to send (agent.ts). Played: GitHub's runner (runner/: a listener, a worker and config.sh as recorded),
// Pulumi's engine, and four of the kernel's settings, because the kernel is this machine's own (boot).
import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Agent, FOREIGN, OURS, REMOVAL } from './agent';
import { Host } from './host';
import { debianRoot, whyNotAll } from './root';
import { OWNERS, state } from './state';

const reason = whyNotAll();
if (reason) console.log(`skipped, a metal agent on a host: ${reason}`);

describe.skipIf(reason)('a_metal_agent_on_a_host', { timeout: 240_000 }, () => {
  let host: Host, agent: Agent, before: string;
  beforeAll(async () => {
    host = new Host(debianRoot(), `${OWNERS}\n cp /srv/*.deb /var/cache/apt/archives/`);
    agent = new Agent(host);
    await host.up();
    agent.giveRunner();
    before = state(host);
  }, 600_000);
  afterAll(async () => { await host?.stop(); });

  const active = (): string => host.ask('systemctl is-active perf-lab-firewall perf-lab-quiet perf-lab-reset perf-lab-after-job.path perf-lab-metal-runner docker | sort -u');

  it('is_told_all_that_it_lacks_at_once_before_anything_is_changed_and_apt_takes_the_line', async () => {
    host.ask('dpkg --purge --force-depends nftables jq libicu72 2>&1 && ldconfig');
    const { code, output } = await agent.up();
    expect([code, output]).toEqual([1, expect.stringContaining('not ready, and nothing was changed:\n  missing: nft, jq, libicuuc.so\n')]);
    const line = /there: sudo apt-get update && sudo (?<line>.*)/.exec(output)?.groups?.['line'] ?? '';
    host.ask(`${line} 2>&1`);
    expect(state(host)).toBe(before);
  });

  it('is_installed_and_registered', async () => {
    const { code, output } = await agent.up();
    expect([code, output]).toEqual([0, expect.stringContaining('metal-agent: registered')]);
    expect(active()).toBe('active');
    expect(host.ask('systemctl is-enabled apt-daily.timer unattended-upgrades.service || true').split('\n')).toEqual(['masked', 'masked']);
    expect(host.ask('cat /etc/perf-lab/allowed-workflow')).toBe(OURS);
  });

  it('keeps_what_its_owner_has_told_Docker_and_Docker_has_taken_the_lab_s_part', () => {
    expect(JSON.parse(host.ask('cat /etc/docker/daemon.json'))).toMatchObject({ 'data-root': '/var/lib/docker', debug: true, icc: false, 'cgroup-parent': 'perf-lab-workload.slice' });
    expect(host.ask('docker info --format "{{.LiveRestoreEnabled}} {{.LoggingDriver}}"')).toBe('true local');
  });

  it('refuses_a_foreign_job_with_all_of_its_steps_and_stays_up', async () => {
    await agent.job('foreign', FOREIGN, 'success touch /tmp/ran', 'failure touch /tmp/ran', 'always touch /tmp/ran');
    expect(await agent.ended('foreign')).toBe('crashed');
    expect(host.ask('cat /opt/actions-runner/foreign.log')).toContain('perf-lab: this machine takes jobs of octo-org/octo-repo/.github/workflows/benchmark.yml@refs/heads/main only');
    expect(host.run('ls /tmp/ran /run/perf-lab/done /run/perf-lab/busy').output).not.toMatch(/^\//m);
    expect(active()).toBe('active');
  });

  it('takes_a_job_of_the_lab_and_reboots_after_it_with_a_fresh_user', async () => {
    await agent.job('one', OURS, 'success id -un >who', 'success touch ~/left', 'failure touch failed');
    await host.up(2);
    expect(host.ask('cd /opt/actions-runner; cat ended/one who; ls -A ~lab-runner failed 2>/dev/null | grep -c left || true').split('\n')).toEqual(['succeeded', 'lab-runner', '0']);
    expect(active()).toBe('active');
    expect(host.ask('nft list table inet perf-lab; sysctl -n vm.swappiness').split('\n').at(-1)).toBe('0');
  });

  it('is_removed_and_the_host_is_what_it_was', async () => {
    const { code, output } = await agent.remove(REMOVAL);
    expect([code, output]).toEqual([0, expect.stringContaining('the runner has left the list on GitHub')]);
    expect(state(host)).toBe(before);
    expect(await agent.destroy()).toEqual({ code: 0, output: expect.stringContaining('no runner is registered here') });
    expect(state(host)).toBe(before);
  });

  it('leaves_the_devices_of_this_machine_alone', () => { expect((statSync('/dev/null').mode & 0o777).toString(8)).toBe('666'); });
});
