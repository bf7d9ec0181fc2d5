import type { Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import type { Clock } from './clock.ts';
import { getRunner } from './registered.ts';

/** A machine needs that long to boot, so nobody asks before; then every ten seconds; after eight minutes, in which it installs all it needs, it won't come. */
export const QUIET_MS = 30_000;
export const POLL_MS = 10_000;
export const LIMIT_MS = 8 * 60_000;

export type Arrival = 'online' | 'timeout' | 'gone';

/** Waits until the machine has started its runner. `gone`: removed from GitHub meanwhile. */
export async function waitForOnline(gh: Client, at: Workplace, id: number, clock: Clock): Promise<Arrival> {
  const end = clock.now() + LIMIT_MS;
  await clock.wait(QUIET_MS);
  while (clock.now() < end) {
    const runner = await getRunner(gh, at, id);
    if (runner === null) return 'gone';
    if (runner.isOnline) return 'online';
    await clock.wait(POLL_MS);
  }
  return 'timeout';
}
