import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { gate } from '../../../.github/perf-lab/src/gate.ts';
import { takeRequest } from '../../../.github/perf-lab/src/thread/request-at-hand.ts';
import { status } from '../../../.github/perf-lab/src/status.ts';
import { startFakeGitHub, type FakeGitHub, type FaultRule } from '../../../.github/perf-lab/test/fake/server.ts';
import { BOT, NOW, WRITTEN } from '../../../.github/perf-lab/test/fake/state.ts';
import { CONFIG, testClient } from '../../../.github/perf-lab/test/support/lab.ts';
import { FIND_OUT, publishSteps, summary } from '../../../.github/perf-lab/test/support/request.ts';
import { repository, type Action } from '../rules/files.ts';
import { Artifacts } from '../flow/artifacts.ts';
import { Attestations } from '../flow/attestations.ts';
import { StepRunner, type Result, type Stub } from '../flow/step-runner.ts';

/** What goes wrong with one request; keys are jobs as the step runner names them. */
export interface Faults {
  /** The storage takes no artifact of these names. */
  readonly full: readonly string[];
  /** Deleted just before a job. */
  readonly deleted: Readonly<Record<string, string>>;
  /** How jobs end without running. */
  readonly ends: Readonly<Record<string, Result>>;
  /** What GitHub answers to a job; undefined: as always. */
  readonly api: Readonly<Record<string, FaultRule>>;
  /** A build that fails with a log. */
  readonly doesNotBuild: readonly string[];
}

const RUNNER = `#!/bin/sh
case "$*" in
  compare*)
  ${FIND_OUT}
  echo '**no change found in 3**' >"$out/report.md"
  echo '<!doctype html>' >"$out/report.html"
  cat <<'X'
${summary({ unchanged: 3 }, 'no change found in 3')}
X
  ;;
esac
`;

/**
 * One request through the workflow files: their jobs, needs, conditions, outputs, steps of bash and downloads are real, and so are gate, status and publish, with the
 * inputs that the files and the actions hand them. Played: GitHub, its artifact service, and what takes minutes: perf-lab's own build, the plan, builds, measuring, the runner that judges.
 */
export class FaultyRequest {
  readonly folder = mkdtempSync(join(tmpdir(), 'perf-lab-faulty-'));
  readonly artifacts: Artifacts;
  /** Jobs that ran, and how those ended that a fault ended. */
  readonly ran: string[] = [];
  attempt = 1;
  results: Record<string, Result> = {};

  private constructor(readonly fake: FakeGitHub, private readonly faults: Faults) {
    this.artifacts = new Artifacts(fake);
    for (const name of faults.full) this.artifacts.full(name);
  }

  static async run(faults: Faults): Promise<FaultyRequest> {
    const request = new FaultyRequest(await startFakeGitHub(), faults);
    await request.carry();
    return request;
  }

  get comments(): string[] { return this.fake.state.comments.filter(({ user }) => user.id === BOT.id).map(({ body }) => body); }
  get isRed(): boolean { return Object.values(this.results).includes('failure'); }
  async end(): Promise<void> {
    await this.fake.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** "Re-run all jobs" of somebody who saw that it was red; GitHub is well again. */
  async again(): Promise<void> {
    this.attempt++;
    (this as { faults: Faults }).faults = { full: [], deleted: {}, ends: {}, api: {}, doesNotBuild: [] };
    await this.carry();
  }

  private async carry(): Promise<void> {
    const { fake } = this, id = 1001, event = { action: 'created', issue: { number: 5, pull_request: {} }, comment: { id, body: '/benchmark', user: { id: 42, login: 'alice', type: 'User' }, created_at: WRITTEN, updated_at: WRITTEN } };
    if (this.attempt === 1) {
      fake.state.lastId = id;
      fake.state.comments.push({ id, node_id: `IC_${id}`, issue: 5, body: '/benchmark', user: event.comment.user, created_at: WRITTEN, updated_at: WRITTEN });
    }
    const eventPath = join(this.folder, 'event.json'), work = join(this.folder, `attempt-${this.attempt}`);
    mkdirSync(work);
    writeFileSync(eventPath, JSON.stringify(event));
    const nothing: Stub = () => ({}), bin = join(work, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), '#!/bin/sh\necho "$COMMIT"\n');    // "It is that commit": there is no repository here
    chmodSync(join(bin, 'git'), 0o755);
    const runner = new StepRunner({
      source: { folder: repository, repository: 'example/library', commit: '0'.repeat(40) }, folder: work, eventPath, env: { PATH: `${bin}:${process.env['PATH']!}`, HOME: work },
      github: { event, event_name: 'issue_comment', repository: 'example/library', repository_id: '500', sha: '0'.repeat(40), run_id: '900', run_attempt: String(this.attempt), token: 'the-token', api_url: fake.url, server_url: 'https://github.com' },
      before: job => this.before(job),
      archive: () => undefined,    // what is used of it is played below
      stubs: {
        'actions/setup-dotnet': nothing,
        'actions/attest': new Attestations().play,
        'actions/checkout': ({ with: given, workspace }) => {
          mkdirSync(join(workspace, given['path']!), { recursive: true });
          if (given['path'] === 'repository') writeFileSync(join(workspace, 'repository/perf-lab.yaml'), CONFIG);
          return {};
        },
        'actions/download-artifact': ({ with: given, workspace }) => {
          const found = this.artifacts.newest(given['name']!);
          if (found === null) return { code: 1 };
          mkdirSync(join(workspace, given['path']!), { recursive: true });
          writeFileSync(join(workspace, given['path']!, found.file), found.bytes);
          return {};
        },
      },
      actions: {
        ...Object.fromEntries(['gate', 'status', 'publish'].map(name => [name, this.program(name, work)])),
        'upload': ({ with: given, workspace }) => this.upload(given['name']!, join(workspace, given['path']!)),
        'tools': ({ with: given, workspace }) => {
          for (const folder of ['tools/lab/.github', 'tools/repository', 'tools/runner']) mkdirSync(join(workspace, folder), { recursive: true });
          writeFileSync(join(workspace, 'tools/repository/perf-lab.yaml'), CONFIG);
          writeFileSync(join(workspace, 'tools/runner/perf-lab'), RUNNER);
          chmodSync(join(workspace, 'tools/runner/perf-lab'), 0o755);
          execFileSync('tar', ['--create', '--file', given['out']!, 'tools'], { cwd: workspace });
          return { outputs: { result: 'packed' } };
        },
        'runner': nothing,    // it came with the tools
        'plan': ({ with: given, workspace }) => {
          writeFileSync(join(workspace, given['plan']!), JSON.stringify({ schema: 'perf-lab/plan/1', plan: { hash: 'sha256:x', cells: [{}, {}, {}], estimate: { leastSeconds: 600, mostSeconds: 1200 } } }));
          return { outputs: { result: 'planned', machines: '1' } };
        },
        'bases': ({ with: given, workspace }) => { writeFileSync(join(workspace, given['out']!), 'bases'); return {}; },
        'build': ({ with: given, workspace, job }) => {
          if (this.faults.doesNotBuild.some(side => job.includes(`build-${side}`))) {
            writeFileSync(join(workspace, given['log']!), 'Program.cs(1,1): error CS1002\n');
            return { code: 1 };
          }
          writeFileSync(join(workspace, `${given['arm']}.tar`), given['arm']!);
          return {};
        },
        'lab-up': () => ({ outputs: { label: 'run-900' } }), 'lab-down': nothing,
        'measure': ({ with: given, workspace }) => {
          mkdirSync(join(workspace, given['out']!), { recursive: true });
          writeFileSync(join(workspace, given['out']!, 'samples.ndjson'), '{"kind":"session"}\n');
          return {};
        },
      },
    });
    this.results = Object.fromEntries(Object.entries(await runner.run('.github/workflows/benchmark.yml')).map(([job, { result }]) => [job, result]));
    this.ran.push(...runner.log.map(({ job }) => job));
  }

  private before(job: string): Result | undefined {
    const { fake, faults } = this;
    const gone = faults.deleted[job];
    if (gone !== undefined) this.artifacts.delete(gone);
    fake.fault = faults.api[job];
    return faults.ends[job];
  }

  private upload(name: string, path: string): ReturnType<Stub> {
    if (!existsSync(path)) return { code: 1 };
    const bytes = readFileSync(path), made = this.artifacts.upload(name, basename(path), bytes, { overwrite: true });
    const digest = createHash('sha256').update(bytes).digest('hex');
    return made === null ? { code: 1, outputs: { digest } } : { outputs: { digest, id: String(made.id), archive: made.archive } };
  }

  /** A command of ours with the environment that its action.yml makes of the workflow's words. */
  private program(name: string, work: string): Stub {
    const action = parse(readFileSync(join(repository, `.github/actions/${name}/action.yml`), 'utf8')) as Action;
    const step = action.runs.steps!.find(({ env }) => env !== undefined)!;
    return async ({ with: given, workspace }) => {
      const here = mkdtempSync(join(work, 'program-')), at = (file: string): string => join(here, file);
      const said = Object.fromEntries(Object.entries(step.env!).map(([key, value]) => [key, String(value).replace(/\$\{\{ inputs\.([a-z-]+) \}\}/, (_, input: string) => given[input] ?? action.inputs![input]!.default ?? '')]));
      const paths = Object.fromEntries(Object.entries(said).map(([key, value]) => [key, /^(in|tools|repository|report)(\/|$)/.test(value) ? join(workspace, value) : value]));
      const env: Record<string, string> = {
        GITHUB_EVENT_NAME: 'issue_comment', GITHUB_EVENT_PATH: join(this.folder, 'event.json'), GITHUB_REPOSITORY: 'example/library', GITHUB_API_URL: this.fake.url, GITHUB_SERVER_URL: 'https://github.com', GITHUB_RUN_ID: '900',
        GITHUB_RUN_ATTEMPT: String(this.attempt), GITHUB_OUTPUT: at('output'), GITHUB_STEP_SUMMARY: at('summary'), PERF_LAB_BOT_ID: String(BOT.id), ...paths, PERF_LAB_SAID: at('said.json'),
      };
      const gh = testClient(this.fake);
      let code = 1;
      try {
        code = name === 'gate' ? await gate({ env, gh, now: NOW }) : name === 'status' ? await status(env['STEP'], await takeRequest(gh, env, NOW)) : await publishSteps(await takeRequest(gh, env, NOW + 1_800_000));
      } catch { /* red, as main() makes it */ }
      const lines = existsSync(at('output')) ? readFileSync(at('output'), 'utf8').split('\n').filter(Boolean) : [];
      return { code: code >= 20 && code < 60 ? 0 : code, outputs: Object.fromEntries(lines.map(line => line.split(/=(.*)/s).slice(0, 2) as [string, string])) };
    };
  }
}
