import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Tried } from './page.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Files to mutate, by `npm run mutate -- FILE…`; empty: all. */
const asked = (process.env['PERF_LAB_MUTATE'] ?? '').split(/[ ,]+/).filter(Boolean);
/** Names of test files that try them, while tests are written: seconds instead of minutes. What survives those is tried by all of them in the next run without it. */
const by = (process.env['PERF_LAB_MUTATE_BY'] ?? '').split(/[ ,]+/).filter(Boolean);
const isAsked = process.env['PERF_LAB_MUTATE'] !== undefined || process.env['PERF_LAB_TEST_ALL'] === '1';

// Thousands of inputs in one test, or a server of its own, or the files themselves, which no mutant changes.
const WITHOUT = ['faults', 'malformed', 'contract', 'bundles'].map(name => `test/${name}.test.ts`);
const MOST_SURVIVORS = 0.05;

it.skipIf(!isAsked)(`at most 5 % of the mutants survive, each with a reason${isAsked ? '' : ' (skipped: minutes; `npm run mutate`, or `./perf-lab test --all`)'}`, async () => {
  const { Modules } = await import('./modules.ts');    // these load the compiler, which nobody else needs
  const { Runner } = await import('./run.ts');
  const { changesOf } = await import('./changes.ts');
  const { lineOf, page } = await import('./page.ts');
  const { keyOf, Results } = await import('./results.ts');
  const { reasonFor, unusedReasons } = await import('./survivors.ts');

  const quiet = keepQuiet(), started = Date.now();
  let mutants = 0;
  try {
    const modules = await Modules.read(root);
    const results = new Results(join(root, 'out/mutations'), modules);
    const sources = modules.below('src').map(file => ({ file, changes: changesOf(modules.texts.get(file)!) })).filter(({ changes }) => changes.length > 0);
    const whatIsKnown = ({ file, changes }: typeof sources[number]): Tried => {
      const known = results.of(file), found = changes.flatMap(change => known.get(keyOf(change)) ?? []);
      const survivors = changes.filter(change => known.get(keyOf(change))?.noticedBy === null).map(change => lineOf(modules.texts.get(file)!, change));
      return { file, mutants: changes.length, open: changes.length - found.length, seconds: found.reduce((sum, { ms }) => sum + ms / 1000, 0), survivors };
    };
    const runner = await Runner.prepare(modules, by.length === 0 ? WITHOUT : modules.below('test').filter(path => !by.some(name => path === `test/${name}.test.ts`)));
    quiet.say(`learned ${runner.tests} tests in ${seconds(started)} s; too slow to ask: ${runner.leftOut.join(', ') || 'none'}`);
    const chosen = sources.filter(({ file }) => asked.length === 0 || asked.some(name => file.startsWith(name)));
    for (const source of chosen.toSorted((a, b) => a.changes.length - b.changes.length)) {
      const { file } = source, known = results.of(file), before = results.before(file), from = Date.now();
      let now = 0;
      await runner.try(file, change => results.isOpen(known.get(keyOf(change))), change => before.get(keyOf(change)), outcome => {
        now++;
        if (outcome.noticedBy !== null || by.length === 0) results.keep(file, outcome);
        if (outcome.noticedBy === null) sayUnlessExplained(file, lineOf(modules.texts.get(file)!, outcome.change));
      }).catch((error: unknown) => {
        results.forget(file);
        throw error;
      });
      const { survivors, open } = whatIsKnown(source);
      mutants += now;
      quiet.say(`${file}: ${source.changes.length} mutants, ${now} tried, ${survivors.length + open} survived, ${seconds(from)} s`);
    }
    const { length: leftOut } = runner.leftOut;
    const where = `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? arch()}), load ${loadavg()[0]!.toFixed(1)} at its end.`;
    const all = sources.map(whatIsKnown);
    if (process.env['PERF_LAB_WRITE'] === '1') writeFileSync(join(root, 'test/mutation/README.md'), page(all, { where, seconds: (Date.now() - started) / 1000, tests: runner.tests, leftOut, mutants }));

    const tried = all.filter(({ file }) => chosen.some(one => one.file === file));
    const survivors = tried.flatMap(({ file, survivors }) => survivors.map(({ line }) => `${file}: ${line}`));
    expect(survivors.length / tried.reduce((sum, one) => sum + one.mutants, 0)).toBeLessThanOrEqual(MOST_SURVIVORS);
    expect(tried.flatMap(({ file, survivors }) => survivors.filter(({ line }) => reasonFor(file, line) === null).map(({ number, line }) => `${file}:${number}: ${line}`))).toEqual([]);
    expect(by.length > 0 ? [] : unusedReasons(new Set(survivors), new Set(tried.map(({ file }) => file)))).toEqual([]);
  } finally {
    quiet.end();
  }

  function sayUnlessExplained(file: string, { number, line }: Tried['survivors'][number]): void {
    if (reasonFor(file, line) === null) quiet.say(`  ${file}:${number}: ${line}`);
  }
}, 7_200_000);

const seconds = (from: number): string => ((Date.now() - from) / 1000).toFixed(1);

/** What mutants write and what they leave unawaited is nobody's business; ours is told on the real standard error. */
function keepQuiet() {
  const write = process.stderr.write.bind(process.stderr), temp = process.env['TMPDIR'];
  const events = ['unhandledRejection', 'uncaughtException'] as const, standing = events.map(event => [event, process.listeners(event as 'uncaughtException')] as const);
  const from = process.cwd(), place = mkdtempSync(join(tmpdir(), 'mutants-'));
  process.chdir(place);    // where a mutant writes that forgot its folder
  if (existsSync('/dev/shm')) process.env['TMPDIR'] = '/dev/shm';    // thousands of small folders, none of which a disk need see
  process.stderr.write = () => true;
  for (const event of events) process.removeAllListeners(event).on(event, () => {});
  return {
    say: (text: string): void => { write(`${text}\n`); },
    end: (): void => {
      process.stderr.write = write;
      for (const [event, listeners] of standing) {
        process.removeAllListeners(event);
        for (const listener of listeners) process.on(event, listener);
      }
      process.exitCode = undefined;
      process.chdir(from);
      rmSync(place, { recursive: true, force: true });
      if (temp === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = temp;
    },
  };
}
