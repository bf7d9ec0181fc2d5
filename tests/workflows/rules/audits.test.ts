import { describe, expect, it } from 'vitest';
import { AUDITS, findings, idle } from './audits.ts';
import { read, readAll, withWorkflow, type Workflow } from './files.ts';

const here = readAll();
const examples = ['benchmark', 'reaper', 'trend'].map(name => read<Workflow>(`examples/library/.github/workflows/${name}.yml`));
const files = { ...here, workflows: [...here.workflows, ...examples] };

/** Audit -> a line that it must find, and one that it must leave alone. */
const LINES: Readonly<Record<string, readonly [bad: string, good: string]>> = {
  'dangerous-triggers': ['  pull_request_target: { types: [opened] }', '    permissions: { contents: read, issues: read }'],
  'self-hosted-runner': ['    runs-on: [self-hosted, x]', '    runs-on: ubuntu-24.04'],
  'github-env': ['      run: echo "PATH=x" >>"$GITHUB_ENV"', '      run: echo a=b >>"$GITHUB_OUTPUT"'],
  'insecure-commands': ['    env: { ACTIONS_ALLOW_UNSECURE_COMMANDS: "true" }', '    env: { A: "true" }'],
  'overprovisioned-secrets': ['        env: { ALL: "${{ toJSON(secrets) }}" }', '        env: { ALL: "${{ toJSON(needs) }}" }'],
  'secrets-inherit': ['    secrets: inherit', '    secrets: { one: x }'],
  'bot-conditions': ['    if: github.actor == \'dependabot[bot]\'', '    if: github.repository == \'a/b\''],
  'unsound-contains': ['    if: contains(\'refs/heads/main refs/heads/next\', github.ref)', '    if: contains(needs.a.outputs.list, \'x\')'],
  'unredacted-secrets': ['        env: { P: "${{ fromJSON(secrets.ALL).p }}" }', '        env: { P: "${{ fromJSON(needs.a.outputs.p) }}" }'],
  'hardcoded-container-credentials': ['        password: hunter2', '        password: ${{ secrets.P }}'],
  'cache-poisoning': ['        with: { node-version: 24, cache: npm }', '        with: { node-version: 24 }'],
  'undocumented-write': ['    permissions: { contents: write }', '    permissions: { contents: read }'],
};

describe('zizmor\'s questions', () => {
  it('have no answer here but those with a reason beside them', () => { expect(findings(files).filter(({ excepted }) => excepted === null)).toEqual([]); });
  it('are excepted only where they find something, with a reason', () => { expect(idle(files)).toEqual([]); });
  it('are excepted in both workflows that a comment starts', () => {
    expect(findings(files).filter(({ audit }) => audit === 'dangerous-triggers').map(({ at }) => at.replace(/, line .*/, ''))).toEqual(['.github/workflows/benchmark.yml', 'examples/library/.github/workflows/benchmark.yml']);
  });

  const withLine = (line: string) => findings(withWorkflow({ workflows: [], actions: [] }, 'x.yml', `x: |\n${line}\n`));
  it.each(AUDITS)('$name finds its line, and not the one beside it', ({ name }) => {
    const [bad, good] = LINES[name]!;
    expect(withLine(bad).map(({ audit }) => audit)).toContain(name);
    expect(withLine(good).map(({ audit }) => audit)).not.toContain(name);
    expect(withLine(`${bad} # zizmor: ignore[${name}] for a reason that is told`).find(({ audit }) => audit === name)?.excepted).toBe('for a reason that is told');
  });
  it.each([['no reason', '  issue_comment: {} # zizmor: ignore[dangerous-triggers]'], ['another audit', '  issue_comment: {} # zizmor: ignore[github-env] it is only one line in all'], ['nothing there', '  push: # zizmor: ignore[dangerous-triggers] a reason of five words or more']])('an exception with %s is found', (_, line) => {
    expect(idle(withWorkflow({ workflows: [], actions: [] }, 'x.yml', `x: |\n${line}\n`))).toHaveLength(1);
  });
});
