import { clientFrom, type Environment } from './process/environment.ts';
import type { Client } from './github/client.ts';
import { main, say } from './process/main.ts';
import { takeHand } from './trend/at-hand.ts';
import { look } from './trend/look.ts';
import { publish } from './trend/publish.ts';
import { start } from './trend/start.ts';

/** The weekly trend: what to measure, what the history says with this week in it, and the last word. */
export async function trend(step: string, gh: Client, env: Environment): Promise<number> {
  if (step === 'start') return await start(gh, env);
  if (step === 'look') return await look(await takeHand(gh, env));
  if (step === 'publish') return await publish(await takeHand(gh, env));
  say(`trend: '${step}' is no step; known are start, look, publish`);
  return 2;
}

// A file of the data branch may have 64 MiB, and travels as base64.
main(import.meta.url, () => trend(process.argv[2] ?? '', clientFrom(process.env, { log: say, maxWaitSeconds: 900, maxBytes: 96 << 20, timeoutMs: 120_000 }), process.env));
