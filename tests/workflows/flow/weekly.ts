import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pushCommit, putBlob } from '../../../.github/perf-lab/test/fake/git-routes.ts';
import { startFakeGitHub, type FakeGitHub } from '../../../.github/perf-lab/test/fake/server.ts';
import { BOT, type Issue } from '../../../.github/perf-lab/test/fake/state.ts';
import { repository } from '../rules/files.ts';
import { Artifacts } from './artifacts.ts';
import { builtRunner, dotnetRoot, hosted } from './hosted.ts';
import { makeJournal } from './made-journal.ts';
import { StepRunner, type JobRecord, type Result, type Stub } from './step-runner.ts';

/** How fast a program is at a commit, against the anchor: 1 is as fast. `limit`: the cell's parameter. */
export type Speed = (limit: string, commit: string) => number;

export interface Week {
  readonly results: Readonly<Record<string, Result>>;
  readonly runner: StepRunner;
  readonly story: string;
}

const steady = (index: number): string => `c${String(index).padStart(3, '0')}`.padEnd(40, '0');

const SUITE = 'weekly: { workloads: [primes], set: { limit: ["200", "300", "400"] } }';

/** A lab with a weekly trend: one fake GitHub and one git repository over many runs of trend.yml, each with the files' own steps. */
export class Lab {
  readonly folder = mkdtempSync(join(tmpdir(), 'perf-lab-weekly-'));
  readonly library = join(this.folder, 'library');
  readonly commits: string[] = [];
  private runs = 0;
  /** What GitHub Pages shows, file by file; null: nothing was published. */
  site: ReadonlyMap<string, string> | null = null;

  artifacts: Artifacts;

  private constructor(readonly fake: FakeGitHub) { this.artifacts = new Artifacts(fake); }

  /** @param machine of the fixture's perf-lab.yaml; @param policy lines for it. */
  static async open(machine = 'shed', policy = ''): Promise<Lab> {
    const lab = new Lab(await startFakeGitHub());
    cpSync(join(import.meta.dirname, '../fixtures/library'), lab.library, { recursive: true });
    const file = join(lab.library, 'perf-lab.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('suites:\n', `suites:\n  ${SUITE}\n`).replace('suite: pr, machine: bench', `suite: weekly, machine: ${machine}`) + policy);
    lab.git('init', '--quiet', '--initial-branch=main');
    lab.commit();
    return lab;
  }

  /** A commit that changes nothing that is measured. */
  commit(): string {
    const number = this.commits.length, at = new Date(Date.UTC(2026, 0, 1 + 7 * number)).toISOString();
    writeFileSync(join(this.library, 'CHANGES'), `${number}\n`);
    this.git('add', '-A');
    execFileSync('git', ['-C', this.library, '-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false', 'commit', '--quiet', '-m', `commit ${number}`], { env: { ...process.env, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at } });
    const commit = this.git('rev-parse', 'HEAD');
    this.commits.push(commit);
    this.fake.state.history = this.commits;
    return commit;
  }

  /** A commit that does everything twice. */
  change(): string {
    const script = join(this.library, 'workloads/primes/run.sh');
    writeFileSync(script, readFileSync(script, 'utf8').replace('  sweep "$limit"\n', '  sweep "$limit"\n  sweep "$limit"\n'));
    return this.commit();
  }

  /** The commit of a name in a plan, which has 12 digits. */
  indexOf(commit: string): number { return this.commits.findIndex(one => one.startsWith(commit)); }

  /** One run of trend.yml at the newest commit. `speed`: journals are made; without it, it is measured. */
  async week({ speed, started = '', before, twice = '', pages = false, aa = false, anchor = 0, nextAnchor }: { pages?: boolean; aa?: boolean; anchor?: number; nextAnchor?: number; speed?: Speed; started?: string; before?: (job: string) => Result | JobRecord | undefined; twice?: string } = {}): Promise<Week> {
    const folder = join(this.folder, `run-${++this.runs}`), head = this.commits.at(-1)!;
    mkdirSync(folder);
    const own = { folder: repository, repository: 'example/library', commit: head };
    this.artifacts = new Artifacts(this.fake);    // each run has its own
    const { path, archive, stubs, env } = hosted({ fake: this.fake, artifacts: this.artifacts, folder, library: this.library, lab: own, itself: false, more: { stubs: this.pages(), programs: {}, env: {} } });
    const event = { schedule: '23 3 * * 1' }, eventPath = join(folder, 'event.json');
    writeFileSync(eventPath, JSON.stringify(event));
    const runner = new StepRunner({
      source: own, folder, archive, stubs, eventPath, scopedTokens: true, vars: {
        PERF_LAB_TREND_ANCHOR: this.commits[anchor], PERF_LAB_TREND_AA: aa ? 'on' : 'off', ...(nextAnchor === undefined ? {} : { PERF_LAB_TREND_NEXT_ANCHOR: this.commits[nextAnchor] }), ...(pages ? { PERF_LAB_PAGES: 'on' } : {}),
      },
      github: { event, event_name: 'schedule', repository: 'example/library', ref: 'refs/heads/main', sha: head, run_id: '900', run_attempt: '1', token: 'the-token', api_url: this.fake.url, server_url: 'https://github.com' },
      env: { PATH: path, HOME: folder, PERF_LAB_BOT_ID: String(BOT.id), ...env },
      before: job => before?.(job) ?? (speed === undefined ? undefined : this.made(job, folder, speed, started, twice)),
    });
    const jobs = await runner.run('.github/workflows/trend.yml');
    const story = runner.log.filter(({ code, output }) => code !== 0 || output !== '').map(({ job, step, code, output }) => `${job}, ${step}: ${code}\n${output}`).join('\n').slice(-6000);
    rmSync(folder, { recursive: true, force: true });
    return { results: Object.fromEntries(Object.entries(jobs).map(([job, { result }]) => [job, result])), runner, story };
  }

  /** GitHub Pages: one job uploads a folder, another publishes what was uploaded. */
  private pages(): Record<string, Stub> {
    return {
      'actions/upload-pages-artifact': ({ with: given, workspace }) => {
        const folder = join(workspace, given['path']!), names = readdirSync(folder, { recursive: true }).map(String).filter(name => statSync(join(folder, name)).isFile());
        const pages = JSON.stringify(names.map(name => [name, readFileSync(join(folder, name), 'utf8')]));
        return this.artifacts.upload('github-pages', 'artifact.tar', Buffer.from(pages)) === null ? { code: 1 } : {};    // as the action does: nothing is overwritten
      },
      'actions/deploy-pages': () => {
        const uploaded = this.artifacts.newest('github-pages');
        if (uploaded !== null) this.site = new Map(JSON.parse(uploaded.bytes.toString()) as [string, string][]);
        return { code: uploaded === null ? 1 : 0 };
      },
    };
  }

  /** Sessions of earlier weeks, one a commit, put on the data branch as the publishing job would have. */
  past(speed: Speed, from: Date): void {
    const files = new Map<string, { sha: string; mode: string }>();
    const anchor = this.commits[0]!;
    const put = (text: string, started: string): void => {
      const journal = Buffer.from(text), stamp = started.slice(0, 19).replace(/[-:]/g, '').replace('T', '-'), digest = createHash('sha256').update(journal).digest('hex').slice(0, 16);
      files.set(`${started.slice(0, 4)}/${stamp}-${digest}.ndjson`, { sha: putBlob(this.fake.state, journal), mode: '100644' });
    };
    for (const [index, head] of this.commits.entries()) {
      if (index === 0) continue;
      const started = new Date(from.getTime() + 7 * 86_400_000 * (index - 1)).toISOString();
      // Every third week the lab also measured a build against itself.
      if (index % 3 === 0) put(this.journal(this.plan(['--aa', '--base', `source=${anchor}`]), () => 1, started.replace('T03', 'T06'), 'aa'), started.replace('T03', 'T06'));
      put(this.journal(this.plan(['--anchor', `source=${anchor}`, '--head', `source=${head}`]), speed, started, ''), started);
    }
    rmSync(join(this.library, '.perf-lab'), { recursive: true, force: true });
    pushCommit(this.fake.state, 'perf-lab-data', files, { parent: null, author: BOT.id, verified: true });
  }

  private plan(arms: readonly string[]): string {
    return execFileSync(join(builtRunner(), 'perf-lab'), ['plan', 'weekly', ...arms, '--checkouts', '.'], {
      cwd: this.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env: { PATH: process.env['PATH'], HOME: this.folder, DOTNET_ROOT: dotnetRoot(), PERF_LAB_ROOT: this.library },
    });
  }

  /** An issue as it stands, with what differs between two runs of a test replaced. */
  shown({ body }: Issue): string {
    return this.commits.reduce((text, commit, index) => text.replaceAll(commit, steady(index)).replaceAll(commit.slice(0, 12), steady(index).slice(0, 12)), body).replace(/data=[0-9a-f]{40}/, `data=${'d'.repeat(40)}`);
  }

  get summary(): Issue { return this.fake.state.issues.find(issue => issue.body.startsWith('<!-- perf-lab:trend v1 summary -->'))!; }
  get issues(): Issue[] { return this.fake.state.issues.filter(issue => issue.body.startsWith('<!-- perf-lab:trend v1 changes=')); }
  /** Names on the data branch. */
  get files(): string[] {
    const { git } = this.fake.state, head = git.refs.get('heads/perf-lab-data');
    return head === undefined ? [] : [...git.trees.get(git.commits.get(head)!.tree)!.keys()].sort();
  }

  /** trend.json on the data branch. */
  trend(): string {
    const { git } = this.fake.state, head = git.refs.get('heads/perf-lab-data')!;
    return git.blobs.get(git.trees.get(git.commits.get(head)!.tree)!.get('trend.json')!.sha)!.toString();
  }

  async end(): Promise<void> {
    await this.fake.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private made(job: string, folder: string, speed: Speed, started: string, twice: string): JobRecord | undefined {
    const [, name] = /\/(weekly|confirm|aa)\/measure$/.exec(job) ?? [];
    if (name === undefined) return undefined;
    const plan = readFileSync(join(folder, name === 'confirm' ? 'trend.look/confirm-plan.json' : name === 'aa' ? 'trend.plan/aa-plan.json' : 'trend.plan/plan.json'), 'utf8');
    const journal = this.journal(plan, speed, name === 'weekly' ? started : started.replace('T03', name === 'aa' ? 'T06' : 'T05'), name === 'aa' ? 'aa' : twice);
    const at = Date.parse(started), end = new Date(at + (name === 'weekly' ? 1_500_000 : 900_000)).toISOString();
    this.fake.state.jobs = this.fake.state.jobs.filter(one => name !== 'weekly' && one.run === 900);
    this.fake.state.jobs.push({ run: 900, name: `trend / ${name} / measure`, conclusion: 'success', started_at: new Date(at).toISOString(), completed_at: end });
    const { id, archive } = this.artifacts.upload(name === 'weekly' ? 'samples' : `${name}-samples`, 'samples.ndjson', Buffer.from(journal), { overwrite: true })!;
    return { result: 'success', outputs: { id: String(id), archive } };
  }

  private journal(plan: string, speed: Speed, started: string, twice: string): string {
    const { plan: { cells } } = JSON.parse(plan) as { plan: { cells: { id: string; parameters: Record<string, string>; arms: { id: string; dimensions: Record<string, string> }[] }[] } };
    const at = (cell: (typeof cells)[number], arm: number): number => speed(cell.parameters['limit']!, cell.arms.at(arm)!.dimensions['source']!);
    const effects = Object.fromEntries(cells.map(cell => [cell.id, at(cell, -1) / at(cell, 0) - 1]));
    const nextEffects = Object.fromEntries(cells.map(cell => [cell.id, at(cell, 1) / at(cell, 0) - 1]));    // the anchor to come stands in the middle
    return makeJournal({ plan, effects, nextEffects, noise: 0.006, session: `${started.slice(0, 10)}-${started.slice(11, 13)}${twice}`, started, isAa: twice === 'aa' });
  }

  private git(...args: string[]): string { return execFileSync('git', ['-C', this.library, ...args], { encoding: 'utf8' }).trim(); }
}
