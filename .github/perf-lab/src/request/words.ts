/** The words of a command as parsed: the `words` of request.json (schemas/request.schema.json). */
export interface Words {
  readonly suite: string | null;
  readonly workloads: readonly string[];
  readonly runtimes: readonly string[];
  readonly pgo: readonly string[];
  readonly gc: readonly string[];
  readonly frameworks: readonly string[];
  /** Globs over the full names of benchmarks of BenchmarkDotNet. */
  readonly filters: readonly string[];
  /** [BenchmarkCategory]s of which a benchmark must be in one. */
  readonly categories: readonly string[];
  readonly machine: string | null;
  readonly rounds: string | null;
  /** How often what is flagged is measured; null: what perf-lab.yaml says, where the budget allows. */
  readonly sessions: number | null;
  /** Least warm-up of a launch in seconds; null: the workload's. */
  readonly warmUp: number | null;
  /** `current`: every arm is built by the newest SDK of the lab, whatever its global.json asks for. */
  readonly sdk: typeof SDK | null;
  /** Minutes of measuring, in which rows end early or go on until they are decided; null: every row gets its rounds. */
  readonly within: number | null;
}

/** As many as the runner takes (docs/internals/statistics-method.md, `most-sessions`). */
export const MAX_SESSIONS = 10;

/** Longest warm-up that can be asked for, in seconds. The runner holds it to the deadline of the launch, which is shorter. */
export const MAX_WARM_UP = 3600;

/** Most minutes that can be asked for. The runner holds them to the budget of perf-lab.yaml, which is shorter. */
export const MAX_WITHIN = 1440;

/** The only value of `--sdk`: a lab has one SDK, the newest. */
export const SDK = 'current';

export const NO_WORDS: Words = { suite: null, workloads: [], runtimes: [], pgo: [], gc: [], frameworks: [], filters: [], categories: [], machine: null, rounds: null, sessions: null, warmUp: null, sdk: null, within: null };

/** Flags that take a comma list, and where the list goes. */
export const LISTS = {
  '--workload': 'workloads', '--runtime': 'runtimes', '--pgo': 'pgo', '--gc': 'gc', '--framework': 'frameworks', '--filter': 'filters', '--any-categories': 'categories',
} as const;

/** A name; a glob over a benchmark's full name, as `--filter` of the command line takes it; and a category of benchmarks. */
export const VALUE = /^[A-Za-z0-9@.*_-]{1,64}$/, GLOB = /^[A-Za-z0-9.*?_+-]{1,200}$/, CATEGORY = /^[A-Za-z0-9._+-]{1,64}$/;

/** Levels of dynamic PGO; `full` also profiles the framework (docs/runtimes.md). */
export const PGO = ['off', 'on', 'full'] as const;

/** The command that gives these words, in one fixed order: what `rerun` repeats and what the comment shows. */
export function commandLine(words: Words): string {
  const parts = ['/benchmark', ...(words.suite === null ? [] : [words.suite])];
  for (const [flag, list] of Object.entries(LISTS)) {
    if (words[list].length > 0) parts.push(flag, words[list].join(','));
  }
  if (words.machine !== null) parts.push('--machine', words.machine);
  if (words.rounds !== null) parts.push('--rounds', words.rounds);
  if (words.sessions !== null) parts.push('--sessions', String(words.sessions));
  if (words.warmUp !== null) parts.push('--warm-up', String(words.warmUp));
  if (words.sdk !== null) parts.push('--sdk', words.sdk);
  if (words.within !== null) parts.push('--within', `${words.within}m`);
  return parts.join(' ');
}
