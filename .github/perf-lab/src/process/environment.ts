import { createClient, type Client, type ClientOptions } from '../github/client.ts';

/** Where a command runs: this repository, this run. Everything comes by environment variable, nothing by argument or template. */
export interface Workplace {
  readonly owner: string;
  readonly repo: string;
  readonly runId: number;
  readonly runAttempt: number;
  readonly apiUrl: string;
  readonly serverUrl: string;
  /** What a command begins with here. */
  readonly word?: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function readWorkplace(env: Environment): Workplace {
  const [owner = '', repo = '', more] = required(env, 'GITHUB_REPOSITORY').split('/');
  if (!/^[A-Za-z0-9_-]{1,39}$/.test(owner) || !/^[A-Za-z0-9._-]{1,100}$/.test(repo) || more !== undefined) throw new Error('GITHUB_REPOSITORY is not owner/name');
  return {
    owner,
    repo,
    runId: integer(env, 'GITHUB_RUN_ID'),
    runAttempt: integer(env, 'GITHUB_RUN_ATTEMPT'),
    apiUrl: env['GITHUB_API_URL'] || 'https://api.github.com',
    serverUrl: env['GITHUB_SERVER_URL'] || 'https://github.com',
  };
}

export function required(env: Environment, name: string): string {
  const value = env[name];
  if (value === undefined || value === '') throw new Error(`the environment variable ${name} is not set`);
  return value;
}

export function integer(env: Environment, name: string): number {
  const text = required(env, name);
  if (!/^[0-9]{1,15}$/.test(text)) throw new Error(`the environment variable ${name} is not a whole number`);
  return Number(text);
}

/** The job's client. PERF_LAB_TOKEN is set for this one step only. */
export function clientFrom(env: Environment, options: Partial<ClientOptions> = {}): Client {
  const repository = Number(env['GITHUB_REPOSITORY_ID'] ?? 0);    // no repository has the id 0, or none that is a number
  return createClient({ baseUrl: readWorkplace(env).apiUrl, auth: required(env, 'PERF_LAB_TOKEN'), repository, ...options });
}

export const runUrl = (at: Workplace): string => `${at.serverUrl}/${at.owner}/${at.repo}/actions/runs/${at.runId}`;
