import type * as z from 'zod';
import { Jobs } from './answers.ts';
import type { Client } from './client.ts';
import { pages } from './pages.ts';

export type RunJob = z.infer<typeof Jobs>[number];

/** Which run of a workflow, and which try of it. */
export interface RunAttempt {
  readonly owner: string;
  readonly repo: string;
  readonly runId: number;
  readonly runAttempt: number;
}

/** The jobs of this attempt of this run, by GitHub's own clock. Of called workflows: "benchmark / build-base / build", the names of the calls, then the job's own. */
export async function jobsOfRun(gh: Client, at: RunAttempt): Promise<RunJob[]> {
  const list = {
    route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs',
    parameters: { owner: at.owner, repo: at.repo, run_id: at.runId, attempt_number: at.runAttempt }, rows: Jobs, what: 'the jobs of this run', mostPages: 3,
  };
  const jobs: RunJob[] = [];
  for await (const page of pages(gh, list)) jobs.push(...page);
  return jobs;
}
