import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { read, type Action, type Step, type Workflow } from '../rules/files.ts';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'perf-lab-script-')); mkdirSync(join(folder, 'bin')); });
afterEach(() => { rmSync(folder, { recursive: true, force: true }); });

/** A step's own script, with programs that play what the machine has. */
function play(step: Step, env: Record<string, string>, programs: Record<string, string> = {}) {
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/bash\n${script}\n`);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  const { status, stdout } = spawnSync('/bin/bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run!], {
    cwd: folder, encoding: 'utf8', env: { PATH: join(folder, 'bin'), GITHUB_OUTPUT: join(folder, 'output'), ...env },
  });
  return { status, stdout, output: () => readFileSync(join(folder, 'output'), 'utf8') };
}

describe('the reaper, between `pulumi up` and the commit of lab.json', () => {
  const steps = read<Workflow>('.github/workflows/reaper-run.yml').content.jobs['reap']!.steps!, look = steps.find(({ id }) => id === 'lab')!;

  it('passes and warns that it ends nothing', () => {
    const { status, stdout } = play(look, {});
    expect(status).toBe(0);
    expect(stdout).toMatch(/^::warning title=Nothing was reaped::There is no lab\.json on the default branch/);
    expect(steps.at(-1)).toEqual({ if: 'steps.lab.outputs.there == \'true\'', uses: '$/.github/actions/reap' });
  });
  it('reaps as soon as it is there', () => {
    mkdirSync(join(folder, 'repository'));
    writeFileSync(join(folder, 'repository', 'lab.json'), '{}');
    const { status, stdout, output } = play(look, {});
    expect([status, stdout, output()]).toEqual([0, '', 'there=true\n']);
  });
});

describe('on GitHub\'s runner', () => {
  const step = read<Action>('.github/actions/measure/action.yml').content.runs.steps![0]!;
  const basics = { tail: 'cat >/dev/null; exit 0' };

  it('containers are taken where an engine answers: what stands under them came with the builds', () => {
    expect(play(step, {}, { ...basics, docker: 'exit 0' }).output()).toBe('executor=docker\n');
  });
  it('launches are processes where none does, and it is said', () => {
    const { status, stdout, output } = play(step, {}, { ...basics, docker: 'echo no daemon >&2; exit 1' });
    expect([status, output()]).toEqual([0, 'executor=process\n']);
    expect(stdout).toContain('::warning::no Docker engine answers');
  });
});

describe('the base of the containers, on GitHub\'s runner', () => {
  const step = read<Action>('.github/actions/bases/action.yml').content.runs.steps![0]!;
  const sudo = (apt: string) => ({ sudo: `if [[ $1 == apt-get ]]; then ${apt}; fi; printf '%s\\n' "$*" >"$OUT"` });
  const made = 'env PERF_LAB_ROOT=';

  it('is made as root, by the runner that came with the tools', () => {
    const { status, stdout } = play(step, { PLAN: 'in/plan.json', OUT: join(folder, 'bases.tar') }, sudo('exit 0'));
    expect([status, stdout]).toEqual([0, '']);
    expect(readFileSync(join(folder, 'bases.tar'), 'utf8')).toBe(`${made}${folder}/tools/repository tools/runner/perf-lab build in/plan.json --bases ${join(folder, 'bases.tar')}\n`);
  });
  it('is asked of the engine where the tool can\'t be installed, and it is said', () => {
    const { status, stdout } = play(step, { PLAN: 'in/plan.json', OUT: join(folder, 'bases.tar') }, sudo('exit 100'));
    expect(status).toBe(0);
    expect(stdout).toContain('::warning::mmdebstrap can\'t be installed here');
    expect(readFileSync(join(folder, 'bases.tar'), 'utf8')).toContain(made);
  });
  it('that can\'t be had ends the job before a machine is started', () => {
    expect(play(step, { PLAN: 'p', OUT: join(folder, 'bases.tar') }, { sudo: '[[ $1 == apt-get ]] || exit 1' }).status).toBe(1);
  });
});
