import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type EngineOptions, FakeEngine } from './fake-engine';
import type { Recorded } from './recorded';

const PROJECT = 'perf-lab';
const infra = join(__dirname, '..', '..');
const runtime = createRequire(join(infra, 'index.ts')).resolve('@pulumi/pulumi/cmd/run');

/** A stack's configuration as `Pulumi.<stack>.yaml` has it: objects and texts by key, and which keys are stored encrypted. */
export interface StackConfig { readonly stack: string; readonly values: Readonly<Record<string, unknown>>; readonly secrets?: Readonly<Record<string, string>> }

export interface RunOptions {
  readonly preview?: boolean;
  /** Kills the program when it asks for a resource whose URN holds this text, as a cut connection or Ctrl-C twice would. */
  readonly killAt?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly world?: EngineOptions['world'];
  readonly answer?: EngineOptions['answer'];
}

/** Runs the real program in Pulumi's real language runtime, started the way the CLI's language host starts it, against a fake engine. */
export async function runProgram(config: StackConfig, { preview = false, killAt, environment = {}, world, answer }: RunOptions = {}): Promise<Recorded> {
  const kill = new AbortController();
  const engine = new FakeEngine({ project: PROJECT, stack: config.stack }, { preview, ...(world ? { world } : {}), ...(answer ? { answer } : {}), ...(killAt ? { cutAt: { urn: killAt, cut: () => { kill.abort(); } } } : {}) });
  const address = await engine.listen();
  try {
    const { exitCode, text } = await start([
      '--monitor', address, '--engine', address, '--organization', 'organization', '--project', PROJECT, '--root-directory', join(infra, '..'),
      '--stack', config.stack, '--pwd', infra, ...(preview ? ['--dry-run'] : []), '--parallel', '16', '.',
    ], { ...pulumiConfig(config), ...environment }, kill.signal);
    return { exitCode, text, ...engine.recorded() };
  } finally {
    engine.close();
  }
}

/** As the language host hands it over: values always texts, their keys as `project:config:key`, the list of secret ones without the middle. */
function pulumiConfig({ values, secrets = {} }: StackConfig): Record<string, string> {
  const texts = Object.entries({ ...values, ...secrets }).map(([key, value]) => [key.includes(':') ? key.replace(':', ':config:') : `${PROJECT}:config:${key}`, typeof value === 'string' ? value : JSON.stringify(value)]);
  return { PULUMI_CONFIG: JSON.stringify(Object.fromEntries(texts)), PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(Object.keys(secrets).map(key => `${PROJECT}:${key}`)) };
}

function start(parameters: readonly string[], environment: Readonly<Record<string, string>>, killed: AbortSignal): Promise<{ exitCode: number; text: string }> {
  // Types are checked by `npm test` before any test; doing it again at each start would be most of the time.
  const clean = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', PULUMI_NODEJS_TYPESCRIPT: 'true', PULUMI_NODEJS_TRANSPILE_ONLY: 'true' };
  return new Promise((done, failed) => {
    // Pulumi keeps a stack trace of every promise that it makes, which is a good part of a run.
    const child = spawn(process.execPath, ['--stack-trace-limit=0', runtime, ...parameters], { cwd: infra, env: { ...clean, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => { text += chunk; });
    killed.addEventListener('abort', () => { child.kill('SIGKILL'); });
    child.on('error', failed);
    child.on('close', exitCode => { done({ exitCode: exitCode ?? -1, text }); });
  });
}
