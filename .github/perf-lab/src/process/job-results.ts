import type { Environment } from './environment.ts';

export const RESULTS = ['success', 'failure', 'cancelled', 'skipped', ''] as const;
export type Result = (typeof RESULTS)[number];

// The job `plan` builds perf-lab first: until its file is there, that is what went wrong.
const JOBS = ['tools', 'plan', 'build-base', 'build-head', 'bases', 'complete', 'lab-up', 'measure'] as const;
export type JobName = (typeof JOBS)[number];
export type JobResults = Readonly<Record<JobName, Result>>;

/** How these other jobs of this run ended, from `needs.<job>.result`. */
export function resultsOf<Job extends string>(env: Environment, jobs: readonly Job[]): Readonly<Record<Job, Result>> {
  return Object.fromEntries(jobs.map(job => {
    const text = env[`PERF_LAB_RESULT_${job.toUpperCase().replaceAll('-', '_')}`] ?? '';
    if (!RESULTS.includes(text as Result)) throw new Error(`the result of the job ${job} is none that GitHub knows`);
    return [job, text];
  })) as Record<Job, Result>;
}

export const readResults = (env: Environment): JobResults => resultsOf(env, JOBS);

const WHAT: Readonly<Record<JobName, string>> = {
  'tools': 'building perf-lab', 'plan': 'planning', 'build-base': 'building base', 'build-head': 'building head', 'bases': 'making the base of the containers', 'complete': 'completing the plan',
  'lab-up': 'starting the machine', 'measure': 'measuring',
};

/** A request that is cancelled in line for the machine has no other result yet than that of the call which would have started it. */
const CANCELLED_WHILE: Readonly<Record<JobName, string>> = { ...WHAT, 'lab-up': 'waiting for the machine or starting it' };

/**
 * GitHub keeps 100 jobs waiting in a group (changelog of 2026-05-07, `queue: max`) and cancels the next one, by the same word as a person does. Who did it is told nowhere.
 */
const FULL_LINE = 'If nobody did that, 100 requests waited for the machine already, which is as many as GitHub lets wait: write the command again later.';

/** `timeout-minutes` of the jobs; a test holds them against the workflow files. */
export const MINUTES: Readonly<Record<JobName, number>> = { 'tools': 25, 'plan': 25, 'build-base': 60, 'build-head': 60, 'bases': 20, 'complete': 10, 'lab-up': 60, 'measure': 360 };

export interface Wrong {
  readonly job: JobName;
  readonly cancelled: boolean;
  /** Our own words, without an end: "failed while measuring". */
  readonly title: string;
  /** What that means for the request. */
  readonly sentence: string;
  /** What a report below it holds; without it, what was measured before. */
  readonly follows?: string;
}

/**
 * Why there may be no full answer: the first job that went wrong, in the order of the run. Null: all went well.
 * `outOfTime`: jobs that ran into their limit, which GitHub calls cancelled, too.
 */
export function whatWentWrong(results: JobResults, outOfTime: ReadonlySet<JobName>): Wrong | null {
  const late = JOBS.find(job => outOfTime.has(job));
  if (late !== undefined) {
    return { job: late, cancelled: false, title: `out of time while ${WHAT[late]}`, sentence: `Out of time while ${WHAT[late]}: GitHub ends this job after ${MINUTES[late]} minutes.` };
  }
  const cancelled = JOBS.find(job => results[job] === 'cancelled');
  if (cancelled !== undefined) return { job: cancelled, cancelled: true, title: 'cancelled', sentence: `Cancelled while ${CANCELLED_WHILE[cancelled]}.${cancelled === 'lab-up' ? ` ${FULL_LINE}` : ''}` };
  const job = JOBS.find(job => results[job] === 'failure');
  if (job === undefined) return null;
  if (job !== 'build-base' && job !== 'build-head') return { job, cancelled: false, title: `failed while ${WHAT[job]}`, sentence: `Failed while ${WHAT[job]}; the log of the run says why${job === 'lab-up' ? ', and its file `boot-log` what the machine showed' : ''}.` };
  const [bad, other] = job === 'build-base' ? ['base', 'head'] as const : ['head', 'base'] as const;
  const end = results[`build-${other}`];
  const title = end === 'failure' ? 'neither base nor head builds' : `${bad} does not build`;
  return { job, cancelled: false, title, sentence: `Nothing was measured.${end === 'success' ? ` The other commit, ${other}, builds.` : ''} ${bad === 'head' || end === 'failure' ? 'Push a commit that builds, and ask again.' : 'Base is where the branch left the base branch: merge a commit of that branch that builds, and ask again.'}` };
}
