import { OneShotRunner, read } from '../github/answers.ts';
import { statusOf, type Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import type { Clock } from './clock.ts';
import { isRunnerOf, nameOf, newLabel } from './names.ts';
import { listRunners, removeRunner } from './registered.ts';

/** Pauses before each try, seconds: those of actions-runner-controller, which starts from scratch after five failures. */
export const PAUSES = [0, 5, 10, 20, 40, 80] as const;
const MAX_FAILURES = 5;
/** The default group; the call refuses to go without one. */
const GROUP = 1;

export interface OneShot {
  readonly id: number;
  readonly label: string;
  /** Secret until the runner has used it once. */
  readonly blob: string;
}

/**
 * Registers a runner that takes one job and is gone. The answer holds the only copy of its secret, so a lost answer leaves a runner
 * that nobody can start: every try first removes what an earlier one left under our name, and stale ones of the machine.
 */
export async function register(gh: Client, at: Workplace, machine: string, clock: Clock): Promise<OneShot> {
  const name = nameOf(at, machine), label = newLabel(name);
  let failure: unknown;
  for (let failures = 0; failures < MAX_FAILURES; failures++) {
    await clock.wait(PAUSES[failures]! * 1000);
    try {
      await removeLeftOvers(gh, at, machine, name);
      const { data } = await gh.rest.actions.generateRunnerJitconfigForRepo({ owner: at.owner, repo: at.repo, name, runner_group_id: GROUP, labels: [label] });
      const { runner, encoded_jit_config } = read(OneShotRunner, data, 'the new runner');
      return { id: runner.id, label, blob: encoded_jit_config };
    } catch (error) {
      if (isHopeless(statusOf(error))) throw error;
      clock.note(`registering the runner failed (${failures + 1} of ${MAX_FAILURES}): ${(error as Error).message}`);
      failure = error;
    }
  }
  throw failure;
}

// Not the busy ones: another run's job may be on them, and the machine's lease is what decides about that.
async function removeLeftOvers(gh: Client, at: Workplace, machine: string, name: string): Promise<void> {
  for (const runner of await listRunners(gh, at)) {
    const isStale = isRunnerOf(runner.name, machine) && !runner.isOnline && !runner.isBusy;
    if (runner.name === name || isStale) await removeRunner(gh, at, runner.id);
  }
}

// A token that may not, or a request that is wrong, stays so. 409 is a left-over with our name: the next try removes it.
const isHopeless = (status: number): boolean => [401, 403, 404, 422].includes(status);
