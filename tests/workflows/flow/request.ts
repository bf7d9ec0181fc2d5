import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeGitHub, type FakeGitHub } from '../../../.github/perf-lab/test/fake/server.ts';
import { BOT, WRITTEN } from '../../../.github/perf-lab/test/fake/state.ts';
import { repository } from '../rules/files.ts';
import { Artifacts } from './artifacts.ts';
import { Attestations } from './attestations.ts';
import { hosted, type More, type Setting } from './hosted.ts';
import { StepRunner, type JobRecord, type Machine, type Options, type Result } from './step-runner.ts';

const PULL = 5, RUN = 900;

export interface Asked {
  /** The comment. */
  readonly command: string;
  /** Changes the repository before it is committed as base. */
  readonly prepare?: (checkout: string) => void;
  /** Changes the pull request's checkout before it is committed as head. */
  readonly change: (checkout: string) => void;
  /** A private repository of a person. */
  readonly isPrivate?: boolean;
  /** Each job's token may do what the job may, and nothing else. */
  readonly scopedTokens?: boolean;
  readonly before?: (job: string, request: Request) => Result | JobRecord | undefined;
  /** The machine of a job, when it is not this one. */
  readonly machine?: (job: string) => Machine | undefined;
  /** In place of the small repository: commands that fill an empty one, as a page says; perf-lab's checkout lies beside it, under that owner. */
  readonly page?: { readonly commands: string; readonly owner: string };
  /** A release that perf-lab's commit pins. */
  readonly release?: Setting['release'];
  /** A lab of one's own: what a step needs to reach it. */
  readonly more?: More;
  /** Is told each step as it ends, where a whole request takes long. */
  readonly told?: Options['told'];
  /** perf-lab measures perf-lab: this repository in place of the small one, its own tools action, its own workloads. */
  readonly itself?: boolean;
}

/** One /benchmark comment, carried through the workflow files by the step runner, against a fake GitHub and a real git repository. */
export class Request {
  readonly folder = mkdtempSync(join(tmpdir(), 'perf-lab-flow-'));
  readonly library = join(this.folder, 'library');
  base = '';
  head = '';
  jobs: Record<string, JobRecord> = {};
  runner!: StepRunner;
  readonly artifacts: Artifacts;
  readonly attestations = new Attestations();
  private options!: Options;

  private constructor(readonly fake: FakeGitHub, private readonly itself: boolean) { this.artifacts = new Artifacts(fake); }

  static async run(asked: Asked): Promise<Request> {
    const request = new Request(await startFakeGitHub(), asked.itself === true);
    request.attestations.isPrivate = asked.isPrivate === true;
    request.commit(asked);
    request.open();
    const body = asked.command, id = ++request.fake.state.lastId;
    request.fake.state.comments.push({ id, node_id: `IC_${id}`, issue: PULL, body, user: { id: 42, login: 'alice', type: 'User' }, created_at: WRITTEN, updated_at: WRITTEN });
    const event = {
      action: 'created', issue: { number: PULL, pull_request: {} },
      comment: { id, body, user: { id: 42, login: 'alice', type: 'User' }, created_at: WRITTEN, updated_at: WRITTEN, author_association: 'NONE' },
    };
    // The workflow of the small repository is perf-lab's own file; one that follows the page has its own, which calls perf-lab's.
    const own = { folder: asked.page === undefined ? repository : request.library, repository: 'example/library', commit: request.base };
    const lab = asked.page === undefined ? own : { folder: repository, repository: `${asked.page.owner}/perf-lab`, commit: commitHere() };
    const { path, archive, stubs, env } = hosted({ fake: request.fake, artifacts: request.artifacts, attestations: request.attestations, folder: request.folder, library: request.library, lab, itself: request.itself, release: asked.release, more: asked.more });
    const eventPath = join(request.folder, 'event.json');
    writeFileSync(eventPath, JSON.stringify(event));
    request.options = {
      source: own, others: [lab], folder: request.folder, archive, stubs, eventPath,
      github: { event, event_name: 'issue_comment', repository: 'example/library', sha: request.base, run_id: String(RUN), run_attempt: '1', token: 'the-token', api_url: request.fake.url, server_url: 'https://github.com' },
      env: { PATH: path, HOME: request.folder, PERF_LAB_BOT_ID: String(BOT.id), ...env },
      ...(asked.scopedTokens === undefined ? {} : { scopedTokens: asked.scopedTokens }),
      ...(asked.machine === undefined ? {} : { machine: asked.machine }), ...(asked.told === undefined ? {} : { told: asked.told }),
      ...(asked.before === undefined ? {} : { before: (job: string) => asked.before!(job, request) }),
    };
    request.runner = new StepRunner(request.options);
    request.jobs = await request.runner.run('.github/workflows/benchmark.yml');
    return request;
  }

  /** Another workflow of the same repository, started by hand. */
  async dispatch(path: string, vars: Readonly<Record<string, string>>): Promise<Record<string, JobRecord>> {
    this.runner = new StepRunner({ ...this.options, vars, github: { ...this.options.github, event: {}, event_name: 'workflow_dispatch' } });
    return await this.runner.run(path);
  }

  /** A journal as the job `measure` uploads it, and what that job then says. */
  measured(journal: string): Record<string, string> {
    const { id, archive } = this.artifacts.upload('samples', 'samples.ndjson', Buffer.from(journal), { overwrite: true })!;
    return { id: String(id), archive };
  }

  /** The comment as it stands on the pull request. */
  get comment(): string { return this.fake.state.comments.filter(one => one.user.id === BOT.id).map(one => one.body).join('\n\n=====\n\n'); }
  get check() { return this.fake.state.checks[0]; }
  get results(): Record<string, Result> { return Object.fromEntries(Object.entries(this.jobs).map(([job, { result }]) => [job, result])); }

  /** Where the time of a whole run went: its five slowest steps. */
  get slowest(): string {
    return this.runner.log.filter(({ isWhole }) => !isWhole).sort((a, b) => b.seconds - a.seconds).slice(0, 5).map(({ job, step, seconds }) => `  ${seconds.toFixed(1)} s  ${job}, ${step}\n`).join('');
  }

  /** What the steps said, for a failed test. */
  get story(): string { return this.runner.log.filter(({ code, output }) => code !== 0 || output !== '').map(({ job, step, code, output }) => `${job}, ${step}: ${code}\n${output}`).join('\n').slice(-6000); }

  file(name: string): string { return readFileSync(join(this.folder, name), 'utf8'); }

  async end(): Promise<void> {
    await this.fake.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private git(...args: string[]): string {
    return execFileSync('git', ['-C', this.library, '-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false', ...args], { encoding: 'utf8' }).trim();
  }

  private commit({ prepare, change, page }: Asked): void {
    mkdirSync(this.library);
    this.git('init', '--quiet', '--initial-branch=main');
    if (page !== undefined) {
      symlinkSync(repository, join(this.folder, 'perf-lab'));
      execFileSync('bash', ['-euo', 'pipefail', '-c', page.commands], {
        cwd: this.library, stdio: 'pipe', env: { PATH: process.env['PATH'], HOME: this.folder, GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org' },
      });
    } else {
      if (this.itself) copyWorkingTree(this.library);
      else cpSync(join(import.meta.dirname, '../fixtures/library'), this.library, { recursive: true });
      prepare?.(this.library);
      this.git('add', '-A');
      this.git('commit', '--quiet', '-m', 'base');
    }
    this.base = this.git('rev-parse', 'HEAD');
    change(this.library);
    this.git('add', '-A');
    this.git('commit', '--quiet', '--allow-empty', '-m', 'head');
    this.head = this.git('rev-parse', 'HEAD');
  }

  private open(): void {
    const { state } = this.fake, pull = state.pulls.get(PULL)!;
    pull.head.sha = this.head;
    pull.base.sha = this.base;
    state.mergeBases.set(`${this.base}...${this.head}`, this.base);
    state.files = this.git('diff', '--name-only', this.base, this.head).split('\n').filter(Boolean).map(filename => ({ filename }));
  }
}

const commitHere = (): string => execFileSync('git', ['-C', repository, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();

/** What a commit of everything here would hold. */
function copyWorkingTree(target: string): void {
  const files = execFileSync('git', ['-C', repository, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8', maxBuffer: 64 << 20 }).split('\0');
  for (const file of files.filter(file => file !== '' && existsSync(join(repository, file)))) cpSync(join(repository, file), join(target, file));
}
