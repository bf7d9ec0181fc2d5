import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../process/main.ts';

/** Time and the log, as something that a test can hold in its hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly note: (text: string) => void;
}

export const realClock: Clock = { now: Date.now, wait: async ms => { await sleep(ms); }, note: say };
