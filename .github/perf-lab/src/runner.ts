import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { appAuth } from './github/app-auth.ts';
import { createClient, statusOf, type Client } from './github/client.ts';
import { keyVaultSigner } from './github/key-vault.ts';
import { clientFrom, integer, readWorkplace, required, type Environment } from './process/environment.ts';
import { main, say } from './process/main.ts';
import { writeOutputs } from './process/outputs.ts';
import { realClock, type Clock } from './runner/clock.ts';
import { register } from './runner/register.ts';
import { listRunners, removeRunner } from './runner/registered.ts';
import { waitForOnline } from './runner/wait.ts';

/** One self-hosted runner for one request: registered, awaited, removed; and which there are, for the reaper. */
export async function runner(step: string | undefined, gh: Client, env: Environment, clock: Clock): Promise<number> {
  const at = readWorkplace(env);
  switch (step) {
    case 'register': {
      const machine = required(env, 'PERF_LAB_MACHINE');
      if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(machine)) throw new Error('PERF_LAB_MACHINE is not a name');
      const { id, label, blob } = await register(gh, at, machine, clock);
      writeSecret(required(env, 'PERF_LAB_JIT_FILE'), blob);
      writeOutputs(env, { 'runner-id': id, 'runner-label': label });
      return 0;
    }
    case 'wait': {
      const arrival = await waitForOnline(gh, at, integer(env, 'PERF_LAB_RUNNER_ID'), clock);
      if (arrival === 'online') return 0;
      say(arrival === 'gone' ? 'the runner was removed before it came online' : 'the runner did not come online within eight minutes: look at the machine\'s boot diagnostics');
      return 1;
    }
    case 'list': {
      const runners = await listRunners(gh, at);
      writeFileSync(required(env, 'PERF_LAB_RUNNERS_FILE'), JSON.stringify({ runners: runners.map(({ name, isOnline, isBusy }) => ({ name, status: isOnline ? 'online' : 'offline', busy: isBusy })) }));
      return 0;
    }
    case 'remove':
      return await remove(gh, env, clock);
    default:
      say('runner takes one of register, wait, list, remove');
      return 2;
  }
}

async function remove(gh: Client, env: Environment, clock: Clock): Promise<number> {
  if (!env['PERF_LAB_RUNNER_ID']) return 0;    // never registered
  try {
    await removeRunner(gh, readWorkplace(env), integer(env, 'PERF_LAB_RUNNER_ID'));
  } catch (error) {
    if (statusOf(error) !== 422) throw error;
    clock.note('the runner is still busy: GitHub removes it when its job has ended');
  }
  return 0;
}

// A new file that only we can read, and never a link that somebody put there.
function writeSecret(path: string, secret: string): void {
  rmSync(path, { force: true });
  const file = openSync(path, 'wx', 0o600);
  writeSync(file, secret);
  closeSync(file);
}

/** By the key of a GitHub App in Key Vault, or by the token of somebody who may administer. */
export function clientOf(env: Environment): Client {
  if (!env['PERF_LAB_APP_ID']) return clientFrom(env, { log: say });
  const sign = keyVaultSigner({ url: required(env, 'PERF_LAB_KEY_URL'), token: required(env, 'PERF_LAB_VAULT_TOKEN') });
  const app = { appId: required(env, 'PERF_LAB_APP_ID'), installationId: required(env, 'PERF_LAB_INSTALLATION_ID'), sign };
  return createClient({ baseUrl: readWorkplace(env).apiUrl, log: say, ...appAuth(app) });
}

main(import.meta.url, () => runner(process.argv[2], clientOf(process.env), process.env, realClock));
