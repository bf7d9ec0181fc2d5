import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export interface Ended { readonly code: number | null; readonly output: string }

/** How often a wait looks, and how long at most: generous, because nothing here is measured. */
const LOOK = 200, PATIENCE = 120_000;

export async function until(what: string, holds: () => boolean, say: () => string = () => ''): Promise<void> {
  for (const end = Date.now() + PATIENCE; !holds();) {
    if (Date.now() > end) throw new Error(`waited ${PATIENCE / 1000} s until ${what}\n${say()}`);
    await new Promise(resolve => setTimeout(resolve, LOOK));
  }
}

/** A host of somebody's: Debian's root with its own systemd, sshd and Docker, booted by `boot` beside this file; a user with passwordless sudo and one key. */
export class Host {
  readonly folder = mkdtempSync(join(tmpdir(), 'perf-lab-host-'));
  readonly #process: ChildProcess;

  /** `prepare` changes the root before the first boot, by a shell inside of it. */
  constructor(root: string, prepare = '') {
    for (const name of ['user', 'host', 'other']) spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(this.folder, name)]);
    const upper = join(this.folder, 'upper');
    mkdirSync(join(upper, 'etc/ssh'), { recursive: true });
    for (const key of ['host', 'host.pub']) cpSync(join(this.folder, key), join(upper, 'etc/ssh', key.replace('host', 'ssh_host_ed25519_key')));
    writeFileSync(join(upper, 'etc/ssh/sshd_config'), 'HostKey /etc/ssh/ssh_host_ed25519_key\nUsePAM yes\nPasswordAuthentication no\nUseDNS no\nSubsystem sftp internal-sftp\n');
    this.#inside(root, `
      echo metal >/etc/hostname && echo '127.0.0.1 localhost metal' >/etc/hosts
      useradd --create-home --shell /bin/bash perf-lab && install -d -m 700 -o perf-lab -g perf-lab /home/perf-lab/.ssh
      cat >/home/perf-lab/.ssh/authorized_keys && echo 'perf-lab ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/perf-lab
      systemctl mask console-getty.service 2>/dev/null
      ${prepare}`, readFileSync(join(this.folder, 'user.pub'), 'utf8'));
    this.#process = spawn(join(__dirname, 'boot'), [root, this.folder], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process.stderr!.on('data', text => { appendFileSync(join(this.folder, 'log'), text); });
  }

  #inside(root: string, script: string, input: string): void {
    const mounts = `mkdir -p ${this.folder}/{upper,work,new} && mount -t overlay -o lowerdir=${root},upperdir=${this.folder}/upper,workdir=${this.folder}/work machine ${this.folder}/new
      mount -t proc proc ${this.folder}/new/proc && mount --bind /dev ${this.folder}/new/dev && exec chroot ${this.folder}/new bash -ec "$1"`;
    const done = spawnSync('unshare', ['--mount', 'bash', '-ec', mounts, 'prepare', script], { input, encoding: 'utf8', env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' } });
    if (done.status !== 0) throw new Error(`preparing the host: ${done.stdout}${done.stderr}`);
  }

  get boots(): number { return existsSync(join(this.folder, 'boots')) ? Number(readFileSync(join(this.folder, 'boots'), 'utf8')) : 0; }
  get #init(): string { return readFileSync(join(this.folder, 'init'), 'utf8').trim(); }
  get key(): string { return readFileSync(join(this.folder, 'host.pub'), 'utf8').split(' ').slice(0, 2).join(' '); }

  /** As root on the host, at its console. */
  run(script: string): Ended {
    const { status, stdout, stderr } = spawnSync('nsenter', ['-t', this.#init, '-m', '-u', '-i', '-n', '-p', '-C', 'env', '-i', 'HOME=/root', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'bash', '-c', script], { encoding: 'utf8', timeout: PATIENCE });
    return { code: status, output: stdout + stderr };
  }

  /** What a command at the console prints, which has to end well. */
  ask(script: string): string {
    const { code, output } = this.run(script);
    if (code !== 0) throw new Error(`${script}\nended with ${code}: ${output}`);
    return output.trim();
  }

  write(path: string, text: string, mode: number): void {
    this.ask(`install -D -m ${mode.toString(8)} <(base64 -d <<<'${Buffer.from(text).toString('base64')}') '${path}'`);
  }

  /** The host takes logins. Asked while it comes up or goes down, systemctl may wait for a minute. */
  async up(boots = 1): Promise<void> {
    await until(`boot ${boots} is through`, () => this.boots >= boots && existsSync(join(this.folder, 'init')) && /^(running|degraded)/.test(this.run('timeout 3 systemctl is-system-running').output),
      () => this.run('systemctl list-jobs; systemctl --failed').output);
  }

  #ssh(program: string, more: readonly string[], key: string): readonly string[] {
    writeFileSync(join(this.folder, 'known'), `127.0.0.1 ${readFileSync(join(this.folder, `${key}.pub`), 'utf8')}`);
    return ['-t', this.#init, '-n', program, '-F', 'none', '-i', join(this.folder, 'user'), '-o', `UserKnownHostsFile=${join(this.folder, 'known')}`, '-o', 'StrictHostKeyChecking=yes',
      '-o', 'BatchMode=yes', '-o', 'IdentitiesOnly=yes', ...more];
  }

  /** A command over SSH, as Pulumi's provider sends it: a session's command, with standard input or with its end. */
  async ssh(command: string, stdin = '', key = 'host'): Promise<Ended> {
    const session = spawn('nsenter', this.#ssh('ssh', ['perf-lab@127.0.0.1', command], key), { stdio: 'pipe' });
    let output = '';
    for (const stream of [session.stdout, session.stderr]) stream.on('data', text => { output += String(text); });
    session.stdin.on('error', () => {});
    session.stdin.end(stdin);
    return { code: await new Promise(resolve => { session.on('close', resolve); }), output };
  }

  /**
   * A folder, as Pulumi's provider copies it (pulumi-command 1.2.1, copyController.go): it makes `to`, puts the folder itself into it, and gives each file
   * the mode of a new one, whatever it had.
   */
  copy(folder: string, to: string): void {
    const staged = join(this.folder, 'staged', to);
    mkdirSync(staged, { recursive: true });
    cpSync(folder, join(staged, basename(folder)), { recursive: true });
    spawnSync('chmod', ['-R', 'u=rwX,go=rX,a-x+X', staged]);
    spawnSync('find', [staged, '-type', 'f', '-exec', 'chmod', '644', '{}', '+']);
    const copied = spawnSync('nsenter', this.#ssh('scp', ['-q', '-r', staged, 'perf-lab@127.0.0.1:'], 'host') as string[], { encoding: 'utf8' });
    if (copied.status !== 0) throw new Error(`copying: ${copied.stderr}`);
    rmSync(staged, { recursive: true });
  }

  async stop(): Promise<void> {
    const ended = new Promise(resolve => { this.#process.on('close', resolve); });
    this.#process.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
