import type { Environment } from '../process/environment.ts';
import { resultsOf, type Result } from '../process/job-results.ts';

const WHAT = {
  'start': 'reading what to measure', 'tools': 'building perf-lab', 'plan': 'planning', 'build-anchor': 'building the anchor', 'build-next-anchor': 'building the anchor to come', 'build-head': 'building head', 'bases': 'making the base of the containers', 'lab-up': 'starting the machine',
  'measure': 'measuring', 'look': 'looking at the history', 'confirm-builds': 'building the commits around a change', 'confirm': 'measuring the commits around a change',
  'aa-builds': 'building head twice', 'aa': 'measuring head against itself',
} as const;
export type JobResults = Readonly<Record<keyof typeof WHAT, Result>>;

const JOBS = Object.keys(WHAT) as (keyof typeof WHAT)[];

export const readResults = (env: Environment): JobResults => resultsOf(env, JOBS);

/** One sentence for the first job that went wrong before the journal, and one for the experiment. */
export function failuresOf(results: JobResults, env: Environment): string[] {
  const wrong = JOBS.filter(job => results[job] === 'failure' || results[job] === 'cancelled');
  const log = `the log of [this run](${env['GITHUB_SERVER_URL'] ?? 'https://github.com'}/${env['GITHUB_REPOSITORY']}/actions/runs/${env['GITHUB_RUN_ID']}) says why`;
  return wrong.slice(0, 1).map(job => `${results[job] === 'cancelled' ? 'Cancelled, or out of time,' : 'Failed'} while ${WHAT[job]}; ${log}.`);
}
