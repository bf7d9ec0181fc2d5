// Hosts on which an installation can't go on: the same as in walk.test.ts, spoilt at its console. What is missing is taken out by Debian's own dpkg, and comes
// back by the line that the agent prints. Takes some minutes: in `./perf-lab test --all`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Agent, REMOVAL, TOKEN } from './agent';
import { Host } from './host';
import { debianRoot, whyNotAll } from './root';
import { state } from './state';

const reason = whyNotAll();
if (reason) console.log(`skipped, a host that is not ready: ${reason}`);

describe.skipIf(reason)('a_host_that_is_not_ready', { timeout: 240_000 }, () => {
  let host: Host, agent: Agent, before: string;
  const answer = async (token: string | undefined = TOKEN): Promise<[number | null, string]> => { const { code, output } = await agent.up(token); return [code, output]; };

  beforeAll(async () => {
    // What answers in GitHub's place speaks no TLS, as a login page or a proxy does: get-runner gives up at once.
    host = new Host(debianRoot(), `cp /srv/*.deb /var/cache/apt/archives/; echo '127.0.0.1 github.com' >>/etc/hosts; printf 'Port 22\\nPort 443\\n' >>/etc/ssh/sshd_config`);
    agent = new Agent(host);
    await host.up();
    before = state(host);
  }, 600_000);
  afterAll(async () => { await host?.stop(); });

  it.each(['nft', 'jq', 'curl', 'docker'])('is_told_when_only_%s_is_missing', async program => {
    const path = host.ask(`command -v ${program}`);
    host.ask(`mv ${path} ${path}.away`);
    const answered = await answer();
    host.ask(`mv ${path}.away ${path}`);
    expect(answered).toEqual([1, expect.stringContaining(`nothing was changed:\n  missing: ${program}\n`)]);
    expect(state(host)).toBe(before);
  });

  it.each([
    ['{ "log-driver": "json-file", "data-root": "/var/lib/docker" }', '/etc/docker/daemon.json says log-driver: "json-file", and measuring needs "local": take that line out, or change it'],
    ['{ "icc": true, "log-opts": { "max-size": "1g" } }', '/etc/docker/daemon.json says icc: true, and measuring needs false'],
    ['["data-root"]', '/etc/docker/daemon.json is not a JSON object'],
    ['{ "data-root": ', '/etc/docker/daemon.json is not a JSON object'],
  ])('keeps_a_daemon_json_with_which_the_lab_can_not_live_%#', async (text, says) => {
    host.write('/etc/docker/daemon.json', text, 0o600);
    const spoilt = state(host), answered = await answer(), after = state(host);
    host.ask('rm /etc/docker/daemon.json');
    expect(answered).toEqual([1, expect.stringContaining(says)]);
    expect(after).toBe(spoilt);
  });

  it('gets_its_daemon_json_back_when_Docker_does_not_start_with_the_lab_s_part', async () => {
    const unit = '/run/systemd/system/docker.service.d/picky.conf';
    host.write(unit, `[Service]\nExecStartPre=/bin/sh -c '! grep -q cgroup-parent /etc/docker/daemon.json'\n`, 0o644);
    host.write('/etc/docker/daemon.json', '{ "debug": true }', 0o640);
    host.ask('systemctl daemon-reload');
    expect(await answer()).toEqual([1, expect.stringContaining('Docker does not start with')]);
    expect(host.ask('cat /etc/docker/daemon.json; stat -c %a /etc/docker/daemon.json; systemctl is-active docker')).toBe('{ "debug": true }640\nactive');
    host.ask(`rm ${unit} /etc/docker/daemon.json && systemctl daemon-reload`);
    expect((await agent.destroy()).code).toBe(0);
    expect(state(host)).toBe(before);
  });

  it('without_a_runner_and_without_a_way_to_it_is_told_the_step_and_the_folder_and_asked_again', async () => {
    const [code, output] = await answer();
    expect(code).toBe(75);
    const command = /sudo bash (?<path>\/home\/perf-lab\/perf-lab-agent-[0-9a-f]{12}\/machine\/metal-agent\.sh) runner ryzen/.exec(output);
    expect(output).toContain('there is no GitHub runner in /opt/actions-runner');
    expect(host.run(`test -f ${command?.groups?.['path']}`).code).toBe(0);
    agent.giveRunner();
    expect(await answer()).toEqual([0, expect.stringContaining('metal-agent: registered')]);
  });

  it('a_token_that_GitHub_does_not_take_fails_with_GitHub_s_answer_and_a_registered_runner_goes_on', async () => {
    const [code, output] = await answer(REMOVAL);
    expect([code, output]).toEqual([1, expect.stringMatching(/NotFound from POST [^]*is registered as before[^]*one that removes goes to: sudo bash \/home\/perf-lab\/perf-lab-agent-/)]);
    expect(host.ask('systemctl is-active perf-lab-metal-runner.service; grep -c octo-org/octo-repo /opt/actions-runner/.runner').split('\n')).toEqual(['active', '1']);
    expect(await answer()).toEqual([0, expect.stringContaining('metal-agent: the runner is registered')]);
  });

  it('with_another_host_key_is_told_nothing', async () => {
    expect((await agent.up(TOKEN, 'other'))).toEqual({ code: 255, output: expect.stringContaining('Host key verification failed') });
  });

  it('what_its_owner_has_taken_from_Docker_since_stays_away_when_the_agent_goes', async () => {
    host.ask('rm /etc/docker/daemon.json && systemctl restart docker');
    expect((await agent.destroy()).code).toBe(0);
    expect(state(host)).toBe(before);
    expect((await answer())[0]).toBe(0);
  });

  it('what_its_owner_has_told_Docker_since_stays_when_the_agent_goes', async () => {
    host.ask(`jq '. + { "registry-mirrors": ["https://mirror.example.org"] }' /etc/docker/daemon.json >/tmp/new && cp /tmp/new /etc/docker/daemon.json`);
    expect(await answer()).toEqual([0, expect.stringContaining('metal-agent: the runner is registered')]);
    expect(JSON.parse(host.ask('cat /etc/docker/daemon.json'))).toMatchObject({ 'registry-mirrors': ['https://mirror.example.org'], icc: false });
    const { code, output } = await agent.destroy();
    expect([code, output]).toEqual([0, expect.stringContaining('STILL STANDS IN THE LIST ON GITHUB')]);
    expect(JSON.parse(host.ask('cat /etc/docker/daemon.json'))).toEqual({ 'registry-mirrors': ['https://mirror.example.org'] });
    host.ask('rm /etc/docker/daemon.json && systemctl restart docker');
    expect(state(host)).toBe(before);
  });
});
