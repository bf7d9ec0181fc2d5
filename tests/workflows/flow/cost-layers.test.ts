import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { read, repository, type Action } from '../rules/files.ts';

// What is played: `perf-lab lab start`, by a script that says what the program says (its words are read from its source).
const step = read<Action>('.github/actions/lab-up/action.yml').content.runs.steps!.find(({ name }) => name === 'Have a machine made for it')!;
const source = readFileSync(join(repository, 'runner/PerfLab.Lab/Azure/DailyShutdowns.cs'), 'utf8');
const words = /Missing = "([^"]+)"/.exec(source)![1]!;

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'perf-lab-layers-')); mkdirSync(join(folder, 'tools/runner'), { recursive: true }); });
afterEach(() => { rmSync(folder, { recursive: true, force: true }); });

function start(script: string) {
  const program = join(folder, 'tools/runner/perf-lab'), at = (name: string): string => join(folder, name);
  writeFileSync(program, `#!/bin/bash\n[[ $* == "lab start azure-d4s --minutes 120 --jit $JIT" && -e $JIT ]] || exit 9\n${script}\n`);
  chmodSync(program, 0o755);
  writeFileSync(at('jit'), 'secret');
  const { status, stdout, stderr } = spawnSync('/bin/bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run!], {
    cwd: folder, encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', MACHINE: 'azure-d4s', MINUTES: '120', JIT: at('jit'), SAID: at('said'), GITHUB_STEP_SUMMARY: at('summary') },
  });
  return { status, stdout, stderr, summary: existsSync(at('summary')) ? readFileSync(at('summary'), 'utf8') : '', blobIsGone: !existsSync(at('jit')) };
}

it('a machine with all layers is told about as before, and nothing is warned of', () => {
  const { status, stdout, summary, blobIsGone } = start('echo "lease 900/1" >&2; echo "azure-d4s runs for 900/1"');
  expect([status, stdout, summary, blobIsGone]).toEqual([0, 'lease 900/1\nazure-d4s runs for 900/1\n', '', true]);
});

it('a machine without the fourth layer is a warning of the run and of its summary', () => {
  const line = `${words}: MissingSubscriptionRegistration: 100 % of \`it\` <b>|`;
  const { status, stdout, summary } = start(`printf '%s\\n' '${line}' >&2; echo "azure-d4s runs for 900/1"`);
  expect(status).toBe(0);
  expect(stdout).toContain(`::warning title=azure-d4s has no daily shutdown::${line.replace('%', '%25')}\n`);
  expect(summary).toBe(`> [!WARNING]\n> azure-d4s runs ${words}: MissingSubscriptionRegistration: 100 % of  it   b  \n`);
});

it('a start that fails fails the step, with its own code, and leaves no configuration behind', () => {
  const { status, stdout, blobIsGone } = start('echo "no capacity" >&2; exit 3');
  expect([status, stdout, blobIsGone]).toEqual([3, 'no capacity\n', true]);
});
