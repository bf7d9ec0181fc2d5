import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { join } from 'node:path';
import { repository } from '../rules/files.ts';
import type { Request } from './request.ts';

const FILE = join(repository, 'results/whole-request.md');

/** The section of results/whole-request.md below a heading, written anew with PERF_LAB_WRITE=1. Else: it is there. */
export function keepSection(heading: string, text: string): void {
  const page = readFileSync(FILE, 'utf8'), start = page.indexOf(`## ${heading}\n`);
  if (start < 0) throw new Error(`results/whole-request.md has no section "${heading}"`);
  if (process.env['PERF_LAB_WRITE'] !== '1') return;
  const next = page.indexOf('\n## ', start), end = next < 0 ? page.length : next + 1;
  writeFileSync(FILE, `${page.slice(0, start)}## ${heading}\n\n${text.trim()}\n${next < 0 ? '' : '\n'}${page.slice(end)}`);
}

/** How long the gate took to say its first word, in a row of the table that is there. */
export function keepFirstWords(times: readonly { reaction: number; end: number }[]): void {
  const middle = (values: readonly number[]): string => {
    const sorted = values.toSorted((a, b) => a - b);
    return `${sorted[Math.floor(sorted.length / 2)]!.toFixed(2)} (${sorted[0]!.toFixed(2)} to ${sorted.at(-1)!.toFixed(2)})`;
  };
  keepRow('| bundled |', `| bundled | ${middle(times.map(({ reaction }) => reaction))} | ${middle(times.map(({ end }) => end))} | none |`);
}

function keepRow(start: string, row: string): void {
  const lines = readFileSync(FILE, 'utf8').split('\n'), at = lines.findIndex(line => line.startsWith(start));
  if (at < 0) throw new Error(`results/whole-request.md has no row ${start}`);
  if (process.env['PERF_LAB_WRITE'] === '1') writeFileSync(FILE, lines.with(at, row).join('\n'));
}

/** From an empty repository to the verdict: what a person writes and types, and when what is there. */
export function keepFirstRequest(request: Request, files: readonly string[]): void {
  const seconds = (job: string): number => request.runner.log.filter(line => line.job === `benchmark/${job}` && !line.isWhole).reduce((sum, line) => sum + line.seconds, 0);
  const lines = files.reduce((sum, file) => sum + readFileSync(join(request.library, file), 'utf8').trim().split('\n').length, 0);
  // GitHub runs the three beside one another.
  const start = seconds('gate') + seconds('plan') + Math.max(seconds('bases'), seconds('build-base/build'), seconds('build-head/build')) + seconds('complete');
  const verdict = start + seconds('machine/measure') + seconds('machine/publish');
  keepSection('From an empty repository', `A repository with one project of BenchmarkDotNet, two benchmarks, and nothing else; \`${request.fake.state.comments[0]!.body}\` on one of GitHub's machines, on ${cpus().length} cores (${cpus()[0]!.model.trim()}, kernel ${release()}). The script is the last test of \`flow/listed.test.ts\`: \`PERF_LAB_TEST_ALL=1 PERF_LAB_WRITE=1 npx vitest run flow/listed.test.ts\`. Seconds are those of the steps, jobs that GitHub runs beside one another counted once; waiting for GitHub's machines is not in them. *Before* is what was written down in November 2026, on GitHub's clock by estimate.

| | before | now |
|---|--:|--:|
| files to commit | 3 | ${files.length} |
| lines in them | 33 | ${lines} |
| commands, beside git | 11 steps by hand | 1 |
| names of benchmarks typed | each | none |
| jobs | 10 | ${Object.keys(request.runner.labels).length} |
| seconds to the start of measuring | about 360 | ${start.toFixed(0)} |
| seconds to the verdict | 720 to 900 | ${verdict.toFixed(0)} |
| calls about perf-lab's own repository, which may be private | a checkout in each job | 0 |
| kept by the run, MB before packing | not written down | ${request.artifacts.megabytes.toFixed(0)} |

The lab of this walk is another owner's repository. Its jobs ask GitHub nothing about it, so the same walk holds for a private one, whose access setting lets this repository use its workflows; there the runner is built in the job \`plan\`, as here.

The comment says: ${request.comment.split('\n').find(line => line.startsWith('### perf-lab'))!.replace('### ', '')}.`);
}

/** Every step of a walk with its seconds: those of the measuring job one by one, the others by job. */
export function keepWalk(heading: string, request: Request): void {
  const jobs = [...new Set(request.runner.log.map(({ job }) => job))];
  const seconds = (lines: readonly { seconds: number }[]): string => lines.reduce((sum, line) => sum + line.seconds, 0).toFixed(1);
  const rows = jobs.flatMap(job => {
    const lines = request.runner.log.filter(line => line.job === job && !line.isWhole && !(job.endsWith('/measure') && line.step.startsWith('actions/')));
    return job.endsWith('/measure') ? lines.map(line => [`${job}: ${line.step.replace(/@[0-9a-f]{40}.*$/, '').replace('_2', 'the measure step')}`, line.seconds.toFixed(1), String(line.code)])
      : [[job, seconds(lines), lines.every(({ code }) => code === 0) ? '0' : 'not 0']];
  });
  const said = request.comment.split('\n').find(line => line.startsWith('### perf-lab')) ?? '';
  keepSection(heading, `\`${request.fake.state.comments[0]!.body}\` on ${cpus().length} cores (${cpus()[0]!.model.trim()}, kernel ${release()}); the comment says: ${said.replace('### ', '')}.

| job, and in the measuring one each step | seconds | exit |
|---|--:|--:|
${rows.map(row => `| ${row.join(' | ')} |`).join('\n')}`);
}
