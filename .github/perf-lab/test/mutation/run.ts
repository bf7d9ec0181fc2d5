import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cases, watch } from './cases.ts';
import { changesOf, type Change } from './changes.ts';
import type { Modules } from './modules.ts';

/** What became of a mutant. `noticed` by the test of that number, or by the loading of the modules. */
export interface Outcome { readonly change: Change; readonly noticedBy: string | null }

interface Known { readonly file: string; readonly number: number; readonly ms: number; readonly hits: ReadonlySet<string> }

/** Tests that try thousands of inputs in one: a mutant that only they notice is a mutant that no test is about. */
const MOST_MS = 3000;

/** Tests of one file that run before those of another one have their turn. */
const TURN = 5;

const nameOf = ({ file, number }: Known): string => `${file} ${number}`;

/** All tests once as they are: how long each takes, and which functions it reaches. */
export class Runner {
  private readonly modules: Modules;
  private readonly known: Known[] = [];
  /** Per file of tests: what begins while its modules are loaded. */
  private readonly loads = new Map<string, ReadonlySet<string>>();
  private readonly closures = new Map<string, ReadonlySet<string>>();
  readonly leftOut: string[] = [];

  private constructor(modules: Modules) { this.modules = modules; }

  static async prepare(modules: Modules, without: readonly string[]): Promise<Runner> {
    const runner = new Runner(modules);
    for (const file of modules.below('test').filter(path => path.endsWith('.test.ts') && !without.includes(path) && !path.startsWith('test/mutation/'))) await runner.learn(file);
    return runner;
  }

  private async learn(file: string): Promise<void> {
    let hits = new Set<string>();
    this.modules.onHit = (path, owner) => { hits.add(`${path} ${owner}`); };
    const cases = new Cases();
    this.closures.set(file, this.modules.closure(file));
    watch.isPatient = true;
    watch.start();
    this.modules.fresh(cases.vitest)(file);
    this.loads.set(file, hits);
    hits = new Set();
    const failed = await cases.run([...Array(cases.count).keys()], (number, ms) => {
      if (ms > MOST_MS) this.leftOut.push(`${file} ${number}`);
      else this.known.push({ file, number, ms, hits });
      hits = new Set();
    });
    this.modules.onHit = null;
    watch.isPatient = false;
    if (failed !== null) throw new Error(`${file}: test ${failed} fails without any mutant`);
  }

  /** Tries the changes of a file; `again`: which of them. */
  async try(path: string, again: (change: Change) => boolean = () => true): Promise<Outcome[]> {
    const text = readFileSync(join(this.modules.root, path), 'utf8');
    const noticed = new Map<string, number>();
    const outcomes: Outcome[] = [];
    for (const change of changesOf(text).filter(again)) {
      const noticedBy = await this.notice(path, text, change, noticed);
      if (noticedBy !== null) noticed.set(noticedBy, (noticed.get(noticedBy) ?? 0) + 1);
      outcomes.push({ change, noticedBy });
    }
    return outcomes;
  }

  // The tests that reach the function, a few of each file in turn, until one fails.
  private async notice(path: string, text: string, change: Change, noticed: ReadonlyMap<string, number>): Promise<string | null> {
    const changed = { path, text: text.slice(0, change.at) + change.to + text.slice(change.end) };
    let left = this.likeliestFirst(this.known.filter(test => this.reaches(test, path, change.owner)), path, noticed);
    while (left.length > 0) {
      const { file } = left[0]!;
      const turn = left.filter(test => test.file === file).slice(0, TURN);
      left = left.filter(test => !turn.includes(test));
      const cases = new Cases();
      watch.start();
      try {
        this.modules.fresh(cases.vitest, changed)(file);
      } catch {
        return 'loading';
      }
      const failed = await cases.run(turn.map(test => test.number));
      if (failed !== null) return `${file} ${failed}`;
    }
    return null;
  }

  // Those that noticed most changes of this file; then those that reach most of it, one of each file of tests after the other.
  private likeliestFirst(tests: readonly Known[], path: string, noticed: ReadonlyMap<string, number>): Known[] {
    const rated = tests.map(test => ({ test, found: noticed.get(nameOf(test)) ?? 0, reach: [...test.hits].filter(hit => hit.startsWith(`${path} `)).length, rank: 0 }));
    const perFile = new Map<string, number>();
    for (const one of rated.sort((a, b) => b.reach - a.reach || a.test.ms - b.test.ms)) {
      one.rank = perFile.get(one.test.file) ?? 0;
      perFile.set(one.test.file, one.rank + 1);
    }
    return rated.sort((a, b) => b.found - a.found || a.rank - b.rank || b.reach - a.reach).map(({ test }) => test);
  }

  private reaches({ file, hits }: Known, path: string, owner: number): boolean {
    const atLoad = this.loads.get(file)!;
    if (owner >= 0 && !atLoad.has(`${path} ${owner}`)) return hits.has(`${path} ${owner}`);
    return this.closures.get(file)!.has(path);
  }
}
