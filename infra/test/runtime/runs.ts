import { vi } from 'vitest';
import type { Recorded } from './recorded';
import { runProgram } from './run-program';
import { STACKS, type StackKind } from './stacks';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });    // each run is a process of a second or two, more on a busy machine
const made = new Map<string, Promise<Recorded>>();

/** The run of a sample stack; the same one for every test of a file, because each costs a process. */
export function run(kind: StackKind, mode: 'update' | 'preview' = 'update'): Promise<Recorded> {
  const key = `${kind} ${mode}`, before = made.get(key);
  const now = before ?? runProgram(STACKS[kind], { preview: mode === 'preview' });
  made.set(key, now);
  return now;
}
