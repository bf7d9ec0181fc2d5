import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StepRunner } from './step-runner.ts';

const ACTION = `
inputs: { in: { required: true } }
outputs: { out: { value: "\${{ steps.s.outputs.o }}" } }
runs:
  using: composite
  steps: [{ id: s, shell: bash, env: { IN: "\${{ inputs.in }}" }, run: "echo o=$IN-$WORD >>$GITHUB_OUTPUT" }]
`;

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'perf-lab-steps-')); });
afterEach(() => { rmSync(folder, { recursive: true, force: true }); });

function runnerOf(files: Record<string, string>): StepRunner {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, 'repo', path, '..'), { recursive: true });
    writeFileSync(join(folder, 'repo', path), text);
  }
  mkdirSync(join(folder, 'jobs'), { recursive: true });
  return new StepRunner({
    source: { folder: join(folder, 'repo'), repository: 'o/caller', commit: 'c'.repeat(40) }, others: [{ folder: join(folder, 'repo'), repository: 'o/called', commit: 'd'.repeat(40) }], folder: join(folder, 'jobs'), eventPath: join(folder, 'event.json'), github: { event: { issue: { number: 5 } }, run_id: '1', token: 'secret-token' },
    archive: ({ folder: from, commit }, target) => { cpSync(from, target, { recursive: true }); writeFileSync(join(target, 'commit'), commit); },
    stubs: { 'x/y': ({ with: given, workspace }) => { mkdirSync(join(workspace, 'act')); writeFileSync(join(workspace, 'act/action.yml'), ACTION); return { outputs: { seen: given['n']! } }; } }, env: { PATH: process.env['PATH']! },
  });
}

describe('the step runner', () => {
  it('plays outputs, needs, conditions, failures, reusable workflows and composite actions', async () => {
    const runner = runnerOf({
      'main.yml': `
on: push
jobs:
  late: { needs: [call], if: always(), runs-on: x, outputs: { got: "\${{ needs.call.outputs.v }}-\${{ needs.call.result }}" }, steps: [{ run: "true" }] }
  after: { needs: [bad], runs-on: x, steps: [{ run: "true" }] }
  anyway: { needs: [bad], if: "always() && needs.bad.outputs.a == '1'", runs-on: x, steps: [{ run: "true" }] }
  call: { uses: ./inner.yml, with: { word: "n\${{ github.event.issue.number }}" } }
  bad:
    runs-on: x
    outputs: { a: "\${{ steps.one.outputs.a }}" }
    steps:
      - { id: one, run: "echo a=1 >>$GITHUB_OUTPUT" }
      - { run: "false | true" }
      - { id: never, run: "echo b=1 >>$GITHUB_OUTPUT" }
      - { if: failure(), run: "echo mourned" }
`,
      'inner.yml': `
on: { workflow_call: { inputs: { word: { type: string }, other: { type: string, default: o } }, outputs: { v: { value: "\${{ jobs.j.outputs.v }}" } } } }
jobs:
  j:
    runs-on: x
    env: { WORD: "\${{ inputs.word }}" }
    outputs: { v: "\${{ steps.act.outputs.out }}" }
    steps:
      - { id: stub, uses: x/y@v1, with: { n: "\${{ inputs.other }}" } }
      - { id: act, uses: ./act, with: { in: "\${{ steps.stub.outputs.seen }}" } }
`,
    });
    const jobs = await runner.run('main.yml');
    expect(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.result]))).toEqual({ late: 'success', after: 'skipped', anyway: 'success', call: 'success', bad: 'failure' });
    expect(jobs['late']!.outputs).toEqual({ got: 'o-n5-success' });
    expect(runner.log.filter(line => line.job === 'bad').map(line => line.code)).toEqual([0, 1, 0]);
    expect(runner.log.at(-1)!.output + runner.log.map(line => line.output).join('')).toContain('mourned');
  });

  it('skips, like GitHub, whatever comes after a skipped job, however far, until a condition asks otherwise', async () => {
    const job = (needs: string, condition = ''): string => `{ needs: [${needs}], ${condition}runs-on: x, steps: [{ run: "true" }] }`;
    const jobs = await runnerOf({
      'main.yml': `on: push\njobs:\n  no: ${job('', 'if: false, ')}\n  all: ${job('no', 'if: "!cancelled()", ')}\n  child: ${job('all')}\n  named: ${job('all', 'if: "needs.all.result == \'success\'", ')}\n  asked: ${job('all', 'if: "!cancelled() && needs.all.result == \'success\'", ')}\n  grandchild: ${job('asked')}`,
    }).run('main.yml');
    expect(Object.fromEntries(Object.entries(jobs).map(([name, { result }]) => [name, result]))).toEqual({ no: 'skipped', all: 'success', child: 'skipped', named: 'skipped', asked: 'success', grandchild: 'skipped' });
  });

  it('says in each job where its workflow file comes from', async () => {
    const say = '{ run: \'echo "$W"\', env: { W: "${{ job.workflow_repository }} ${{ job.workflow_sha }} ${{ job.workflow_ref }}" } }';
    const runner = runnerOf({
      'main.yml': `on: push\njobs:\n  own: { runs-on: x, steps: [${say}] }\n  other: { uses: "o/called/inner.yml@${'d'.repeat(40)}" }`,
      'inner.yml': `on: { workflow_call: {} }\njobs: { a: { runs-on: x, steps: [${say}] }, b: { uses: ./last.yml } }`,
      'last.yml': `on: { workflow_call: {} }\njobs: { c: { runs-on: x, steps: [${say}] } }`,
    });
    await runner.run('main.yml');
    const [c, d] = ['c'.repeat(40), 'd'.repeat(40)];
    expect(runner.log.map(({ job, output }) => `${job}: ${output.trim()}`)).toEqual([`own: o/caller ${c} o/caller/main.yml@${c}`, `other/a: o/called ${d} o/called/inner.yml@${d}`, `other/b/c: o/called ${d} o/called/last.yml@${d}`]);
    await expect(runnerOf({ 'main.yml': `on: push\njobs: { a: { uses: "o/called/inner.yml@${'e'.repeat(40)}" } }` }).run('main.yml')).rejects.toThrow('no repository here has the workflow');
  });

  it('fetches what `$/` names from the repository and commit of the workflow file, called or not, and from no checkout', async () => {
    const own = 'runs: { using: composite, steps: [{ shell: bash, run: \'cat "$GITHUB_ACTION_PATH/../commit"\' }] }';
    const runner = runnerOf({
      'act/action.yml': own,
      'main.yml': `on: push\njobs:\n  own: { runs-on: x, steps: [{ uses: $/act }] }\n  other: { uses: "o/called/inner.yml@${'d'.repeat(40)}" }\n  bad: { runs-on: x, steps: [{ uses: ./act }] }\n  none: { runs-on: x, steps: [{ uses: $/other }] }`,
      'inner.yml': 'on: { workflow_call: {} }\njobs: { a: { runs-on: x, steps: [{ uses: $/act }] } }',
    });
    const jobs = await runner.run('main.yml');
    expect(Object.values(jobs).map(({ result }) => result)).toEqual(['success', 'success', 'failure', 'failure']);
    expect(runner.log.filter(({ step }) => step === '_1').map(({ output }) => output)).toEqual(['c'.repeat(40), 'd'.repeat(40)]);
  });

  it('gives a step no token and nothing of our own environment', async () => {
    const runner = runnerOf({ 'main.yml': 'on: push\njobs: { a: { runs-on: x, steps: [{ run: env }] } }' });
    await runner.run('main.yml');
    expect(runner.log[0]!.output).not.toContain('secret-token');
    expect(runner.log[0]!.output).not.toContain('VITEST');
  });

  it('forgives a step that says so, and tells it by its outcome', async () => {
    const runner = runnerOf({ 'main.yml': 'on: push\njobs: { a: { runs-on: x, steps: [{ id: bad, run: "false", continue-on-error: true }, { if: "steps.bad.outcome == \'failure\' && steps.bad.conclusion == \'success\'", run: echo told }] } }' });
    expect((await runner.run('main.yml'))['a']!.result).toBe('success');
    expect(runner.log.map(({ code, output }) => [code, output.trim()])).toEqual([[1, ''], [0, 'told']]);
  });

  it.each([['a matrix', '{ runs-on: x, strategy: { matrix: { a: [1] } }, steps: [] }'], ['continue-on-error by an expression', '{ runs-on: x, steps: [{ run: "false", continue-on-error: "${{ true }}" }] }'], ['a step\'s time limit', '{ runs-on: x, steps: [{ run: "true", timeout-minutes: 1 }] }'], ['working-directory', '{ runs-on: x, steps: [{ run: pwd, working-directory: y }] }']])('refuses %s, which it would ignore', async (_, job) => {
    await expect(runnerOf({ 'main.yml': `on: push\njobs: { a: ${job} }` }).run('main.yml')).rejects.toThrow('is not played here');
  });
});
