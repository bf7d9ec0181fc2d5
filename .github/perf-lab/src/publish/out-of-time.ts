import { jobsOfRun } from '../github/jobs.ts';
import type { Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import { MINUTES, type JobName, type JobResults } from '../process/job-results.ts';

// The names of the calls, then the job's own; perf-lab is built by the job that plans; a request that is spread has one measuring job for each machine.
const NAME: Readonly<Record<JobName, RegExp>> = {
  'tools': /(^| \/ )plan$/, 'plan': /(^| \/ )plan$/, 'bases': /(^| \/ )bases$/, 'complete': /(^| \/ )complete$/, 'build-base': /(^| \/ )build-base \/ build$/, 'build-head': /(^| \/ )build-head \/ build$/,
  'lab-up': /(^| \/ )machine \/ lab-up$/, 'measure': /(^| \/ )(machine|shard-[1-8]) \/ measure$/,
};

/**
 * The cancelled jobs that ran as long as they may. GitHub tells a time-out and a cancel by the same word, so the clock decides: who cancels a job
 * in its very last second is told that it ran out of time.
 */
export async function jobsOutOfTime(gh: Client, at: Workplace, results: JobResults): Promise<ReadonlySet<JobName>> {
  const late = new Set<JobName>();
  const cancelled = (Object.keys(MINUTES) as JobName[]).filter(job => results[job] === 'cancelled');
  if (cancelled.length === 0) return late;
  for (const { name, conclusion, started_at, completed_at } of await jobsOfRun(gh, at)) {
    const job = cancelled.find(one => NAME[one].test(name));
    const minutes = (Date.parse(completed_at ?? '') - Date.parse(started_at ?? '')) / 60_000;
    if (job !== undefined && conclusion === 'cancelled' && minutes >= MINUTES[job]) late.add(job);
  }
  return late;
}
