import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readConfig } from '../request/names.ts';
import { required } from '../process/environment.ts';
import { explain, say } from '../process/main.ts';
import type { AtHand } from '../thread/request-at-hand.ts';
import { line } from '../text/untrusted.ts';
import { readBranch } from './branch.ts';
import { fetchBundle } from './history.ts';
import { runRunner } from '../process/run-runner.ts';

/** One call each. The budget looks at half a year of a series at most (`BudgetRule`), and some of these are the lab against itself. */
export const NEWEST = 40;

export interface KeptHistory {
  /** A lab that holds nothing but this history and the budget; without one the report says nothing of it. */
  readonly root?: string;
  /** Why it is not there although somebody asked for it. */
  readonly note: string | null;
  /** Why no change can be held against a budget; null: it can. */
  readonly unknown: string | null;
}

/** What the weekly runs kept, where perf-lab.yaml sets a budget for the steps since the anchor. That it can't be had never costs a result. */
export async function keptHistory({ gh, at, env, living }: AtHand): Promise<KeptHistory> {
  try {
    const { budget } = readConfig(required(env, 'PERF_LAB_CONFIG'));
    if (budget === null) return { note: null, unknown: 'Whether the budget is overspent can\'t be told: `perf-lab.yaml` sets no `budget`.' };
    const branch = await readBranch(gh, at), journals = branch.journals.slice(0, NEWEST);
    if (journals.length === 0) return { note: null, unknown: 'Whether the budget is overspent can\'t be told: the weekly trend has kept no session yet.' };
    const folder = mkdtempSync(join(tmpdir(), 'perf-lab-history-')), runner = resolve(env['PERF_LAB_RUNNER'] ?? 'perf-lab');
    const history = { runner, root: join(folder, 'root'), bundle: join(folder, 'bundle') };
    mkdirSync(history.root);
    writeFileSync(join(history.root, 'perf-lab.yaml'), `schema: perf-lab/config/1\nbudget: ${budget}\n`);
    await fetchBundle(gh, at, { ...branch, journals, state: null }, living.thread.me, history);
    const imported = await runRunner(runner, ['history', 'import', history.bundle], history.root);
    if (imported.code > 1) throw new Error(`\`perf-lab history import\` ended with ${imported.code}: ${line(imported.stderr, 400)}`);
    return { root: history.root, note: null, unknown: null };
  } catch (error) {
    say(`the history was not read: ${explain(error)}`);
    const note = 'The budget since the anchor is not told: the history could not be read, and the log of this job says why.';
    return { note, unknown: note };
  }
}
