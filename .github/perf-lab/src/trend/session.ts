import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readTrusted } from '../artifact/trusted-file.ts';
import { idFrom } from '../thread/request-at-hand.ts';
import { required } from '../process/environment.ts';
import { judge, type Judgement } from '../publish/judge.ts';
import { fetchSamples } from '../fleet/journal.ts';
import { line } from '../text/untrusted.ts';
import type { AtHand } from './at-hand.ts';

/** A session of a run: the weekly one, the experiment, or head against itself. */
export type SessionName = 'weekly' | 'confirm' | 'aa';

/** Of its artifacts' names, and of its inputs. */
const PREFIX: Readonly<Record<SessionName, string>> = { weekly: '', confirm: 'confirm-', aa: 'aa-' };
const inputOf = (name: SessionName, what: string): string => `PERF_LAB_${PREFIX[name].toUpperCase().replace('-', '_')}${what}`;

const MAX_PLAN = 64 << 20;
/** Beside everything else in one issue, whose body has room for 65,536 characters. */
const REPORT_CHARS = 24_000;

/** The plan of the job that made it, by that job's digest. */
export function planOf({ env }: AtHand, name: SessionName): string {
  const path = resolve(required(env, inputOf(name, 'PLAN')));
  readTrusted(path, required(env, inputOf(name, 'PLAN_DIGEST')), MAX_PLAN);
  return path;
}

export const journalOf = ({ folder }: AtHand, name: SessionName): string | null => {
  const path = join(folder, name, 'samples.ndjson');
  return existsSync(path) ? path : null;
};

/** Fetches a session's journal, and lets it count only when the runner takes it by the plan. A sentence when it does not count. */
export async function takeJournal(hand: AtHand, name: SessionName): Promise<string | null> {
  const { env, gh, at, folder } = hand;
  const id = idFrom(env, inputOf(name, 'SAMPLES_ID'));
  if (id === null) return 'there is no journal';
  const target = join(folder, name);
  mkdirSync(target, { recursive: true });
  const fetched = await fetchSamples(gh, at, { name: `${PREFIX[name]}samples`, id, digest: required(env, inputOf(name, 'SAMPLES_DIGEST')) }, target);
  if (fetched.kind === 'there') {
    const judged = await judgeSession(hand, name);
    if (judged.kind === 'judged') return null;
    renameSync(join(target, 'samples.ndjson'), join(target, 'refused.ndjson'));
    return line(judged.lines.join(' '), 600);
  }
  rmSync(target, { recursive: true });
  return fetched.kind === 'refused' ? fetched.sentence : 'there is no journal';
}

export const judgeSession = (hand: AtHand, name: SessionName): Promise<Judgement> => judge({
  runner: hand.history.runner, folder: join(hand.folder, name), plan: planOf(hand, name), root: hand.history.root, reportChars: REPORT_CHARS,
});
