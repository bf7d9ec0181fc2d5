import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { explain, main } from '../src/process/main.ts';

const argv = [...process.argv];
afterEach(() => { process.argv.splice(0, process.argv.length, ...argv); process.exitCode = 0; vi.restoreAllMocks(); });

it.each([
  ['throws at once', () => { throw new Error('GITHUB_REPOSITORY is not set\n::error::x ##[add-mask]y'); }],
  ['fails later', () => Promise.reject(new Error('GITHUB_REPOSITORY is not set\n::error::x ##[add-mask]y'))],
])('a_command_that_%s_ends_with_1_and_one_line_without_a_stack_trace', async (_, command) => {
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation(text => { written.push(String(text)); return true; });
  process.argv[1] = '/lab/gate.ts';
  main(pathToFileURL('/lab/gate.ts').href, command as () => Promise<number>);
  await new Promise(done => { setImmediate(done); });
  expect([process.exitCode, written]).toEqual([1, ['perf-lab: GITHUB_REPOSITORY is not set ::error::x ## [add-mask]y\n']]);
});

it('an_error_of_a_call_says_what_was_tried_what_came_back_and_what_to_do', () => {
  const error = Object.assign(new Error('Resource not accessible'), { status: 403, response: { headers: {} }, request: { method: 'POST', url: 'https://api.github.com/repos/o/r/check-runs?x=1' } });
  expect(explain(error)).toBe('POST /repos/o/r/check-runs answered 403 (Resource not accessible); check the permissions of this job');
});

it('a_command_that_is_started_through_a_link_runs', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'main-')));
  try {
    writeFileSync(join(folder, 'gate.ts'), '');
    symlinkSync(join(folder, 'gate.ts'), join(folder, 'link.ts'));
    process.argv[1] = join(folder, 'link.ts');
    main(pathToFileURL(join(folder, 'gate.ts')).href, () => Promise.resolve(7));
    await new Promise(done => { setImmediate(done); });
    expect(process.exitCode).toBe(7);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.each<[string, string[]]>([['another one', ['/node', '/lab/status.ts']], ['nothing but node', ['/node']]])('a_command_does_not_run_when_%s_was_started', async (_, started) => {
  process.argv.splice(0, process.argv.length, ...started);
  let hasRun = false;
  main(pathToFileURL('/lab/gate.ts').href, () => { hasRun = true; return Promise.resolve(7); });
  await new Promise(done => { setImmediate(done); });
  expect(hasRun).toBe(false);
});
