import { vi } from 'vitest';
import { Cases, watch } from './cases.ts';
import { changesOf, type Change } from './changes.ts';
import type { Modules, Mutant } from './modules.ts';

/** What became of a mutant. `noticedBy`: a file of tests and the number of the test; `loading` of the modules; null: nothing. */
export interface Outcome { readonly change: Change; readonly noticedBy: string | null; readonly ms: number }

interface Known { readonly file: string; readonly number: number; readonly ms: number; readonly hits: ReadonlySet<string>; readonly named: ReadonlySet<string> }

/** Tests that try thousands of inputs in one: a mutant that only they notice is a mutant that no test is about. */
const MOST_MS = 3000;

/** Tests of one file that run before those of another one have their turn; each turn of a file twice as many, because each starts its servers anew. */
const TURN = 4;

/** What a test with a mutant may take, by what it takes as it is. */
const limitOf = (ms: number): number => 2000 + 3 * ms;
/** Nothing in the tests waits for less than two seconds before it gives up: a test that failed sooner did not fail because the machine is busy. */
const SOON_MS = 1000;
/** While the tests are learned, and when the machine turns out to be too slow for the limit. */
const PATIENT_MS = 120_000;

const nameOf = ({ file, number }: Known): string => `${file} ${number}`;

/** All tests once as they are: how long each takes, and what it reaches. */
export class Runner {
  private readonly modules: Modules;
  private readonly known: Known[] = [];
  /** Per file of tests: how many it has, and what begins while its modules are loaded. */
  private readonly counts = new Map<string, number>();
  private readonly loads = new Map<string, ReadonlySet<string>>();
  private readonly closures = new Map<string, ReadonlySet<string>>();
  readonly leftOut: string[] = [];
  private readonly home = { env: { ...process.env }, argv: [...process.argv], folder: process.cwd() };

  private constructor(modules: Modules) { this.modules = modules; }

  get tests(): number { return this.known.length; }

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
    watch.start(PATIENT_MS);
    this.modules.fresh(cases.vitest)(file);
    const atLoad = hits;
    this.loads.set(file, atLoad);
    this.counts.set(file, cases.count);
    hits = new Set();
    const failure = await cases.run(range(cases.count), () => PATIENT_MS, (number, ms) => {
      if (ms > MOST_MS) this.leftOut.push(`${file} ${number}`);
      else this.known.push({ file, number, ms, hits, named: this.modules.named(file, [...atLoad, ...hits]) });
      hits = new Set();
    });
    this.modules.onHit = null;
    if (failure !== null) throw new Error(`${file}: test ${failure.number} fails without any mutant`);
  }

  /** Tries the changes of a file that are asked for, and tells of each as it is known. `before`: the test that noticed it the last time, when there is one. */
  async try(path: string, isAsked: (change: Change) => boolean, before: (change: Change) => string | undefined, told: (outcome: Outcome) => void): Promise<void> {
    const text = this.modules.texts.get(path)!;
    const noticed = new Map<string, number>();
    for (const change of changesOf(text).filter(isAsked)) {
      const started = performance.now();
      const noticedBy = await this.notice(path, text.slice(0, change.at) + change.to + text.slice(change.end), change, noticed, before(change));
      if (noticedBy !== null) noticed.set(noticedBy, (noticed.get(noticedBy) ?? 0) + 1);
      told({ change, noticedBy, ms: performance.now() - started });
    }
    await this.holdToTests(noticed);
  }

  // The tests that reach the change, a few of each file in turn, until one fails.
  private async notice(path: string, text: string, change: Change, noticed: ReadonlyMap<string, number>, before: string | undefined): Promise<string | null> {
    const mutant = this.modules.mutant(path, text), turns = new Map<string, number>();
    if (mutant === null) return 'loading';
    let left = this.likeliestFirst(this.known.filter(test => this.reaches(test, path, change)), path, noticed, before);
    while (left.length > 0) {
      const { file } = left[0]!, most = turns.get(file) ?? TURN;
      turns.set(file, 2 * most);
      const turn = left.filter(test => test.file === file).slice(0, most);
      const loaded = this.load(file, mutant);
      if (loaded === null) return `loading ${file}`;
      // Another number of tests: a table of theirs comes from what was changed, and they are not known by their numbers any more.
      const isOther = loaded.count !== this.counts.get(file);
      left = left.filter(test => (isOther ? test.file !== file : !turn.includes(test)));
      const failed = await this.fails(file, isOther ? range(loaded.count) : turn.map(({ number }) => number), mutant, loaded);
      if (failed !== null) return `${file} ${failed}`;
    }
    return null;
  }

  // A busy machine must notice nothing: a failure that did not come soon counts when it comes twice, and running out of time when the test as it is has time enough.
  private async fails(file: string, numbers: readonly number[], mutant: Mutant, loaded: Cases): Promise<number | null> {
    const limits = new Map(this.known.filter(test => test.file === file).map(({ number, ms }) => [number, limitOf(ms)]));
    const limit = (number: number): number => limits.get(number) ?? limitOf(MOST_MS);
    const first = await loaded.run(numbers, limit);
    if (first === null) return null;
    const upTo = numbers.slice(0, numbers.indexOf(first.number) + 1);
    const again = async (most: (number: number) => number): Promise<number | null> => {
      const reloaded = this.load(file, mutant);
      return reloaded === null ? first.number : (await reloaded.run(upTo, most))?.number ?? null;
    };
    if (first.how === 'endless' || first.ms < SOON_MS) return first.number;
    if (first.how === 'failed') return await again(limit);
    const started = performance.now();
    await this.fresh(file).run([Math.min(first.number, this.counts.get(file)! - 1)], () => PATIENT_MS);
    return performance.now() - started < limit(first.number) / 2 ? first.number : await again(() => PATIENT_MS);
  }

  private load(file: string, mutant: Mutant): Cases | null {
    watch.start();
    try {
      return this.fresh(file, mutant);
    } catch {
      return null;
    }
  }

  // The tests of a file, with all modules anew, in a process where nothing is left of a test that never came to its end.
  private fresh(file: string, mutant?: Mutant): Cases {
    const { env, argv, folder } = this.home, cases = new Cases();
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.argv.splice(0, process.argv.length, ...argv);
    process.chdir(folder);
    vi.restoreAllMocks();
    this.modules.fresh(cases.vitest, mutant)(file);
    return cases;
  }

  // A mutant that left something behind would have all that come after it noticed. Twice, because machines can be busy.
  private async holdToTests(noticed: ReadonlyMap<string, number>): Promise<void> {
    for (const { file, number } of this.known.filter(test => noticed.has(nameOf(test)))) {
      const fails = async (): Promise<boolean> => await this.fresh(file).run([number], () => PATIENT_MS) !== null;
      if (await fails() && await fails()) throw new Error(`${file}: test ${number} fails without any mutant, after those of this file: one of them left something behind`);
    }
  }

  // The one that noticed this change before; those that noticed most changes of this file; then of files that import it; then those that reach most of it, one of each file of tests after the other.
  private likeliestFirst(tests: readonly Known[], path: string, noticed: ReadonlyMap<string, number>, before: string | undefined): Known[] {
    const rated = tests.map(test => ({
      test, found: nameOf(test) === before ? Infinity : noticed.get(nameOf(test)) ?? 0,
      isAbout: this.modules.imports.get(test.file)!.includes(path), reach: [...test.hits].filter(hit => hit.startsWith(`${path} `)).length, rank: 0,
    }));
    const perFile = new Map<string, number>();
    for (const one of rated.sort((a, b) => b.reach - a.reach || a.test.ms - b.test.ms)) {
      one.rank = perFile.get(one.test.file) ?? 0;
      perFile.set(one.test.file, one.rank + 1);
    }
    return rated.sort((a, b) => b.found - a.found || Number(b.isAbout) - Number(a.isAbout) || a.rank - b.rank || b.reach - a.reach).map(({ test }) => test);
  }

  private reaches({ file, hits, named }: Known, path: string, { owner, top }: Change): boolean {
    if (owner >= 0 && (hits.has(`${path} ${owner}`) || !this.loads.get(file)!.has(`${path} ${owner}`))) return hits.has(`${path} ${owner}`);
    return top === null ? this.closures.get(file)!.has(path) : named.has(`${path} #${top}`) || named.has(`${path} *`);
  }
}

const range = (count: number): number[] => [...Array(count).keys()];
