import type { Client } from '../github/client.ts';
import { readRequest, type BenchmarkRequest } from '../request/request.ts';
import type { Living } from './living.ts';
import { whoAmI } from './who-am-i.ts';
import { readWorkplace, required, type Environment, type Workplace } from '../process/environment.ts';

/** What `status` and `publish` start from: the gate's request, and where its comment and check are. */
export interface AtHand {
  readonly gh: Client;
  readonly env: Environment;
  readonly at: Workplace;
  readonly request: BenchmarkRequest;
  readonly machine: string;
  readonly living: Living;
  readonly check: number | null;
  readonly now: number;
}

export async function takeRequest(gh: Client, env: Environment, now: number): Promise<AtHand> {
  const request = readRequest(required(env, 'PERF_LAB_REQUEST'));
  const at = { ...readWorkplace(env), word: request.word };
  const machine = required(env, 'PERF_LAB_MACHINE');
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(machine)) throw new Error('PERF_LAB_MACHINE is not a name');
  const thread = { gh, at, pullRequest: request.pullRequest, me: await whoAmI(gh, env) };
  const marker = { pullRequest: request.pullRequest, request: request.commentId };
  return { gh, env, at, request, machine, living: { thread, marker, known: idFrom(env, 'PERF_LAB_STATUS_COMMENT') }, check: idFrom(env, 'PERF_LAB_CHECK_RUN'), now };
}

/** An id of an earlier job's outputs; null when that job did not get so far. */
export function idFrom(env: Environment, name: string): number | null {
  const text = env[name] ?? '';
  return /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : null;
}
