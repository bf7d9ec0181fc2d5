// The same host as in walk.test.ts, with a job running whenever something is asked of it. Takes some minutes: in `./perf-lab test --all`.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/sample';
import { Agent, OURS, REMOVAL } from './agent';
import { type Ended, Host, until } from './host';
import { debianRoot, whyNotAll } from './root';
import { OWNERS, state } from './state';

const reason = whyNotAll();
if (reason) console.log(`skipped, a metal agent beside a running job: ${reason}`);

describe.skipIf(reason)('a_metal_agent_beside_a_running_job', { timeout: 240_000 }, () => {
  let host: Host, agent: Agent, before: string, newer: string, boots = 1;
  const START = 'success cd /opt/actions-runner && until test -e go; do sleep 0.1; done; touch through';

  async function runs(job: string): Promise<void> {
    host.ask('rm -f /opt/actions-runner/{go,through}');
    await agent.job(job, OURS, START);
    await until('the job runs', () => host.run('test -e /run/perf-lab/busy').code === 0);
  }

  /** A job runs while something is asked for; it must not have been touched when that is through. */
  async function beside(job: string, asked: () => Promise<Ended>): Promise<Ended> {
    await runs(job);
    let ended: Ended | undefined;
    const asking = asked().then(result => { ended = result; return result; });
    await until('it waits', () => host.run('pgrep -f "metal-agent.sh (install|remove|runner)"').code === 0);
    await new Promise(resolve => setTimeout(resolve, 3000));
    expect(ended, ended?.output ?? '').toBeUndefined();
    host.write('/opt/actions-runner/go', '', 0o644);
    return asking;
  }

  const wholeJob = (job: string): void => { expect(host.ask(`ls /opt/actions-runner/through; cat /opt/actions-runner/ended/${job}`).split('\n')).toEqual(['/opt/actions-runner/through', 'succeeded']); };

  beforeAll(async () => {
    host = new Host(debianRoot(), OWNERS);
    agent = new Agent(host);
    newer = mkdtempSync(join(tmpdir(), 'perf-lab-newer-'));
    cpSync(join(ROOT, 'infra/machine'), join(newer, 'machine'), { recursive: true });
    writeFileSync(join(newer, 'machine/files/etc/perf-lab-new-files'), 'new\n');
    await host.up();
    agent.giveRunner();
    before = state(host);
    expect((await agent.up()).code).toBe(0);
  }, 600_000);
  afterAll(async () => { await host?.stop(); if (newer) rmSync(newer, { recursive: true }); });

  it('new_files_come_after_the_job_and_before_its_reboot_over_one_connection', async () => {
    const { code, output } = await beside('one', () => new Agent(host, newer).up());
    expect([code, output]).toEqual([0, expect.stringContaining('a job runs; waiting for its end')]);
    expect(output).toMatch(/install.sh: [1-9]\d* changed/);
    await host.up(++boots);
    wholeJob('one');
    expect(host.ask('cat /etc/perf-lab-new-files; systemctl is-active perf-lab-metal-runner.service').split('\n')).toEqual(['new', 'active']);
    expect(host.ask('ls -d /home/perf-lab/perf-lab-agent-* | wc -l'), 'the earlier copy is gone').toBe('1');
  });

  it('a_job_that_does_not_end_is_left_alone_and_the_answer_says_again', async () => {
    await runs('two');
    const script = host.ask('ls /home/perf-lab/perf-lab-agent-*/machine/metal-agent.sh');
    for (const action of ['install', 'remove', 'runner']) {
      const { code, output } = host.run(`PERF_LAB_PATIENCE=2 bash ${script} ${action} ryzen </dev/null`);
      expect([code, output]).toEqual([75, expect.stringContaining('a job still runs after 2 s, and nothing was changed: run `pulumi up` again when it has ended')]);
    }
    expect(host.run('systemctl is-active perf-lab-metal-runner.service; test -e /run/perf-lab/busy').output).toBe('active\n');
    host.write('/opt/actions-runner/go', '', 0o644);
    await host.up(++boots);
  });

  it('a_newer_runner_of_GitHub_s_waits_too', async () => {
    const folder = host.ask('ls -d /home/perf-lab/perf-lab-agent-*/machine');
    host.ask(`cd /opt/actions-runner && mkdir -p /srv/v9.9.9 && tar -czf /srv/v9.9.9/actions-runner-linux-x64-9.9.9.tar.gz run.sh Runner.Worker config.sh
      sed -i "s/^RUNNER_VERSION=.*/RUNNER_VERSION=9.9.9/; s/^RUNNER_SHA256=.*/RUNNER_SHA256=$(sha256sum </srv/v9.9.9/*.gz | cut -d ' ' -f 1)/" ${folder}/versions`);
    const { code, output } = await beside('three', () => host.ssh(`sudo -n PERF_LAB_RUNNER_FROM=file:///srv bash ${folder}/metal-agent.sh runner ryzen`));
    expect([code, output]).toEqual([0, expect.stringContaining('get-runner: 9.9.9')]);
    await host.up(++boots);
    wholeJob('three');
    expect(host.ask('cat /opt/actions-runner/.perf-lab-version; systemctl is-active perf-lab-metal-runner.service').split('\n')).toEqual(['9.9.9', 'active']);
  });

  it('a_job_whose_worker_has_crashed_is_wiped_before_the_next_one', async () => {
    await runs('four');
    host.ask('pkill -KILL -x Runner.Worker');
    await agent.job('five', OURS, 'always touch /tmp/ran');
    await host.up(++boots);
    expect(host.ask('cat /opt/actions-runner/ended/five /opt/actions-runner/five.log')).toMatch(/^crashed\n[^]*an earlier job has ended without its clean-up/);
    expect(host.run('test -e /tmp/ran').code).not.toBe(0);
  });

  it('a_removal_waits_for_the_job_and_the_host_is_what_it_was_without_a_reboot', async () => {
    const { code, output } = await beside('six', () => new Agent(host, newer).remove(REMOVAL));
    expect([code, output]).toEqual([0, expect.stringContaining('the runner has left the list on GitHub')]);
    wholeJob('six');
    expect(state(host)).toBe(before);
    await new Promise(resolve => setTimeout(resolve, 3000));
    expect(host.boots).toBe(boots);
    expect(host.run('test -e /opt/actions-runner/_work').code).not.toBe(0);
  });
});
