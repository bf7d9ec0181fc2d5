import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deploy, type Recorded } from '../support/deploy';
import { ROOT, withMetal, type Values } from '../support/sample';
import { type Ended, Host, until } from './host';

export const TOKEN = 'ABCDEFGHIJKLMNOPQRSTUVWXYABCD', REMOVAL = 'ZZZZZFGHIJKLMNOPQRSTUVWXYABCD';
export const OURS = 'octo-org/octo-repo/.github/workflows/benchmark.yml@refs/heads/main', FOREIGN = 'octo-org/octo-repo/.github/workflows/evil.yml@refs/heads/main';

/** `pulumi up` or `pulumi destroy`, as far as the host notices: copies the folder where that is asked for, sends the command and what stands on its stdin. */
export class Agent {
  /** `project` is the folder in which Pulumi starts the program: what it copies lies in `machine` there. */
  constructor(readonly host: Host, private readonly project = join(ROOT, 'infra')) {}

  /** The program's own two resources of the metal agent. */
  async resources(runnerToken?: string): Promise<{ copy: Recorded['inputs']; command: Recorded['inputs'] }> {
    const cwd = process.cwd();
    process.chdir(this.project);
    try {
      const { metalRunnerToken: _, ...values } = withMetal(), metal = { ...values['metal'] as Values, hostKey: this.host.key };
      const { resources } = await deploy({ ...values, metal, ...(runnerToken ? { metalRunnerToken: runnerToken } : {}) });
      const of = (type: string): Recorded['inputs'] => resources.find(it => it.type === `command:remote:${type}`)!.inputs;
      return { copy: of('CopyToRemote'), command: of('Command') };
    } finally { process.chdir(cwd); }
  }

  async up(runnerToken: string | undefined = TOKEN, hostKey?: string): Promise<Ended> {
    const { copy, command } = await this.resources(runnerToken);
    this.host.copy(join(this.project, 'machine'), copy['remotePath']);
    return this.host.ssh(command['create'], command['stdin'], hostKey);
  }

  /** With what the state has: the token of the last `pulumi up`. */
  async destroy(): Promise<Ended> {
    const { command } = await this.resources(TOKEN);
    return this.host.ssh(command['delete'], command['stdin']);
  }

  /** Its owner removes it by hand, runner and all. */
  async remove(token: string): Promise<Ended> {
    const { command } = await this.resources();
    return this.host.ssh(command['delete'], `${token}\n`);
  }

  /** The stand-in for GitHub's runner, where its owner has put the real one. */
  giveRunner(): void {
    for (const name of ['run.sh', 'Runner.Worker', 'config.sh']) this.host.write(`/opt/actions-runner/${name}`, readFileSync(join(__dirname, 'runner', name), 'utf8'), 0o755);
  }

  /** GitHub hands a job to the runner. */
  async job(name: string, workflow: string, ...steps: string[]): Promise<void> {
    await until('the runner listens', () => this.host.run('test -d /opt/actions-runner/jobs && systemctl is-active perf-lab-metal-runner.service').code === 0, () => this.host.run('systemctl status perf-lab-metal-runner.service').output);
    this.host.write('/opt/actions-runner/new', [workflow, ...steps, ''].join('\n'), 0o644);
    this.host.ask(`cd /opt/actions-runner && chown lab-runner: new && mv new jobs/${name}`);
  }

  async ended(name: string): Promise<string> {
    await until(`job ${name} has ended`, () => this.host.run(`test -e /opt/actions-runner/ended/${name}`).code === 0, () => this.host.run('systemctl status perf-lab-metal-runner.service').output);
    return this.host.ask(`cat /opt/actions-runner/ended/${name}`);
  }
}
