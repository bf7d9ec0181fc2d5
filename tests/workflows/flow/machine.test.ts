import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dotnetRoot, engine } from './hosted.ts';
import { LabMachine, missing } from './lab-machine.ts';
import { itNightly } from './nightly.ts';
import { OWN_REQUEST, edit } from './own-request.ts';
import type { Request } from './request.ts';
import { requests } from './requests.ts';
import { keepWalk } from './whole-request.ts';
import type { Machine } from './step-runner.ts';

// A whole request with the machine of the lab that measures it. Played: GitHub (a fake server, its own actions, the archive of its runner), Azure (the
// machine's power; lab.test.ts plays that), systemd (the units' ExecStart lines are run in their order), Azure's kernel and cores (this one's, so no policy
// of `azure`), and the quiet settings, which would be this machine's. Real: everything that perf-lab is, from the comment to the verdict: the workflow files,
// plan, bases, builds and packs; cloud-init's files and packages and nothing else in the root; install.sh, the firewall, Debian's engine with the lab's
// daemon.json, start-runner, the user that runs the job, and the measure step.

const run = requests();
const cannot = missing();
if (cannot !== undefined) process.stdout.write(`a request on a machine of the lab: skipped, ${cannot}\n`);
const machines: Started[] = [];
afterAll(async () => { await Promise.all(machines.map(one => one.stop())); }, 60_000);

/** Starts when its first step comes, as a machine is made when its job is next. */
class Started implements Machine {
  private machine?: Promise<LabMachine>;
  request?: Request;
  constructor(private readonly shown?: string) { machines.push(this); }
  async bash(...step: Parameters<Machine['bash']>): Promise<{ code: number; output: string }> { return await (await (this.machine ??= LabMachine.start(this.request!.folder, this.shown))).bash(...step); }
  async stop(): Promise<{ runner: string; firewall: string }> {
    const machine = this.machine;
    delete this.machine;
    return machine === undefined ? { runner: '', firewall: '' } : await (await machine).stop();
  }
}

const twice = (checkout: string): void => { edit(join(checkout, 'workloads/primes/run.sh'), '  sweep "$limit"\n', '  sweep "$limit"\n  sweep "$limit"\n'); };

async function showsTheSeal(machine: Started): Promise<void> {
  const { runner, firewall } = await machine.stop();
  expect(runner).toMatch(/^Uid:\t([1-9]\d{2,})\t\1\t\1\t\1$/m);
  expect(runner).toContain('NoNewPrivs:\t1');
  expect(runner).toMatch(/^CapEff:\t0+$/m);
  expect(runner).toMatch(/^uid=.*\(lab-runner\) .*\(docker\)$/m);
  expect(runner).toContain('jit=there');
  expect(firewall).toMatch(/tcp dport 80 counter packets 0 /);
  expect(firewall).toMatch(/udp dport 53 counter packets 0 /);
}

describe.skipIf(cannot !== undefined)('a request on a machine of the lab', () => {
  itNightly('is measured by its runner, with nothing but what cloud-init installs and no open port', async () => {
    // The runner as it was built, and the .NET here shown to the machine: publishing it takes a minute, and `--all` does it.
    const machine = new Started(dotnetRoot());
    const request = await run({
      command: '/benchmark --rounds 0+13', change: twice,
      machine: job => (job === 'benchmark/machine/measure' ? machine : undefined),
      before: (job, one) => { machine.request = one; return /lab-(up|down)$/.test(job) ? 'success' : undefined; },
    });
    expect(request.comment, request.story).toMatch(/### perf-lab: .+ is [0-9.]+( %|x) slower/);
    expect(request.comment).toContain('executor: `docker`');
    expect(request.results).toEqual({ benchmark: 'success' });
    await showsTheSeal(machine);
    keepWalk('primes', request);
    process.stdout.write(`a request on a machine of the lab, the slowest steps:\n${request.slowest}`);
  }, 600_000);

  itNightly('is measured with the published runner and a .NET program that was built from two commits', async () => {
    const machine = new Started();
    const request = await run({
      ...OWN_REQUEST,
      machine: job => (job === 'benchmark/machine/measure' ? machine : undefined),
      before: (job, one) => { machine.request = one; return /lab-(up|down)$/.test(job) ? 'success' : undefined; },
    });
    expect(request.comment, request.story).toMatch(/### perf-lab: .+ is [0-9.]+( %|x) slower/);
    expect(request.comment).toContain('executor: `docker`');
    await showsTheSeal(machine);
    keepWalk('channel-actors, published', request);
  }, 1_200_000);
});

describe.skipIf(engine()['DOCKER_HOST'] === undefined)('a request on GitHub\'s own machine', () => {
  itNightly('is measured by an engine without a base, where nothing can make one', async () => {
    let folder = '';
    const request = await run({
      command: '/benchmark --machine github --rounds 0+13', change: twice,
      before: (_, one) => { folder = one.folder; return undefined; },
      machine: job => (job === 'benchmark/machine/measure' ? withoutTool(() => folder) : undefined),
    });
    expect(request.comment, request.story).toMatch(/### perf-lab: .+ is [0-9.]+( %|x) slower/);
    expect(request.comment).toContain('executor: `docker`');
    keepWalk('primes, hosted', request);
  }, 600_000);
});

/** This machine without mmdebstrap on PATH. */
const withoutTool = (folder: () => string): Machine => ({
  bash: (script, env, cwd) => {
    const links = join(folder(), 'without');
    if (!readdirSync(folder()).includes('without')) {
      mkdirSync(links);
      for (const from of ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin']) for (const name of readdirSync(from)) if (name !== 'mmdebstrap') try { symlinkSync(join(from, name), join(links, name)); } catch { /* there already */ }
    }
    const { status, stdout, stderr } = spawnSync(join(links, 'bash'), ['--noprofile', '--norc', '-eo', 'pipefail', '-c', `! command -v mmdebstrap >/dev/null\n${script}`], { cwd, env: { ...env, PATH: links }, encoding: 'utf8' });
    return Promise.resolve({ code: status ?? 1, output: stdout + stderr });
  },
});
