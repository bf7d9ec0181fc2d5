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
