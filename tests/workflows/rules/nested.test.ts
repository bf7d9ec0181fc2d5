import { describe, expect, it } from 'vitest';
import { read, readAll, type Workflow } from './files.ts';
import { leastOf, nestedJobs, rightsOf, tooMuch, type Asked } from './nested.ts';

/** `./.github/workflows/X`, or another repository's by name: here all of them are perf-lab's. */
const find = (uses: string) => [read<Workflow>(uses.replace(/^(\.|[^/]+\/[^/]+)\//, '').replace(/@.*$/, '')).content, null] as const;
const workflow = (path: string): Workflow => read<Workflow>(path).content;
const jobsOf = (path: string): Asked[] => nestedJobs(workflow(path), null, find);
const namesOf = (path: string): string[] => jobsOf(path).map(({ calls, job }) => [...calls, job].join('/'));
const RUN = '.github/workflows/benchmark-run.yml', HOSTED = '.github/workflows/benchmark-hosted.yml';
const LOGINS = ['id-token', 'attestations'];
const EXAMPLES = ['benchmark', 'trend', 'reaper'].map(name => `examples/library/.github/workflows/${name}.yml`);

describe('every call grants what the jobs behind it ask for', () => {
  it.each(readAll().workflows.map(({ path }) => path))('%s', path => { expect(tooMuch(workflow(path), null, find)).toEqual([]); });
  it.each(EXAMPLES)('%s', path => { expect(tooMuch(workflow(path), null, find)).toEqual([]); });
});

describe('who measures on GitHub\'s machines alone', () => {
  const [caller] = Object.values(workflow(EXAMPLES[0]!).jobs), granted = rightsOf(caller!, workflow(EXAMPLES[0]!));

  it('calls a workflow in which no job asks for a login', () => {
    expect(caller!.uses).toMatch(/\/benchmark-hosted\.yml@0{40}$/);
    const asked = jobsOf(HOSTED);
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter(({ rights }) => LOGINS.some(right => right in rights))).toEqual([]);
    expect(namesOf(HOSTED)).toEqual(expect.arrayContaining(['gate', 'machine/measure', 'fleet/shard-8/measure', 'machine/publish']));
  });
  it('grants what it asks for and nothing else', () => {
    expect(granted).toEqual(leastOf(jobsOf(HOSTED)));
    expect(granted).toEqual({ 'contents': 'read', 'pull-requests': 'write', 'checks': 'write', 'actions': 'write' });
  });
  it('could not call the other one with that: GitHub looks at jobs that would be skipped, too', () => {
    const other = JSON.parse(JSON.stringify(workflow(EXAMPLES[0]!)).replace('benchmark-hosted.yml', 'benchmark-run.yml')) as Workflow;
    expect(tooMuch(other, null, find)).toContainEqual(expect.stringMatching(/The nested job 'attest' is requesting 'id-token: write, attestations: write', but is only allowed 'id-token: none, attestations: none'\./));
  });
  it('has every other job, word for word but for what starts machines and signs', () => {
    const left = namesOf(RUN).filter(job => !namesOf(HOSTED).includes(job));
    expect(left.filter(job => !/(^|\/)(lab-up|lab-down|attest|spread|start-\d|status-waiting)$/.test(job))).toEqual([]);
    expect(namesOf(HOSTED).filter(job => !namesOf(RUN).includes(job))).toEqual([]);
  });
});
