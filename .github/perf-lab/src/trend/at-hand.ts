import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Client } from '../github/client.ts';
import { readWorkplace, required, type Environment, type Workplace } from '../process/environment.ts';
import { whoAmI } from '../thread/who-am-i.ts';
import type { History } from '../history/history.ts';

/** What `look` and `publish` start from. */
export interface AtHand {
  readonly gh: Client;
  readonly env: Environment;
  readonly at: Workplace;
  readonly me: number;
  /** Holds `bundle`, a folder for each session, and what the runner needs. */
  readonly folder: string;
  readonly history: History;
}

export async function takeHand(gh: Client, env: Environment): Promise<AtHand> {
  const folder = resolve(required(env, 'PERF_LAB_OUT'));
  const history = { runner: resolve(required(env, 'PERF_LAB_RUNNER')), root: join(folder, 'root'), bundle: join(folder, 'bundle') };
  mkdirSync(history.root, { recursive: true });
  writeFileSync(join(history.root, 'perf-lab.yaml'), 'schema: perf-lab/config/1\n');
  return { gh, env, at: readWorkplace(env), me: await whoAmI(gh, env), folder, history };
}
