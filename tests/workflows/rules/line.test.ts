import { expect, it } from 'vitest';
import { evaluate, fill } from '../flow/expressions.ts';
import { read, type Workflow } from './files.ts';

const { jobs } = read<Workflow>('.github/workflows/benchmark-run.yml').content;
const lineOf = (job: string, kind: string, run: string): string => {
  const context = { needs: { gate: { result: 'success', outputs: { 'machine': 'm', 'machine-kind': kind } } }, github: { run_id: run } };
  return fill((jobs[job]!.concurrency as { group: string }).group, expression => evaluate(expression, context, { ok: true, cancelled: false }, () => false));
};

it.each(['machine', 'fleet'])('requests for a machine of one\'s own stand in one line, those for GitHub\'s own in none: %s', job => {
  expect([lineOf(job, 'azure', '900'), lineOf(job, 'azure', '901'), lineOf(job, 'metal', '902')]).toEqual(Array(3).fill('perf-lab-machine-m'));
  expect([lineOf(job, 'hosted', '900'), lineOf(job, 'hosted', '901')]).toEqual(['perf-lab-machine-m-900', 'perf-lab-machine-m-901']);
});
