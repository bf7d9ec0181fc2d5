import type { Environment } from '../process/environment.ts';

const RESULTS = ['success', 'failure', 'cancelled', 'skipped', ''] as const;
type Result = (typeof RESULTS)[number];

const WHAT = {
  'start': 'reading what to measure', 'tools': 'building perf-lab', 'plan': 'planning', 'build-anchor': 'building the anchor', 'build-next-anchor': 'building the anchor to come', 'build-head': 'building head', 'lab-up': 'starting the machine',
  'measure': 'measuring', 'look': 'looking at the history', 'confirm-builds': 'building the commits around a change', 'confirm': 'measuring the commits around a change',
  'aa-builds': 'building head twice', 'aa': 'measuring head against itself',
} as const;
export type JobResults = Readonly<Record<keyof typeof WHAT, Result>>;

/** How the other jobs of this run ended, from `needs.<job>.result`. */
export function readResults(env: Environment): JobResults {
  return Object.fromEntries(Object.keys(WHAT).map(job => {
    const text = env[`PERF_LAB_RESULT_${job.toUpperCase().replaceAll('-', '_')}`] ?? '';
    if (!RESULTS.includes(text as Result)) throw new Error(`the result of the job ${job} is none that GitHub knows`);
    return [job, text];
  })) as unknown as JobResults;
}

/** One sentence for the first job that went wrong before the journal, and one for the experiment. */
export function failuresOf(results: JobResults, env: Environment): string[] {
  const wrong = (Object.keys(WHAT) as (keyof typeof WHAT)[]).filter(job => results[job] === 'failure' || results[job] === 'cancelled');
  const log = `the log of [this run](${env['GITHUB_SERVER_URL'] ?? 'https://github.com'}/${env['GITHUB_REPOSITORY']}/actions/runs/${env['GITHUB_RUN_ID']}) says why`;
  return wrong.slice(0, 1).map(job => `${results[job] === 'cancelled' ? 'Cancelled, or out of time,' : 'Failed'} while ${WHAT[job]}; ${log}.`);
}
