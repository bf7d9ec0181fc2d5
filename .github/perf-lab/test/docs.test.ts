import fs from 'node:fs';
import { expect, it } from 'vitest';
import { EXIT_CODES } from '../src/request/refusal.ts';
import { COMMENT_CHARS } from '../src/publish/judge.ts';
import { MAX_COMMAND_CHARS } from '../src/request/command.ts';
import { LIMIT_MS, POLL_MS, QUIET_MS } from '../src/runner/wait.ts';

const read = (path: string): string => fs.readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8');
const page = read('internals/github.md');

it('docs_list_every_refusal_with_its_exit_code', () => {
  const rows = Object.fromEntries([...page.matchAll(/^\| `([a-z-]+)` \| ([0-9]+) \|/gm)].map(([, code, exit]) => [code, Number(exit)]));
  expect(rows).toEqual(EXIT_CODES);
});

it('docs_state_the_constants_of_the_code', () => {
  expect(page).toContain(`at most ${MAX_COMMAND_CHARS} characters`);
  expect(read('pull-requests.md')).toContain(`cut to ${COMMENT_CHARS.toLocaleString('en')} characters`);
  expect(page).toContain(`quiet for ${QUIET_MS / 1000} s, asks every ${POLL_MS / 1000} s, and gives up after ${LIMIT_MS / 60_000} minutes`);
});

it('the_readme_names_every_variable_that_a_command_reads', () => {
  const src = new URL('../src/', import.meta.url), readme = fs.readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const code = fs.readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts')).map(name => fs.readFileSync(new URL(name, src), 'utf8')).join('\n');
  const named = [...new Set([...code.matchAll(/env(?:\[|, )'(PERF_LAB_[A-Z_]+)'/g)].map(([, name]) => name!))];
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(name => !readme.includes(`\`${name}\``))).toEqual([]);
});

it('no_lock_file_names_a_registry', () => {
  expect(fs.readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')).not.toContain('"resolved"');
});

// The last column of .github/perf-lab/test/github-inputs.md: files, and what each of them must hold.
it('docs_name_a_test_for_every_input_and_it_is_there', () => {
  const root = new URL('../../../', import.meta.url).pathname;
  const inputs = fs.readFileSync(`${root}.github/perf-lab/test/github-inputs.md`, 'utf8');
  const files = new Map<string, string>();    // of two files with one name, both
  for (const folder of ['.github/perf-lab/test', 'tests/workflows/rules', 'tests/workflows/flow', 'tests/workflows/faults', 'tests/PerfLab.Runner.Tests/Steps', 'tests/PerfLab.Runner.Tests/History', 'tests/PerfLab.Core.Tests/Reporting', 'tests/PerfLab.Engine.Tests/Docker/Images', 'tests/PerfLab.Engine.Tests/Commands', 'tests/PerfLab.Workload.Tests/Benchmarks']) {
    for (const name of fs.readdirSync(`${root}${folder}`).filter(name => /\.(ts|cs)$/.test(name))) files.set(name, `${files.get(name) ?? ''}${fs.readFileSync(`${root}${folder}/${name}`, 'utf8')}`);
  }
  const rows = inputs.split('\n').filter(line => line.startsWith('| ') && !/^\| (input|mistake) \|/.test(line));
  expect(rows.length).toBeGreaterThan(60);
  const missing: string[] = [];
  for (const row of rows) {
    let file = '';
    let named = 0;
    for (const [, name, spaced, plain] of row.split(' | ').at(-1)!.matchAll(/([A-Za-z-]+(?:\.test\.ts|\.cs))|`` (.+?) ``|`([^`]+)`/g)) {
      if (name !== undefined) file = name;
      else if (++named > 0 && !files.get(file)?.replaceAll("\\'", "'").includes((spaced ?? plain)!)) missing.push(`${file}: ${spaced ?? plain}`);
    }
    if (named === 0) missing.push(`no test: ${row}`);
  }
  expect(missing).toEqual([]);
});
