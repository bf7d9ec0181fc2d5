import { expect, vi } from 'vitest';

type Body = () => unknown;
type Hook = 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll';
interface Suite { readonly parent: Suite | null; readonly hooks: Record<Hook, Body[]> }
interface Case { readonly suite: Suite; readonly body: Body }

const newSuite = (parent: Suite | null): Suite => ({ parent, hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] } });

/** How long one test may take with a mutant, and a loop in it: one without an end never lets the clock of the test ring. */
const MOST_MS = 10_000;
const MOST_LOOP_MS = 6000;

/** When loops have to be done. `isPatient`: while the tests are learned, which a busy machine may make slow. */
export const watch = { until: Infinity, isPatient: false, start: (): void => { watch.until = watch.isPatient ? Infinity : performance.now() + MOST_LOOP_MS; } };

/** The tests of one file, collected by what it gets in place of vitest. They are known by their number in the file. */
export class Cases {
  private readonly all: Case[] = [];
  private suite = newSuite(null);

  /** What `import … from 'vitest'` gives: expectations and spies are the real ones. */
  get vitest(): Record<string, unknown> {
    const it = Object.assign((_: string, body: Body) => { this.all.push({ suite: this.suite, body }); }, { each: (...table: unknown[]) => this.each(table, (_, body) => { this.all.push({ suite: this.suite, body }); }) });
    const describe = Object.assign((_: string, body: Body) => { this.within(body); }, { each: (...table: unknown[]) => this.each(table, (_, body) => { this.within(body); }) });
    const hook = (name: Hook) => (body: Body) => { this.suite.hooks[name].push(body); };
    return { __esModule: true, expect, vi, it, test: it, describe, beforeAll: hook('beforeAll'), beforeEach: hook('beforeEach'), afterEach: hook('afterEach'), afterAll: hook('afterAll') };
  }

  get count(): number { return this.all.length; }

  private within(body: Body): void {
    const outer = this.suite;
    this.suite = newSuite(outer);
    body();
    this.suite = outer;
  }

  private each(table: unknown[], add: (name: string, body: Body) => void) {
    if (table.length !== 1) throw new Error('tables are lists here');
    return (name: string, body: (...row: unknown[]) => unknown): void => {
      for (const row of table[0] as unknown[]) add(name, () => body(...(Array.isArray(row) ? row as unknown[] : [row])));
    };
  }

  /** Runs these in their order until one fails. `told`: what each took. Returns the one that failed, or null. */
  async run(numbers: readonly number[], told: (number: number, ms: number) => void = () => {}): Promise<number | null> {
    const begun = new Set<Suite>();
    try {
      for (const number of numbers) {
        const started = performance.now();
        if (!await this.one(this.all[number]!, begun)) return number;
        told(number, performance.now() - started);
      }
      return null;
    } finally {
      for (const suite of [...begun].reverse()) for (const body of suite.hooks.afterAll) await inTime(body).catch(() => {});
    }
  }

  private async one({ suite, body }: Case, begun: Set<Suite>): Promise<boolean> {
    const suites = outside(suite);
    try {
      for (const one of suites.filter(it => !begun.has(it))) {
        begun.add(one);
        for (const hook of one.hooks.beforeAll) await inTime(hook);
      }
      for (const one of suites) for (const hook of one.hooks.beforeEach) await inTime(hook);
      await inTime(body);
      return true;
    } catch {
      return false;
    } finally {
      for (const one of suites.toReversed()) for (const hook of one.hooks.afterEach) await inTime(hook).catch(() => {});
    }
  }
}

/** The suites around a test, the outermost first. */
const outside = (suite: Suite | null): Suite[] => (suite === null ? [] : [...outside(suite.parent), suite]);

async function inTime(body: Body): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  watch.start();
  const late = new Promise<never>((_, reject) => { timer = setTimeout(() => { reject(new Error('out of time')); }, watch.isPatient ? 12 * MOST_MS : MOST_MS); });
  try {
    await Promise.race([Promise.resolve().then(body), late]);
  } finally {
    clearTimeout(timer);
  }
}
