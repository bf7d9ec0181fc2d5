import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { repository } from '../rules/files.ts';
import { Attestations } from './attestations.ts';
import { SOURCES } from './released.ts';
import { StepRunner, type JobRecord, type Stub } from './step-runner.ts';

export const REPOSITORY = 'octo-org/perf-lab';

/** The SDK, as far as a release asks it: it "builds" what the sources say, so the same sources give the same bytes. `slip`: bytes that another machine would make. */
const DOTNET = `
case $1 in
  --version) echo 10.0.401 ;;
  publish)
    [[ -n \${CI-} && $(jq --raw-output .sdk.version global.json) == 10.0.401 ]] || { echo "not the SDK that was asked for" >&2; exit 1; }
    project=$2; while [[ $1 != --output ]]; do shift; done
    mkdir -p "$2"; cat "$project"/*.csproj >"$2/perf-lab"; cat "$SLIP" >>"$2/perf-lab"
    printf '{\\n"includedFrameworks": [ {\\n"name": "Microsoft.NETCore.App",\\n"version": "10.0.12"\\n} ] }\\n' >"$2/perf-lab.runtimeconfig.json" ;;
  pack) while [[ $1 != --output ]]; do shift; done; echo package >"$2/perf-lab.0.1.0.nupkg" ;;
esac`;

/**
 * gh, with releases in a folder. Words: cli/cli, pkg/cmd/release/create/create.go ("aborting due to --verify-tag flag"); the 422 as MongLong0214/commitlore#683 met it;
 * the 403 as every job's token answers it. Attestations: pkg/cmd/attestation/verification/extensions.go and the 404 of pkg/cmd/attestation/api/client.go.
 */
const GH = `
fail() { echo "$1" >&2; exit "\${2:-1}"; }
[[ -n \${GH_TOKEN-} ]] || fail 'gh: To use GitHub CLI in a GitHub Actions workflow, set the GH_TOKEN environment variable.' 4
if [[ "$1 $2" == 'attestation verify' ]]; then
  [[ "$4 $6 $8 \${10}" == '--repo --signer-workflow --source-ref --deny-self-hosted-runners' && $# == 10 ]] || fail "unknown flag: $*"
  digest=$(sha256sum <"$3" | cut -d ' ' -f 1)
  attested=$(grep "^$digest " "$ATTESTED" || true)
  [[ -n $attested ]] || fail "Error: HTTP 404: Not Found (https://api.github.com/repos/$5/attestations/sha256:$digest?per_page=30)"
  read -r _ of workflow ref <<<"$attested"
  [[ $of == "$5" ]] || fail "Error: expected SourceRepositoryURI to be https://github.com/$5, got https://github.com/$of"
  [[ $7 == "$workflow" ]] || fail "Error: verifying with issuer \\"sigstore.dev\\": failed to verify certificate identity: no matching CertificateIdentity found"
  [[ $9 == "$ref" ]] || fail "Error: expected SourceRepositoryRef to be $9, got $ref"
  exit
fi
[[ "$1 $2 $4 $6 $7 $9" == 'release create --repo --verify-tag --title --notes-file' ]] || fail "unknown flag: $*"
tag=$3 repository=$5 notes=\${10}
{ base64 --decode <<<"$(tr '_-' '/+' <<<"\${GH_TOKEN##*.}")===" 2>/dev/null || true; } | grep --quiet '"contents":"write"' || fail "HTTP 403: Resource not accessible by integration (https://api.github.com/repos/$repository/releases)"
grep --quiet --line-regexp "$tag" "$TAGS" || fail "tag $tag doesn't exist in the repo $repository, aborting due to --verify-tag flag"
[[ ! -e $RELEASES/$tag ]] || fail "HTTP 422: Validation Failed (https://api.github.com/repos/$repository/releases)
Release.tag_name already exists"
shift 10
mkdir -p "$RELEASES/$tag"
cp "$@" "$RELEASES/$tag"
cp "$notes" "$RELEASES/$tag.md"
echo "https://github.com/$repository/releases/tag/$tag"`;

/** A repository of perf-lab that is about to be released, and GitHub around it; real are the scripts, git and the workflow file. */
export class Release {
  readonly folder = mkdtempSync(join(tmpdir(), 'perf-lab-release-'));
  readonly lab = join(this.folder, 'lab');
  readonly attestations = new Attestations();
  runner!: StepRunner;
  private readonly env: Record<string, string>;
  private readonly artifacts = new Map<string, { file: string; bytes: Buffer }>();

  constructor() {
    for (const part of ['.github/release', '.github/workflows/release.yml', '.github/actions/upload', 'global.json', 'perf-lab.yaml', ...SOURCES.filter(part => part !== 'workloads' && part !== 'runner'), 'runner/PerfLab.Runner/PerfLab.Runner.csproj', 'workloads/script']) {
      cpSync(join(repository, part), join(this.lab, part), { recursive: true, filter: path => !/\/(bin|obj)$/.test(path) });
    }
    this.write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\nlater\n\n## 0.1.0 (2026-12-01)\n\n- It measures.\n\n## 0.0.9\n\nbefore\n');
    this.git('init', '--quiet', '--initial-branch=main');
    this.commit();
    for (const file of ['slip', 'tags', 'attested']) writeFileSync(join(this.folder, file), '');
    for (const file of ['LICENSE.TXT', 'THIRD-PARTY-NOTICES.TXT']) this.put(`packages/microsoft.netcore.app.runtime.linux-x64/10.0.12/${file}`, 'text\n');
    for (const [name, script] of [['dotnet', DOTNET], ['gh', GH]] as const) {
      this.put(`bin/${name}`, `#!/usr/bin/env bash\nset -euo pipefail\n${script}\n`);
      chmodSync(join(this.folder, 'bin', name), 0o755);
    }
    const here = (name: string): string => join(this.folder, name);
    this.env = { PATH: `${here('bin')}:${process.env['PATH']}`, HOME: this.folder, NUGET_PACKAGES: here('packages'), CI: 'true', SLIP: here('slip'), TAGS: here('tags'), ATTESTED: here('attested'), RELEASES: here('releases') };
  }

  private put(path: string, text: string): void { mkdirSync(join(this.folder, path, '..'), { recursive: true }); writeFileSync(join(this.folder, path), text); }
  write(path: string, text: string): void { writeFileSync(join(this.lab, path), text); }
  read(path: string): string { return readFileSync(join(this.lab, path), 'utf8'); }
  git(...args: string[]): string { return execFileSync('git', ['-C', this.lab, '-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false', ...args], { encoding: 'utf8' }).trim(); }
  commit(): void { this.git('add', '-A'); this.git('commit', '--quiet', '--message', 'next'); }

  /** One of .github/release, as a maintainer types it. */
  script(name: string, ...args: string[]): { code: number; said: string } {
    const { status, stdout, stderr } = spawnSync(join(this.lab, '.github/release', name), args, { encoding: 'utf8', env: { ...this.env, GH_TOKEN: 'mine' }, cwd: this.folder });
    return { code: status ?? 1, said: stdout + stderr };
  }

  pin(): void {
    const { code, said } = this.script('pin', REPOSITORY);
    if (code !== 0) throw new Error(said);
    this.commit();
  }

  /** The archive of another machine. */
  slip(): void { writeFileSync(join(this.folder, 'slip'), 'x'); }
  attest(file: string, ...of: string[]): void { writeFileSync(join(this.folder, 'attested'), `${createHash('sha256').update(readFileSync(file)).digest('hex')} ${of.join(' ')}\n`); }

  /** Pushes the tag, and GitHub starts the workflow. */
  async push(tag: string, isThere = true): Promise<Record<string, JobRecord>> {
    if (isThere) writeFileSync(join(this.folder, 'tags'), `${tag}\n`);
    const folder = mkdtempSync(join(this.folder, 'run-')), commit = this.git('rev-parse', 'HEAD');
    this.put('event.json', '{}');
    this.runner = new StepRunner({
      source: { folder: this.lab, repository: REPOSITORY, commit }, folder, eventPath: join(this.folder, 'event.json'), env: this.env, stubs: this.stubs, scopedTokens: true,
      archive: (_, target) => { cpSync(this.lab, target, { recursive: true }); },
      github: { event: {}, event_name: 'push', repository: REPOSITORY, sha: commit, ref: `refs/tags/${tag}`, ref_name: tag, token: 'the-token' },
    });
    return await this.runner.run('.github/workflows/release.yml');
  }

  private readonly stubs: Readonly<Record<string, Stub>> = {
    'actions/checkout': ({ with: given, workspace }) => { execFileSync('bash', ['-c', 'git -C "$0" archive "$1" | tar --extract --directory "$2"', this.lab, given['ref']!, workspace]); return {}; },
    'actions/setup-dotnet': ({ with: given }) => ({ code: given['dotnet-version'] === '10.0.401' ? 0 : 1 }),
    'actions/attest': given => this.attestations.play(given),
    'actions/upload-artifact': ({ with: given, workspace }) => {
      this.artifacts.set(given['name']!, { file: basename(given['path']!), bytes: readFileSync(join(workspace, given['path']!)) });
      return { outputs: { 'artifact-id': '1', 'artifact-digest': 'x' } };
    },
    'actions/download-artifact': ({ with: given, workspace }) => {
      const found = this.artifacts.get(given['name']!);
      if (found === undefined) return { code: 1 };
      mkdirSync(join(workspace, given['path']!), { recursive: true });
      writeFileSync(join(workspace, given['path']!, found.file), found.bytes);
      return {};
    },
  };

  /** Who has the run's artifact token. */
  replace(name: string): void { this.artifacts.set(name, { ...this.artifacts.get(name)!, bytes: Buffer.from('another') }); }
  get story(): string { return this.runner.log.map(({ job, step, code, output }) => `${job}, ${step}: ${code}\n${output}`).join('\n'); }
  /** Files of a release; null: there is none. */
  released(tag: string): string[] | null { const at = join(this.folder, 'releases', tag); return existsSync(at) ? readdirSync(at).sort() : null; }
  file(tag: string, name: string): string { return join(this.folder, 'releases', tag, name); }
  notes(tag: string): string { return readFileSync(join(this.folder, 'releases', `${tag}.md`), 'utf8'); }
  end(): void { rmSync(this.folder, { recursive: true, force: true }); }
}
