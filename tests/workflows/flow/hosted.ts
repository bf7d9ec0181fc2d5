import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { BRANCH } from '../../../.github/perf-lab/src/history/branch.ts';
import type { FakeGitHub } from '../../../.github/perf-lab/test/fake/server.ts';
import { repository } from '../rules/files.ts';
import type { Artifacts } from './artifacts.ts';
import { Attestations } from './attestations.ts';
import type { Options, Source, Stub } from './step-runner.ts';

/** What GitHub's hosted machines bring: programs on PATH, and GitHub's own actions, played over a local clone and the fake GitHub. */
export interface Hosted { readonly path: string; readonly archive: Options['archive']; readonly stubs: Readonly<Record<string, Stub>>; readonly env: Readonly<Record<string, string>> }

export interface Setting {
  readonly fake: FakeGitHub;
  readonly artifacts: Artifacts;
  readonly attestations?: Attestations;
  readonly folder: string;
  /** The repository of the pull request. */
  readonly library: string;
  /** Where the workflow files say that perf-lab comes from. */
  readonly lab: Source;
  /** perf-lab comes from there too, and is published for real. */
  readonly itself: boolean;
  /** A release that perf-lab's commit pins: the text of the file, and what else a runner is made of. */
  readonly release?: { readonly pinned: string; readonly sources: readonly string[] } | undefined;
  readonly more?: More | undefined;
}

/** What else a hosted machine has: actions, programs in front of the real ones, environment of every step. */
export interface More { readonly stubs: Readonly<Record<string, Stub>>; readonly programs: Readonly<Record<string, string>>; readonly env: Readonly<Record<string, string>> }

export function hosted({ fake, artifacts, attestations = new Attestations(), folder, library, lab, itself, release, more }: Setting): Hosted {
  const temp = join(folder, 'temp');    // with a machine lock of its own, like a machine
  mkdirSync(temp, { recursive: true });
  return {
    archive: (source, target) => { archive(source, target, { library, lab, itself, release }); },
    path: `${programs(join(folder, 'bin'), itself, more?.programs ?? {})}:${process.env['PATH']}`,
    env: { TMPDIR: temp, DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1', ...engine(), NUGET_PACKAGES: packages(), ...(itself ? {} : { DOTNET_ROOT: dotnetRoot() }), ...more?.env },
    stubs: {
      ...more?.stubs,
      'actions/checkout': ({ with: given, workspace }) => {
        if (given['ref'] === BRANCH) return checkoutData(fake, join(workspace, given['path']!));
        const target = join(workspace, given['path']!);
        git('clone', '--quiet', '--no-hardlinks', library, target);
        git('-C', target, 'checkout', '--quiet', '--detach', given['ref']!);
        return {};
      },
      'actions/setup-dotnet': () => ({}),
      'actions/attest': attestations.play,
      'actions/upload-artifact': ({ with: given, workspace }) => {
        const path = join(workspace, given['path']!);
        if (statSync(path).isDirectory()) return {};
        const made = artifacts.upload(given['name']!, basename(path), readFileSync(path), { overwrite: given['overwrite'] === 'true' });
        return made === null ? { code: 1 } : { outputs: { 'artifact-id': String(made.id), 'artifact-digest': made.archive } };
      },
      'actions/download-artifact': ({ with: given, workspace }) => {
        const found = artifacts.newest(given['name']!);
        if (found === null) return { code: 1 };
        mkdirSync(join(workspace, given['path']!), { recursive: true });
        writeFileSync(join(workspace, given['path']!, found.file), found.bytes);
        return {};
      },
    },
  };
}

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** Of perf-lab, what jobs use beside the runner. */
const PARTS = ['.github', 'global.json', 'perf-lab.yaml', 'workloads/kit', 'workloads/benchmark-driver', 'workloads/Directory.Build.props', 'workloads/Directory.Build.targets', 'workloads/Directory.Packages.props'];

function archive(source: Source, target: string, { library, lab, itself, release }: Pick<Setting, 'library' | 'lab' | 'itself' | 'release'>): void {
  if (source.repository !== lab.repository || source.commit !== lab.commit) throw new Error(`perf-lab is ${lab.repository}@${lab.commit}, not ${source.repository}@${source.commit}`);
  if (itself) execFileSync('bash', ['-c', 'git -C "$0" archive "$1" | tar --extract --directory "$2"', library, source.commit, target]);
  // perf-lab as it is in this working tree.
  else for (const part of [...PARTS, ...release?.sources ?? []]) cpSync(join(repository, part), join(target, part), { recursive: true, filter: path => !/\/(node_modules|bin|obj)(\/|$)/.test(path.slice(repository.length)) });
  if (release !== undefined) writeFileSync(join(target, '.github/release/pinned'), release.pinned);
  measureWithoutEngine(target);
}

/** The data branch, which lives in the fake GitHub: its files, in what git knows as a checkout. */
function checkoutData({ state: { git: kept } }: FakeGitHub, target: string): { code?: number } {
  const head = kept.refs.get(`heads/${BRANCH}`);
  if (head === undefined) return { code: 1 };
  for (const [path, { sha }] of kept.trees.get(kept.commits.get(head)!.tree)!) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), kept.blobs.get(sha)!);
  }
  git('init', '--quiet', target);
  return {};
}

// The one change to perf-lab, where there is no Docker engine.
function measureWithoutEngine(lab: string): void {
  if (engine()['DOCKER_HOST'] !== undefined) return;
  const measure = join(lab, '.github/actions/measure/action.yml');
  writeFileSync(measure, readFileSync(measure, 'utf8').replace('default: docker', 'default: process'));
}

/** The engine that tests may use: the one that is named, or the private one of tests/engine. Empty: there is none, or nobody answers there any more. */
export function engine(): Record<string, string> {
  const named = process.env['DOCKER_HOST'] ?? 'unix:///var/lib/perf-lab-engine/docker.sock', socket = named.slice('unix://'.length);
  return named.startsWith('unix://') && existsSync(socket) && isAnswered(socket) ? { DOCKER_HOST: named } : {};
}

const answered = new Map<string, boolean>();
const CONNECT = 'require("net").connect(process.argv[1]).on("connect", () => process.exit(0)).on("error", () => process.exit(1))';

/** Whether something listens on a socket: an engine that was killed leaves its file. */
function isAnswered(socket: string): boolean {
  let known = answered.get(socket);
  if (known === undefined) answered.set(socket, known = spawnSync(process.execPath, ['-e', CONNECT, socket], { stdio: 'ignore', timeout: 10_000 }).status === 0);
  return known;
}

const BASES = join(repository, '.perf-lab/bases');

/** NuGet's folder of this user: a step's HOME is an empty one. */
const packages = (): string => process.env['NUGET_PACKAGES'] ?? join(homedir(), '.nuget/packages');

/** Programs in front of the real ones: nothing installs npm packages, and the runner is built, unless it is to be published. */
function programs(folder: string, itself: boolean, more: Readonly<Record<string, string>>): string {
  const scripts: Record<string, string> = {
    node: `exec ${process.execPath} "$@"`,
    npm: 'echo "a job of the lab installs packages: npm $*" >&2\nexit 1',
    // Root already, with what the image of GitHub brings; a base that an earlier run made is kept, as on a laptop.
    sudo: `[[ $1 != apt-get ]] || exit 0\n[[ ! -d ${BASES} ]] || { mkdir -p tools/repository/.perf-lab; cp -R ${BASES} tools/repository/.perf-lab/bases; }\n"$@"\nmkdir -p ${BASES}; cp -Ru tools/repository/.perf-lab/bases/. ${BASES}`,
    ...(itself ? {} : { dotnet: `case $* in
  run*runner/PerfLab.Lab*) while [[ $1 != -- ]]; do shift; done; shift; exec ${builtLab()}/perf-lab-lab "$@" ;;
  publish*runner/PerfLab.Runner*) while [[ $1 != --output ]]; do shift; done; mkdir -p "$2"; cp -R ${builtLab()}/. ${builtRunner()}/. "$2" ;;
  *) exec ${real('dotnet')} "$@" ;;
esac` }),
    ...more,
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/usr/bin/env bash\nset -euo pipefail\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

const real = (program: string): string => execFileSync('bash', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();

/** Where the built runner, which is not self-contained, finds its runtime. */
export const dotnetRoot = (): string => dirname(realpathSync(real('dotnet')));

/** The runner that ./perf-lab or `dotnet build` made last. */
export function builtRunner(): string {
  const folders = ['.perf-lab/runner/artifacts/bin/PerfLab.Runner/release', 'runner/PerfLab.Runner/bin/Release/net10.0', 'runner/PerfLab.Runner/bin/Debug/net10.0']
    .map(folder => join(repository, folder)).filter(folder => existsSync(join(folder, 'perf-lab')));
  const newest = folders.sort((a, b) => statSync(join(b, 'perf-lab.dll')).mtimeMs - statSync(join(a, 'perf-lab.dll')).mtimeMs)[0];
  if (newest === undefined) throw new Error('the runner is not built: `./perf-lab list` builds it');
  return newest;
}

/** The program of the machines in Azure, which is built with the runner, and is published into its folder. */
export const builtLab = (): string => builtRunner().replace('/PerfLab.Runner/', '/PerfLab.Lab/');
