import type * as z from 'zod';
import { read, Runner, Runners } from '../github/answers.ts';
import { statusOf, type Client } from '../github/client.ts';
import { pages } from '../github/pages.ts';
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
  const list = { route: 'GET /repos/{owner}/{repo}/actions/runners', parameters: { owner: at.owner, repo: at.repo }, rows: Runners, what: 'the runners', mostPages: MAX_PAGES };
  for await (const page of pages(gh, list)) all.push(...page.map(toRegistered));
  return all;
}

/** Null: unknown to GitHub. A one-shot runner goes by itself after its job. */
export async function getRunner(gh: Client, at: Workplace, id: number): Promise<Registered | null> {
  try {
    const { data } = await gh.rest.actions.getSelfHostedRunnerForRepo({ owner: at.owner, repo: at.repo, runner_id: id });
    return toRegistered(read(Runner, data, 'the runner'));
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

const toRegistered = ({ id, name, status, busy }: z.infer<typeof Runner>): Registered => ({ id, name, isOnline: status === 'online', isBusy: busy });
