import { Jobs } from '../github/answers.ts';
import type { Client } from '../github/client.ts';
import { pages } from '../github/pages.ts';
import type { Workplace } from '../process/environment.ts';
import { MINUTES, type JobName, type JobResults } from './job-results.ts';

// Of called workflows GitHub lists "benchmark / build-base / build": the names of the calls, then the job's own.
const SUFFIX: Readonly<Record<JobName, string>> = {
  'tools': 'tools', 'plan': 'plan', 'build-base': 'build-base / build', 'build-head': 'build-head / build', 'lab-up': 'machine / lab-up', 'measure': 'machine / measure',
};

/**
 * The cancelled jobs that ran as long as they may. GitHub tells a time-out and a cancel by the same word, so the clock decides: who cancels a job
 * in its very last second is told that it ran out of time.
 */
export async function jobsOutOfTime(gh: Client, at: Workplace, results: JobResults): Promise<ReadonlySet<JobName>> {
  const late = new Set<JobName>();
  const cancelled = (Object.keys(MINUTES) as JobName[]).filter(job => results[job] === 'cancelled');
  if (cancelled.length === 0) return late;
  const list = {
    route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs',
    parameters: { owner: at.owner, repo: at.repo, run_id: at.runId, attempt_number: at.runAttempt }, rows: Jobs, what: 'the jobs of this run', mostPages: 3,
  };
  for await (const page of pages(gh, list)) {
    for (const { name, conclusion, started_at, completed_at } of page) {
      const job = cancelled.find(one => name === SUFFIX[one] || name.endsWith(` / ${SUFFIX[one]}`));
      const minutes = (Date.parse(completed_at ?? '') - Date.parse(started_at ?? '')) / 60_000;
      if (job !== undefined && conclusion === 'cancelled' && minutes >= MINUTES[job]) late.add(job);
    }
  }
  return late;
}
