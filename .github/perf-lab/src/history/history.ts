import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import { runRunner } from '../process/run-runner.ts';
import { parseFormat } from '../text/file.ts';
import { line } from '../text/untrusted.ts';
import { fetchFile, isOurs, STATE_FILE, type DataBranch } from './branch.ts';
import { TrendFile, type Trend } from './trend-file.ts';

/** A history of this job's own: made from the files of the data branch, gone with the job. */
export interface History {
  readonly runner: string;
  /** A lab without workloads, whose history is the one in question. */
  readonly root: string;
  /** The files as they lie, or will lie, on the data branch. */
  readonly bundle: string;
}

export interface Look {
  readonly trend: Trend;
  /** What the runner would not keep, in its words. */
  readonly problems: readonly string[];
}

/**
 * Fetches what the bundle does not have yet. What is known of the trend is believed only as we left it ourselves; otherwise it is found again from the journals.
 * Returns sentences about what was not taken.
 */
export async function fetchBundle(gh: Client, at: Workplace, branch: DataBranch, me: number, { bundle }: History): Promise<string[]> {
  let strange = 0;
  mkdirSync(bundle, { recursive: true });
  for (const entry of branch.journals) {
    const path = join(bundle, entry.path);
    if (existsSync(path) && statSync(path).size === entry.size) continue;
    const bytes = await fetchFile(gh, at, entry);
    if (bytes === null) {
      strange++;
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  const isBelieved = branch.head !== null && branch.state !== null && await isOurs(gh, at, branch.head, me);
  const state = isBelieved ? await fetchFile(gh, at, branch.state!) : null;
  if (state !== null) writeFileSync(join(bundle, STATE_FILE), state);
  return [
    ...branch.notes,
    ...(strange === 0 ? [] : [`${strange} file${strange === 1 ? '' : 's'} on the data branch ${strange === 1 ? 'is' : 'are'} not what the name says: left alone.`]),
    ...(branch.state !== null && state === null ? ['`trend.json` on the data branch was not written by this workflow: not believed, changes are found again from the journals.'] : []),
  ];
}

/** Imports the bundle and these journals, searches for changes, and writes both back into the bundle. The same again changes nothing. */
export async function look({ runner, root, bundle }: History, journals: readonly string[]): Promise<Look> {
  rmSync(join(root, '.perf-lab'), { recursive: true, force: true });    // its database is made from the files each time
  const hasSome = existsSync(bundle) && readdirSync(bundle, { recursive: true }).some(name => String(name).endsWith('.ndjson'));
  const paths = [...(hasSome ? [bundle] : []), ...journals];
  const problems: string[] = [];
  if (paths.length > 0) {
    const imported = await runRunner(runner, ['history', 'import', ...paths], root);
    if (imported.code > 1 || imported.stdout === '') throw new Error(`keeping the journals: \`perf-lab history import\` ended with ${imported.code}: ${line(imported.stderr, 400)}`);
    problems.push(...imported.stderr.split('\n').filter(text => text.includes('not kept: ')).map(text => text.slice(text.indexOf('not kept: ')).replaceAll(bundle, '').replaceAll(root, '')));
  }
  const found = await runRunner(runner, ['trend', '--json'], root);
  if (found.code !== 0) throw new Error(`searching for changes: \`perf-lab trend\` ended with ${found.code}: ${line(found.stderr, 400)}`);
  const exported = await runRunner(runner, ['history', 'export', bundle], root);
  if (exported.code !== 0) throw new Error(`keeping the journals: \`perf-lab history export\` ended with ${exported.code}: ${line(exported.stderr, 400)}`);
  return { trend: parseFormat(TrendFile, found.stdout, 'trend.json'), problems };
}

/** Every file of the bundle that belongs on the branch. */
export function filesOf({ bundle }: History): Map<string, Buffer> {
  const names = readdirSync(bundle, { recursive: true }).map(String).filter(name => name === STATE_FILE || name.endsWith('.ndjson')).sort();
  return new Map(names.map(name => [name, readFileSync(join(bundle, name))]));
}
