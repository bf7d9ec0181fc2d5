import { expect, vi } from 'vitest';

type Body = () => unknown;
type Hook = 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll';
interface Suite { readonly parent: Suite | null; readonly hooks: Record<Hook, Body[]> }
interface Case { readonly suite: Suite; readonly body: Body }

/** Which test failed, after how many milliseconds, and how: it ran out of time, or a loop in it did, or anything else. */
export interface Failure { readonly number: number; readonly ms: number; readonly how: 'late' | 'endless' | 'failed' }

const newSuite = (parent: Suite | null): Suite => ({ parent, hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] } });

/** How long one test or loop may take, where nothing else is said. */
const MOST_MS = 10_000;
/** Steps of the clock that tests are measured by. */
const STEP_MS = 50;

const { setInterval, clearInterval } = globalThis;

/**
 * When loops have to be done, by the processor time of this process: a loop without an end never lets the clock of its test ring, and a machine
 * that others use, or that stops us for a while, must not make a loop one.
 */
export const watch = {
  until: Infinity,
  /** A loop went on for too long since the clock was started. */
  hasRung: false,
  start: (mostMs = MOST_MS): void => {
    watch.until = watch.spent() + mostMs;
    watch.hasRung = false;
  },
  isOver: (): boolean => watch.hasRung ||= watch.spent() > watch.until,
  spent: (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

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

  /** Runs these in their order until one fails. `most`: milliseconds that each may take; `told`: what each took. */
  async run(numbers: readonly number[], most: (number: number) => number = () => MOST_MS, told: (number: number, ms: number) => void = () => {}): Promise<Failure | null> {
    const begun = new Set<Suite>();
    try {
      for (const number of numbers) {
        const started = performance.now();
        const how = await this.one(this.all[number]!, most(number), begun);
        const ms = performance.now() - started;
        if (how !== null) return { number, ms, how };
        told(number, ms);
      }
      return null;
    } finally {
      for (const suite of [...begun].reverse()) for (const body of suite.hooks.afterAll) await inTime(body, MOST_MS).catch(() => {});
    }
  }

  private async one({ suite, body }: Case, most: number, begun: Set<Suite>): Promise<Failure['how'] | null> {
    const suites = outside(suite);
    try {
      for (const one of suites.filter(it => !begun.has(it))) {
        begun.add(one);
        for (const hook of one.hooks.beforeAll) await inTime(hook, most);
      }
      for (const one of suites) for (const hook of one.hooks.beforeEach) await inTime(hook, most);
      await inTime(body, most);
      return null;
    } catch (error) {
      return error instanceof Late ? 'late' : watch.hasRung ? 'endless' : 'failed';
    } finally {
      for (const one of suites.toReversed()) for (const hook of one.hooks.afterEach) await inTime(hook, MOST_MS).catch(() => {});
    }
  }
}

/** The suites around a test, the outermost first. */
const outside = (suite: Suite | null): Suite[] => (suite === null ? [] : [...outside(suite.parent), suite]);

class Late extends Error {}

/** By steps that this process came to take, so that the time for which it was stopped does not count. */
async function inTime(body: Body, most: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined, left = Math.ceil(most / STEP_MS);
  watch.start(most);
  const late = new Promise<never>((_, reject) => { timer = setInterval(() => { if (--left <= 0) reject(new Late('out of time')); }, STEP_MS); });
  try {
    await Promise.race([Promise.resolve().then(body), late]);
  } finally {
    clearInterval(timer);
  }
}
