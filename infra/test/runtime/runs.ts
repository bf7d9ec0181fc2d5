import type { Recorded } from './recorded';
import { runProgram } from './run-program';
import { STACKS, type StackKind } from './stacks';

const made = new Map<string, Promise<Recorded>>();

/** The run of a sample stack; the same one for every test of a file, because each costs a process. */
export function run(kind: StackKind, mode: 'update' | 'preview' = 'update'): Promise<Recorded> {
  const key = `${kind} ${mode}`, before = made.get(key);
  const now = before ?? runProgram(STACKS[kind], { preview: mode === 'preview' });
  made.set(key, now);
  return now;
}
