import { expect, it } from 'vitest';
import { evaluate, fill } from '../flow/expressions.ts';
import { read, type Workflow } from './files.ts';

const { jobs } = read<Workflow>('.github/workflows/benchmark-run.yml').content;
const lineOf = (job: string, kind: string, pull: number): string => {
  const context = { needs: { gate: { result: 'success', outputs: { 'machine': 'm', 'machine-kind': kind } } }, github: { run_id: String(900 + pull), event: { issue: { number: pull } } } };
  return fill((jobs[job]!.concurrency as { group: string }).group, expression => evaluate(expression, context, { ok: true, cancelled: false }, () => false));
};

it.each(['machine', 'fleet'])('requests for a machine of one\'s own stand in one line, those for GitHub\'s own in one of their pull request: %s', job => {
  expect([lineOf(job, 'azure', 5), lineOf(job, 'azure', 6), lineOf(job, 'metal', 7)]).toEqual(Array(3).fill('perf-lab-machine-m'));
  expect([lineOf(job, 'hosted', 5), lineOf(job, 'hosted', 6), lineOf(job, 'hosted', 5)]).toEqual(['perf-lab-machine-m-5', 'perf-lab-machine-m-6', 'perf-lab-machine-m-5']);
});
