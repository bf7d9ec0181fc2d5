import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AtHand } from '../thread/request-at-hand.ts';
import { fetchSamples, type Journal } from './journal.ts';
import { code } from '../text/untrusted.ts';
import type { Shard } from './shards.ts';

const MAX_HEADER_BYTES = 4 << 20;

export interface Journals {
  readonly journal: Journal;
  /** Names in the folder, in the order of the shards. */
  readonly files: readonly string[];
}

/**
 * The journals of all machines that said one. A journal is taken only by the id and digest of its own job, never by its name alone: what one machine
 * uploads under another's name is nobody's. One that is refused costs its own cells.
 */
export async function fetchJournals(hand: AtHand, shards: readonly Shard[], folder: string): Promise<Journals> {
  const files: string[] = [], refused: string[] = [];
  for (const shard of shards) {
    const file = `samples-${shard.number}.ndjson`;
    const found = await fetchOne(hand, shard, folder, file);
    if (found.kind === 'there') files.push(file);
    if (found.kind === 'refused') refused.push(`Machine ${shard.number}: ${found.sentence}`);
  }
  if (files.length > 0) return { journal: { kind: 'there', notes: refused }, files };
  return { journal: refused.length === 0 ? { kind: 'none' } : { kind: 'refused', sentence: refused.join(' ') }, files };
}

async function fetchOne({ gh, at }: AtHand, { number, shard, id, digest }: Shard, folder: string, file: string): Promise<Journal> {
  const found = await fetchSamples(gh, at, { name: `samples-shard-${number}`, id, digest }, folder, file);
  const own = found.kind === 'there' ? shardOf(join(folder, file)) : 'unread';
  if (own === shard || own === 'unread') return found;
  rmSync(join(folder, file));
  return { kind: 'refused', sentence: `The journal was refused: it says it is shard ${code(String(own).slice(0, 20))}.` };
}

/** What the journal's first line says; 'unread': it can't be read, which is left to the runner, because that says what is damaged. */
function shardOf(path: string): number | 'unread' | null {
  const line = readFileSync(path).subarray(0, MAX_HEADER_BYTES).toString('utf8').split('\n', 1)[0]!;
  try {
    return Number((JSON.parse(line) as { shard?: unknown } | null)?.shard ?? NaN) || null;
  } catch {
    return 'unread';
  }
}
