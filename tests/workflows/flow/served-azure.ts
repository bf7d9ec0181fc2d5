import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { repository } from '../rules/files.ts';
import type { More } from './hosted.ts';

/** What the fake Azure holds, as it writes it down after each call. */
export interface AzureState {
  readonly power: string; readonly capacity: number; readonly made: number; readonly customData: string | null; readonly model: string;
  readonly tags: Readonly<Record<string, string>>; readonly parts: readonly string[]; readonly calls: readonly string[];
}

interface Identities { readonly power: { readonly clientId: string }; readonly sign: { readonly clientId: string } }

/**
 * The fake Azure of the runner's tests, with all that it refuses, as a process behind TLS; and the way there: steps run the real `perf-lab lab`, whose
 * connection to management.azure.com goes through a proxy of ours, and `az`, whose login is what azure/login left.
 */
export class ServedAzure {
  readonly folder = mkdtempSync(join(tmpdir(), 'perf-lab-azure-'));
  /** Hosts that somebody wanted to reach, and that are not there. */
  readonly strangers: string[] = [];
  private readonly proxy = http.createServer((_, response) => { response.writeHead(502).end(); });
  private child!: ChildProcess;

  static async start(quota = 100): Promise<ServedAzure> {
    const azure = new ServedAzure();
    azure.child = spawn(testProgram(), ['-class', '*.ServedAzure'], { env: { ...process.env, PERF_LAB_FAKE_AZURE: azure.folder, PERF_LAB_FAKE_QUOTA: String(quota) }, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [azure.child.stdout!, azure.child.stderr!]) stream.on('data', (chunk: Buffer) => { said += chunk.toString(); });
    for (let waited = 0; !existsSync(join(azure.folder, 'port')); waited += 100) {
      if (azure.child.exitCode !== null || waited > 60_000) throw new Error(`the fake Azure did not start:\n${said}`);
      await pause(100);
    }
    await azure.open(Number(azure.read('port')));
    return azure;
  }

  get lab(): string { return this.read('lab.json'); }
  get state(): AzureState { return JSON.parse(this.read('state.json')) as AzureState; }

  /** What a hosted machine has of it. */
  get more(): More {
    const { identities } = JSON.parse(this.lab) as { identities: Identities }, login = join(this.folder, 'login'), vault = join(this.folder, 'vault.mjs');
    // Key Vault signs for whoever has its token; node's own fetch takes no proxy.
    writeFileSync(vault, `const real = globalThis.fetch;
globalThis.fetch = (url, init) => new URL(url).hostname !== 'perf-lab.vault.azure.net' ? real(url, init)
  : Promise.resolve(init.headers.authorization === 'Bearer vault-token' ? Response.json({ kid: 'k', value: '${randomBytes(256).toString('base64url')}' }) : new Response('{}', { status: 403 }));\n`);
    return {
      env: { HTTPS_PROXY: `http://127.0.0.1:${(this.proxy.address() as AddressInfo).port}`, SSL_CERT_FILE: join(this.folder, 'certificate.pem'), NODE_OPTIONS: `--import=${vault}` },
      stubs: {
        'azure/login': ({ with: given }) => {
          const id = given['client-id'], who = id === identities.power.clientId ? 'lab-power' : id === identities.sign.clientId ? 'lab-sign' : undefined;
          // Azure/azure-workload-identity#1145: an identity that sees no subscription.
          if (who === undefined || (who === 'lab-sign' && given['allow-no-subscriptions'] !== 'true')) return { code: 1 };
          writeFileSync(login, who);
          return {};
        },
      },
      programs: {
        az: `who=$(cat ${login})
case "$*" in
  *--version*|version*) echo '{"azure-cli": "2.80.0"}' ;;
  *vault.azure.net*accessToken*) [[ $who == lab-sign ]] || exit 1; echo vault-token ;;
  *get-access-token*management.azure.com*) printf '{"accessToken":"%s","expiresOn":"2099-01-01 00:00:00.000000","expires_on":4070908800,"tokenType":"Bearer"}' "$who" ;;
  *) echo "az: what is $*" >&2; exit 9 ;;
esac`,
      },
    };
  }

  async end(): Promise<void> {
    writeFileSync(join(this.folder, 'stop'), '');
    this.proxy.close();
    this.proxy.closeAllConnections();
    if (this.child.exitCode === null) await new Promise(done => this.child.on('close', done));
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async open(port: number): Promise<void> {
    this.proxy.on('connect', (request: http.IncomingMessage, socket: net.Socket, head: Buffer) => {
      if (request.url !== 'management.azure.com:443') {
        this.strangers.push(request.url ?? '');
        socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
        return;
      }
      const azure = net.connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        azure.write(head);
        azure.pipe(socket).pipe(azure);
      });
      for (const end of [azure, socket]) end.on('error', () => { azure.destroy(); socket.destroy(); });
    });
    await new Promise<void>(done => { this.proxy.listen(0, '127.0.0.1', () => { done(); }); });
  }

  private read(name: string): string { return readFileSync(join(this.folder, name), 'utf8'); }
}

function testProgram(): string {
  const found = ['Release', 'Debug'].map(kind => join(repository, `tests/PerfLab.Runner.Tests/bin/${kind}/net10.0/PerfLab.Runner.Tests`)).filter(file => existsSync(file));
  const newest = found.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
  if (newest === undefined) throw new Error('the fake Azure is part of tests/PerfLab.Runner.Tests, which is not built');
  return newest;
}
