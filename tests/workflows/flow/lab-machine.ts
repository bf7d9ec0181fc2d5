import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { repository } from '../rules/files.ts';
import type { Machine } from './step-runner.ts';

interface CloudInit { readonly packages: readonly string[]; readonly write_files: readonly { path: string; permissions: string; content: string }[]; readonly runcmd: readonly (readonly string[])[] }

/** What a machine of the lab is made of: the very file that Azure gives to its first boot. */
const cloudInit = (): CloudInit => parse(readFileSync(join(repository, 'infra/machine/cloud-init.yaml'), 'utf8')) as CloudInit;

/** What the installer in the archive of GitHub's runner adds on Debian 13 (bin/installdependencies.sh); the archive itself is played. */
const RUNNER_NEEDS = ['libicu76', 'libkrb5-3', 'libssl3t64', 'zlib1g'];

/** Why no machine can be played here; undefined: one can. */
export function missing(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs root on Linux, for namespaces and a root file system';
  for (const tool of ['mmdebstrap', 'unshare', 'pivot_root', 'ip']) if (spawnSync('bash', ['-c', `command -v ${tool}`]).status !== 0) return `${tool} is not installed`;
  return undefined;
}

/** The root file system, made once for each list of packages and kept; what runs changes a copy. */
function root(): string {
  const packages = [...cloudInit().packages, ...RUNNER_NEEDS], name = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12);
  const kept = join(repository, '.perf-lab/machines', `${name}.tar`);
  if (!existsSync(kept)) {
    mkdirSync(dirname(kept), { recursive: true });
    const half = `${kept}.${process.pid}.tar`;
    // minbase: apt and what every Debian must have. A cloud image has more, which nobody promises.
    execFileSync('mmdebstrap', ['--quiet', '--variant=minbase', `--include=${packages.join()}`, 'trixie', half], { stdio: ['ignore', 'ignore', 'inherit'] });
    renameSync(half, kept);
  }
  utimesSync(kept, new Date(), new Date()); // `clean` takes those that nobody used for a day
  return kept;
}

/** A machine of the lab, from its first boot to its last job, in namespaces of this one. */
export class LabMachine implements Machine {
  private count = 0;
  private said = '';
  private constructor(private readonly folder: string, private readonly place: string, private readonly boot: ChildProcess, private readonly user: number) {}

  /** @param folder Of the request: the workspace is below it, under the same path on the machine. */
  static async start(folder: string, shown?: string): Promise<LabMachine> {
    const place = join('/var/tmp', `perf-lab-machine-${process.pid}`);
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
    execFileSync('tar', ['--extract', '--file', root(), '--directory', place]);
    for (const { path, permissions, content } of cloudInit().write_files) {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      writeFileSync(join(place, path), content);
      chmodSync(join(place, path), parseInt(permissions, 8));
    }
    // Two cores are not the four of a machine in Azure, and this kernel is not its: the owner's file says so, and no policy with it.
    mkdirSync(join(place, 'etc/perf-lab'));
    writeFileSync(join(place, 'etc/perf-lab/machine.conf'), 'LAB_CPUS=0\n');
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'steps'));
    const boot = spawn('unshare', ['--mount', '--net', '--pid', '--ipc', '--uts', '--fork', '--kill-child', join(import.meta.dirname, 'lab-machine'), place, folder], {
      stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env['PATH'], ...(shown === undefined ? {} : { DOTNET_SHOWN: shown }) },
    });
    let said = '';
    await new Promise<void>((resolve, reject) => {
      boot.stderr!.on('data', (chunk: Buffer) => { said += chunk.toString(); if (said.includes('lab-machine: ready')) resolve(); });
      boot.on('close', () => { rmSync(place, { recursive: true, force: true }); reject(new Error(`the machine did not come up:\n${said}`)); });
    });
    const user = Number(/^lab-runner:[^:]*:(\d+):/m.exec(readFileSync(join(place, 'etc/passwd'), 'utf8'))![1]);
    const machine = new LabMachine(folder, place, boot, user);
    boot.stderr!.on('data', (chunk: Buffer) => { machine.said += chunk.toString(); });
    return machine;
  }

  /** One step of the job, by the user of the machine's runner. */
  async bash(script: string, env: Readonly<Record<string, string>>, cwd: string): Promise<{ code: number; output: string }> {
    const step = join(this.folder, 'steps', String(++this.count));
    mkdirSync(step);
    writeFileSync(join(step, 'script.sh'), script);
    writeFileSync(join(step, 'cwd'), cwd);
    writeFileSync(join(step, 'env'), Object.entries(env).filter(([name]) => /^[A-Za-z_]\w*$/.test(name) && !OUR_OWN.includes(name)).map(([name, value]) => `export ${name}='${value.replaceAll('\'', String.raw`'\''`)}'\n`).join(''));
    const own = env['RUNNER_TEMP']!;
    execFileSync('chown', ['--recursive', '--no-dereference', String(this.user), cwd, step, own]);
    writeFileSync(join(step, 'go'), '');
    while (!existsSync(join(step, 'code'))) {
      if (this.boot.exitCode !== null) return { code: 1, output: `the machine's runner has ended: ${this.said}` };
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    return { code: Number(readFileSync(join(step, 'code'), 'utf8')), output: readFileSync(join(step, 'output'), 'utf8') };
  }

  /** Its runner has had its one job. Gives what was seen of it, and what its firewall counted. */
  async stop(): Promise<{ runner: string; firewall: string }> {
    writeFileSync(join(this.folder, 'steps/end'), '');
    if (this.boot.exitCode === null) await new Promise(resolve => this.boot.on('close', resolve));
    rmSync(this.place, { recursive: true, force: true });
    const read = (name: string): string => existsSync(join(this.folder, name)) ? readFileSync(join(this.folder, name), 'utf8') : '';
    return { runner: read('steps/runner'), firewall: read('steps/firewall') };
  }
}

// Of the hosted machine that plays the other jobs.
const OUR_OWN = ['PATH', 'HOME', 'TMPDIR', 'DOCKER_HOST', 'NUGET_PACKAGES'];
