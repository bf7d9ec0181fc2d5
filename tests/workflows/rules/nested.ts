import type { Job, Workflow } from './files.ts';

export type Rights = Readonly<Record<string, string>>;
/** A job and what it asks for; `calls`: the path of the calls to it. */
export interface Asked { readonly calls: readonly string[]; readonly job: string; readonly rights: Rights }

const LEVELS = ['none', 'read', 'write'];
const level = (rights: Rights, right: string): number => LEVELS.indexOf(rights[right] ?? 'none');
/** A called workflow by its `uses`, and where it is: what its own calls are looked for from. */
export type Find<A> = (uses: string, at: A) => readonly [Workflow, A];
export const rightsOf = (job: Job, workflow: Workflow): Rights => (job.permissions ?? workflow.permissions ?? {}) as Rights;

/** The jobs of a workflow and of all that it calls, whatever their `if` says. */
export function nestedJobs<A>(workflow: Workflow, at: A, find: Find<A>, calls: readonly string[] = []): Asked[] {
  return Object.entries(workflow.jobs).flatMap(([name, job]) => [
    { calls, job: name, rights: rightsOf(job, workflow) },
    ...(job.uses === undefined ? [] : nestedJobs(...find(job.uses, at), find, [...calls, name])),
  ]);
}

/**
 * The jobs that ask for more than the call of their workflow grants, in GitHub's words: as it looks at them before anything runs
 * (metal3-io/project-infra#1171, wazuh/wazuh-indexer#1721, stepbrobd/atelier#13).
 */
export function tooMuch<A>(workflow: Workflow, at: A, find: Find<A>): string[] {
  return Object.entries(workflow.jobs).filter(([, { uses }]) => uses !== undefined).flatMap(([, job]) => {
    const granted = rightsOf(job, workflow), inside = find(job.uses!, at);
    const direct = nestedJobs(...inside, find).flatMap(({ job: name, rights }) => {
      const more = Object.keys(rights).filter(right => level(rights, right) > level(granted, right));
      const list = (of: (right: string) => string): string => more.map(right => `${right}: ${of(right)}`).join(', ');
      return more.length === 0 ? [] : [`Error calling workflow '${job.uses}'. The nested job '${name}' is requesting '${list(right => rights[right]!)}', but is only allowed '${list(right => granted[right] ?? 'none')}'.`];
    });
    return [...direct, ...tooMuch(...inside, find)];
  });
}

/** GitHub then starts nothing at all. */
export function refuseTooMuch<A>(workflow: Workflow, at: A, find: Find<A>): void {
  const [first] = tooMuch(workflow, at, find);
  if (first !== undefined) throw new Error(`The workflow is not valid. ${first}`);
}

/** The least that a caller has to grant. */
export function leastOf(asked: readonly Asked[]): Rights {
  const least: Record<string, string> = {};
  for (const { rights } of asked) for (const right of Object.keys(rights)) if (level(rights, right) > level(least, right)) least[right] = rights[right]!;
  return least;
}
