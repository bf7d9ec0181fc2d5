import type { Environment } from '../process/environment.ts';

const RESULTS = ['success', 'failure', 'cancelled', 'skipped', ''] as const;
export type Result = (typeof RESULTS)[number];

const JOBS = ['plan', 'build-base', 'build-head', 'lab-up', 'measure'] as const;
export type JobName = (typeof JOBS)[number];
export type JobResults = Readonly<Record<JobName, Result>>;

/** How the other jobs of this run ended, from `needs.<job>.result`. */
export function readResults(env: Environment): JobResults {
  return Object.fromEntries(JOBS.map(job => {
    const text = env[`PERF_LAB_RESULT_${job.toUpperCase().replace('-', '_')}`] ?? '';
    if (!RESULTS.includes(text as Result)) throw new Error(`the result of the job ${job} is none that GitHub knows`);
    return [job, text];
  })) as unknown as JobResults;
}

const WHAT: Readonly<Record<JobName, string>> = {
  'plan': 'planning', 'build-base': 'building base', 'build-head': 'building head', 'lab-up': 'starting the machine', 'measure': 'measuring',
};

/** Why there may be no full answer: the first job that went wrong, in the order of the run. Null: all went well. */
export function whatWentWrong(results: JobResults): { job: JobName; cancelled: boolean; sentence: string } | null {
  const cancelled = JOBS.find(job => results[job] === 'cancelled');
  if (cancelled !== undefined) return { job: cancelled, cancelled: true, sentence: `Cancelled while ${WHAT[cancelled]}.` };
  const failed = JOBS.find(job => results[job] === 'failure');
  return failed === undefined ? null : { job: failed, cancelled: false, sentence: `Failed while ${WHAT[failed]}.` };
}
