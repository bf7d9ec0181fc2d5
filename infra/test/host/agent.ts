import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deploy, type Recorded } from '../support/deploy';
import { ROOT, withMetal, type Values } from '../support/sample';
import { type Ended, Host, until } from './host';

export const TOKEN = 'ABCDEFGHIJKLMNOPQRSTUVWXYABCD', REMOVAL = 'ZZZZZFGHIJKLMNOPQRSTUVWXYABCD';
export const OURS = 'octo-org/octo-repo/.github/workflows/benchmark.yml@refs/heads/main', FOREIGN = 'octo-org/octo-repo/.github/workflows/evil.yml@refs/heads/main';

/** What `pulumi up` would do to a host: the program's own two resources of the metal agent, with what the owner has in the stack. */
export async function resources(host: Host, runnerToken: string | undefined): Promise<{ copy: Recorded['inputs']; command: Recorded['inputs'] }> {
  const cwd = process.cwd();
  process.chdir(join(ROOT, 'infra'));    // where Pulumi starts the program
  try {
    const { metalRunnerToken: _, ...values } = withMetal();
    const made = await deploy({ ...values, metal: { ...values['metal'] as Values, hostKey: host.key }, ...(runnerToken ? { metalRunnerToken: runnerToken } : {}) });
    const of = (type: string): Recorded['inputs'] => made.resources.find(it => it.type === `command:remote:${type}`)!.inputs;
    return { copy: of('CopyToRemote'), command: of('Command') };
  } finally { process.chdir(cwd); }
}

/** `pulumi up` or `pulumi destroy`, as far as the host notices: copies the folder where that is asked for, sends the command and what stands on its stdin. */
export class Agent {
  constructor(readonly host: Host, readonly files = join(ROOT, 'infra/machine')) {}

  async up(runnerToken: string | undefined = TOKEN): Promise<Ended> {
    const { copy, command } = await resources(this.host, runnerToken);
    this.host.copy(this.files, copy['remotePath']);
    return this.host.ssh(command['create'], command['stdin']);
  }

  async destroy(runnerToken?: string): Promise<Ended> {
    const { command } = await resources(this.host, runnerToken);
    return this.host.ssh(command['delete'], command['stdin']);
  }

  /** The stand-in for GitHub's runner, where its owner has put the real one. */
  giveRunner(): void {
    mkdirSync(join(this.host.folder, 'runner'), { recursive: true });
    cpSync(join(__dirname, 'runner'), join(this.host.folder, 'runner'), { recursive: true });
    this.host.ask(`mkdir -p /opt/actions-runner && tar -x -C /opt/actions-runner <<<'' 2>/dev/null; true`);
    for (const name of ['run.sh', 'Runner.Worker', 'config.sh']) {
      const text = readFileSync(join(this.host.folder, 'runner', name)).toString('base64');
      this.host.ask(`base64 -d <<<'${text}' >/opt/actions-runner/${name} && chmod 755 /opt/actions-runner/${name}`);
    }
  }

  /** GitHub hands a job to the runner. */
  async job(name: string, workflow: string, ...steps: string[]): Promise<void> {
    await until('the runner listens', () => this.host.run('test -d /opt/actions-runner/jobs && systemctl is-active perf-lab-metal-runner.service').code === 0, () => this.host.run('systemctl status perf-lab-metal-runner.service').output);
    const text = Buffer.from([workflow, ...steps, ''].join('\n')).toString('base64');
    this.host.ask(`cd /opt/actions-runner && base64 -d <<<'${text}' >new && chown lab-runner: new && mv new jobs/${name}`);
  }

  async ended(name: string): Promise<string> {
    await until(`job ${name} has ended`, () => this.host.run(`test -e /opt/actions-runner/ended/${name}`).code === 0, () => this.host.run('systemctl status perf-lab-metal-runner.service').output);
    return this.host.ask(`cat /opt/actions-runner/ended/${name}`);
  }
}
