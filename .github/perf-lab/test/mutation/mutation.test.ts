import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Tried } from './page.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/**
 * What a fault hurts most in: who may ask and for what, what is believed of GitHub's answers and of archives. Here at most 5 % may survive, each with its reason.
 * The other files are tried when they are named; to hold one of them, too, add it here and kill or explain what survives.
 */
const HELD = ['src/artifact/', 'src/cancel.ts', 'src/gate.ts', 'src/gate/', 'src/request/command.ts'];

/** Files to mutate, by `npm run mutate -- FILE…`; empty: those that are held. */
const asked = (process.env['PERF_LAB_MUTATE'] ?? '').split(/[ ,]+/).filter(Boolean);
const isAsked = process.env['PERF_LAB_MUTATE'] !== undefined || process.env['PERF_LAB_TEST_ALL'] === '1';

// Thousands of inputs in one test, or a server of its own.
const WITHOUT = ['faults', 'malformed', 'contract'].map(name => `test/${name}.test.ts`);
const MOST_SURVIVORS = 0.05;

it.skipIf(!isAsked)(`at most 5 % of the mutants survive, each with a reason${isAsked ? '' : ' (skipped: minutes; `npm run mutate`, or `./perf-lab test --all`)'}`, async () => {
  const { Modules } = await import('./modules.ts');    // these load the compiler, which nobody else needs
  const { Runner } = await import('./run.ts');
  const { changesOf } = await import('./changes.ts');
  const { lineOf, page } = await import('./page.ts');
  const { Results } = await import('./results.ts');
  const { reasonFor, unusedReasons } = await import('./survivors.ts');

  const quiet = keepQuiet(), results = new Results(join(root, 'out/mutations'));
  const started = Date.now();
  const tried: Tried[] = [];
  const leftOut: string[] = [];
  const modules = await Modules.read(root);
  try {
    const runner = await Runner.prepare(modules, WITHOUT);
    leftOut.push(...runner.leftOut);
    quiet.say(`learned the tests in ${seconds(started)} s`);
    for (const file of modules.below('src').filter(path => (asked.length === 0 ? HELD : asked).some(name => path.startsWith(name)))) {
      const text = readFileSync(join(root, file), 'utf8'), from = Date.now();
      const mutants = changesOf(text).length, last = results.of(file, text);
      if (mutants === 0) continue;
      const outcomes = await runner.try(file, last === null ? undefined : change => last.survivors.some(({ at, to }) => at === change.at && to === change.to));
      const survivors = outcomes.filter(({ noticedBy }) => noticedBy === null).map(({ change }) => ({ ...lineOf(text, change), at: change.at, to: change.to }));
      const one = { file, mutants, seconds: (last?.seconds ?? 0) + (Date.now() - from) / 1000, survivors };
      results.keep(one, text);
      tried.push(one);
      quiet.say(`${file}: ${mutants} mutants, ${outcomes.length} tried, ${survivors.length} survived, ${seconds(from)} s`);
      for (const { number, line } of survivors) if (reasonFor(file, line) === null) quiet.say(`  ${number}: ${line}`);
    }
  } finally {
    quiet.end();
  }
  const where = `On ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? arch()}), load ${loadavg()[0]!.toFixed(1)} at the end: ${seconds(started)} s.`;
  const text = page(modules.below('src').flatMap(file => {
    const source = readFileSync(join(root, file), 'utf8');
    return changesOf(source).length === 0 ? [] : [{ file, isHeld: HELD.some(name => file.startsWith(name)), tried: results.of(file, source) }];
  }), where, leftOut.length);
  if (process.env['PERF_LAB_WRITE'] === '1') writeFileSync(join(root, '../../docs/results/github-mutations.md'), text);

  const survivors = tried.flatMap(({ file, survivors }) => survivors.map(({ line }) => `${file}: ${line}`));
  expect(survivors.length / tried.reduce((sum, one) => sum + one.mutants, 0)).toBeLessThanOrEqual(MOST_SURVIVORS);
  expect(tried.flatMap(({ file, survivors }) => survivors.filter(({ line }) => reasonFor(file, line) === null).map(({ number, line }) => `${file}:${number}: ${line}`))).toEqual([]);
  expect(unusedReasons(new Set(survivors), new Set(tried.map(({ file }) => file)))).toEqual([]);
}, 3_600_000);

const seconds = (from: number): string => ((Date.now() - from) / 1000).toFixed(1);

/** What mutants write and what they leave unawaited is nobody's business; ours is told on the real standard error. */
function keepQuiet() {
  const write = process.stderr.write.bind(process.stderr), standing = process.listeners('unhandledRejection'), temp = process.env['TMPDIR'];
  const from = process.cwd(), place = mkdtempSync(join(tmpdir(), 'mutants-'));
  process.chdir(place);    // where a mutant writes that forgot its folder
  if (existsSync('/dev/shm')) process.env['TMPDIR'] = '/dev/shm';    // thousands of small folders, none of which a disk need see
  process.stderr.write = () => true;
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', () => {});
  return {
    say: (text: string): void => { write(`${text}\n`); },
    end: (): void => {
      process.stderr.write = write;
      process.removeAllListeners('unhandledRejection');
      for (const listener of standing) process.on('unhandledRejection', listener);
      process.exitCode = undefined;
      process.chdir(from);
      rmSync(place, { recursive: true, force: true });
      if (temp === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = temp;
    },
  };
}
