import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createClient, type Client, type ClientOptions } from '../../src/github/client.ts';
import { gate } from '../../src/gate.ts';
import type { FakeGitHub } from '../fake/server.ts';
import { BOT, NOW, WRITTEN, type User } from '../fake/state.ts';

export const CONFIG = `schema: perf-lab/config/1
workloads: [workloads]
suites:
  quick: { workloads: [channel-actors] }
  pr: { workloads: [channel-actors, json-round-trip] }
machines:
  azure-d4s: { kind: azure, size: Standard_D4s_v5, price-per-hour: 0.19 }
  ryzen: { kind: metal }
github: { suite: pr, machine: azure-d4s, fork-permission: admin, budget: { minutes: 120, per-user-per-day: 10 } }
`;

/** Octokit spaces writes out by seconds, for the whole process; here it doesn't. bench/first-reaction.ts runs with the real pacing. */
export const noPacing = (): object => ({ enabled: false });

export function testClient(fake: FakeGitHub, more: Partial<ClientOptions> = {}): Client {
  return createClient({ baseUrl: fake.url, auth: 'the-token', repository: 500, now: () => NOW, wait: async () => {}, pacing: noPacing(), timeoutMs: 2000, ...more });
}

/** A job's folder: event file, outputs, summary, perf-lab.yaml. */
export class Job {
  private static readonly standing = new Set<Job>();
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perf-lab-github-'));
  readonly env: Record<string, string>;

  constructor(fake: FakeGitHub, more: Record<string, string> = {}) {
    this.env = {
      GITHUB_EVENT_NAME: 'issue_comment', GITHUB_EVENT_PATH: this.path('event.json'), GITHUB_REPOSITORY: 'example/library',
      GITHUB_API_URL: fake.url, GITHUB_SERVER_URL: 'https://github.com', GITHUB_RUN_ID: '900', GITHUB_RUN_ATTEMPT: '1',
      GITHUB_OUTPUT: this.path('output'), GITHUB_STEP_SUMMARY: this.path('summary'), PERF_LAB_BOT_ID: String(BOT.id),
      PERF_LAB_CONFIG: this.write('perf-lab.yaml', CONFIG), PERF_LAB_OUT: this.folder, PERF_LAB_SAID: this.path('said.json'), PERF_LAB_TOKEN: 'the-token', ...more,
    };
    Job.standing.add(this);
  }

  /** Removes the folders of all jobs that nobody removed: a file of tests ends with it. */
  static removeAll(): void { Job.standing.forEach(job => { job.remove(); }); }

  path(name: string): string { return path.join(this.folder, name); }
  write(name: string, content: string | Buffer): string { fs.writeFileSync(this.path(name), content); return this.path(name); }
  /** What the plan job found, and its digest. */
  problems(text: string): void {
    Object.assign(this.env, { PERF_LAB_PLANNED: 'refused', PERF_LAB_PROBLEMS: this.write('problems', text), PERF_LAB_PROBLEMS_DIGEST: createHash('sha256').update(text).digest('hex') });
  }
  read(name: string): string { return fs.existsSync(this.path(name)) ? fs.readFileSync(this.path(name), 'utf8') : ''; }
  remove(): void { Job.standing.delete(this); fs.rmSync(this.folder, { recursive: true, force: true }); }

  get outputs(): Record<string, string> {
    return Object.fromEntries(this.read('output').split('\n').filter(Boolean).map(line => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
  }
}

export const ALICE: User = { id: 42, login: 'alice', type: 'User' };
export const MALLORY: User = { id: 43, login: 'mallory', type: 'User' };

/** Somebody writes a comment: it stands on the pull request, and this is the event. */
export function comment(fake: FakeGitHub, body: string, { user = ALICE, issue = 5, at = WRITTEN } = {}) {
  const id = ++fake.state.lastId;
  fake.state.comments.push({ id, node_id: `IC_${id}`, issue, body, user, created_at: at, updated_at: at });
  return {
    action: 'created', issue: { number: issue, pull_request: {} as object | undefined },
    comment: { id, body, user: { type: 'User', ...user }, created_at: at, updated_at: at, author_association: 'NONE' },
  };
}

export interface GateResult { readonly code: number; readonly job: Job; readonly outputs: Record<string, string>; readonly summary: string; readonly request: any }

/** The gate over one event, with the clock and the pacing of a test. */
export async function runGate(fake: FakeGitHub, event: unknown, more: { env?: Record<string, string>; gh?: Client; config?: string } = {}): Promise<GateResult> {
  const job = new Job(fake, more.env);
  job.write('event.json', typeof event === 'string' ? event : JSON.stringify(event));
  if (more.config !== undefined) job.write('perf-lab.yaml', more.config);
  try {
    const code = await gate({ env: job.env, gh: more.gh ?? testClient(fake), now: NOW });
    const text = job.outputs['request'];
    return { code, job, outputs: job.outputs, summary: job.read('summary'), request: text === undefined ? null : JSON.parse(Buffer.from(text, 'base64url').toString()) };
  } finally {
    job.remove();
  }
}

export const ownComments = (fake: FakeGitHub): string[] => fake.state.comments.filter(c => c.user.id === BOT.id).map(c => c.body);
