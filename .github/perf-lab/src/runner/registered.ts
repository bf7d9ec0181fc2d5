import { statusOf, type Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';

export interface Registered {
  readonly id: number;
  readonly name: string;
  readonly isOnline: boolean;
  readonly isBusy: boolean;
}

const MAX_PAGES = 20;

/** Every runner that the repository knows. */
export async function listRunners(gh: Client, at: Workplace): Promise<Registered[]> {
  const all: Registered[] = [];
  let pages = 0;
  for await (const page of gh.paginate.iterator(gh.rest.actions.listSelfHostedRunnersForRepo, { owner: at.owner, repo: at.repo, per_page: 100 })) {
    all.push(...page.data.map(toRegistered));
    if (++pages >= MAX_PAGES) break;
  }
  return all;
}

/** Null: unknown to GitHub. A one-shot runner goes by itself after its job. */
export async function getRunner(gh: Client, at: Workplace, id: number): Promise<Registered | null> {
  try {
    return toRegistered((await gh.rest.actions.getSelfHostedRunnerForRepo({ owner: at.owner, repo: at.repo, runner_id: id })).data);
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

export async function removeRunner(gh: Client, at: Workplace, id: number): Promise<void> {
  await gh.rest.actions.deleteSelfHostedRunnerFromRepo({ owner: at.owner, repo: at.repo, runner_id: id }).catch((error: unknown) => {
    if (statusOf(error) !== 404) throw error;
  });
}

const toRegistered = (runner: { id: number | bigint; name: string; status: string; busy: boolean }): Registered =>
  ({ id: Number(runner.id), name: runner.name, isOnline: runner.status === 'online', isBusy: runner.busy });
