import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../rules/files.ts';
import { builtLab, builtRunner } from './hosted.ts';

const VERSION = '0.1.0', ADDRESS = `https://github.com/octo-org/perf-lab/releases/download/v${VERSION}/perf-lab-${VERSION}-linux-x64.tar.gz`;

/** What a release's archive is made of, as .github/release/sources lists it. */
export const SOURCES = ['runner', 'workloads', 'infra/machine/cloud-init.yaml', 'LICENSE', 'Directory.Build.props', 'Directory.Packages.props', 'BannedSymbols.txt', '.editorconfig'];

/**
 * GitHub's side of a release's file. Recorded: a file that is there is answered with 302 and an address of the store (Installomator/Installomator#2107), which answers 200
 * as application/octet-stream (gm3dmo/the-power#393); one that is not there with 404.
 */
export class ReleasedRunner {
  /** What is served; null: there is no such file. */
  file: Buffer | null;
  readonly asked: string[] = [];
  private static made: Buffer | undefined;
  private constructor(private readonly server: http.Server, readonly archive: Buffer) { this.file = archive; }

  static async serve(): Promise<ReleasedRunner> {
    const server = http.createServer((request, response) => { released.answer(request.url ?? '', response); });
    const released = new ReleasedRunner(server, ReleasedRunner.made ??= pack());
    await new Promise<void>(done => { server.listen(0, '127.0.0.1', done); });
    return released;
  }

  private answer(path: string, response: http.ServerResponse): void {
    this.asked.push(path);
    if (path.startsWith('/github-production-release-asset/')) response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(this.file);
    else if (this.file === null || path !== new URL(ADDRESS).pathname) response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not Found');
    else response.writeHead(302, { 'content-type': 'text/html; charset=utf-8', 'location': `${this.url}/github-production-release-asset/569041/9d182944` }).end();
  }

  get url(): string { return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`; }

  /** The file that a release's commit holds. */
  pinned(more: Readonly<Record<string, string>> = {}): string {
    const sources = execFileSync(join(repository, '.github/release/sources'), { encoding: 'utf8' }).trim();
    const lines = { version: VERSION, sdk: '10.0.401', sources, archive: createHash('sha256').update(this.archive).digest('hex'), address: ADDRESS, ...more };
    return Object.entries(lines).map(([name, value]) => `${name} ${value}\n`).join('');
  }

  /** curl as it is, with this server in github.com's place: everything else of its command line stands. Nothing builds the runner. */
  get programs(): Readonly<Record<string, string>> {
    return {
      curl: `words=(); for word; do [[ $word != '=https' ]] || word='=http'; words+=("\${word/https:\\/\\/github.com/${this.url.replaceAll('/', '\\/')}}"); done\nexec ${whereIs('curl')} "\${words[@]}"`,
      dotnet: `if [[ $* == *PerfLab.Runner* ]]; then echo "built from its sources: $*" >&2; exit 9; fi\nexec ${whereIs('dotnet')} "$@"`,
    };
  }

  async end(): Promise<void> {
    await new Promise<void>(done => { this.server.close(() => { done(); }); this.server.closeAllConnections(); });
  }
}

const whereIs = (program: string): string => execFileSync('bash', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();

/** The built runner in an archive of the released one's form. */
function pack(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'perf-lab-released-')), name = `perf-lab-${VERSION}-linux-x64`, file = join(folder, 'archive');
  mkdirSync(join(folder, name, 'lab'), { recursive: true });
  for (const built of [builtLab(), builtRunner()]) cpSync(built, join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'lab/perf-lab.yaml'), 'schema: perf-lab/config/1\n');
  execFileSync('bash', ['-c', 'tar --create --directory "$0" "$1" | gzip --fast >"$2"', folder, name, file]);
  const archive = readFileSync(file);
  rmSync(folder, { recursive: true, force: true });
  return archive;
}
