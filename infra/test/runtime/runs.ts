import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { inject, vi } from 'vitest';
import type { Recorded } from './recorded';
import { runProgram } from './run-program';
import { STACKS, type StackKind } from './stacks';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });    // each run is a process of a second or two, more on a busy machine
const known = new Map<string, Promise<Recorded>>();

/** The run of a sample stack; the same one for all tests of all files, because each costs a process. Whoever asks first makes it. */
export function run(kind: StackKind, mode: 'update' | 'preview' = 'update'): Promise<Recorded> {
  const key = `${kind}-${mode}`, before = known.get(key);
  const now = before ?? shared(join(inject('runs'), key), () => runProgram(STACKS[kind], { preview: mode === 'preview' }));
  known.set(key, now);
  return now;
}

/** Test files are processes of their own: the folder decides who makes it, the file appears whole. */
async function shared(file: string, make: () => Promise<Recorded>): Promise<Recorded> {
  if (isFirst(`${file}.lock`)) {
    try {
      writeFileSync(`${file}.new`, serialize(await make()));
      renameSync(`${file}.new`, file);
    } catch (error) {
      writeFileSync(`${file}.failed`, String(error));    // or the others would wait for ever
      throw error;
    }
  }
  while (!existsSync(file)) {
    if (existsSync(`${file}.failed`)) throw new Error(`the run failed in another test file: ${readFileSync(`${file}.failed`, 'utf8')}`);
    await pause(50);
  }
  return deserialize(readFileSync(file)) as Recorded;
}

function isFirst(lock: string): boolean {
  try { mkdirSync(lock); return true; } catch { return false; }
}
