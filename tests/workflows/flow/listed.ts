import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeJournal } from './made-journal.ts';
import type { Request } from './request.ts';
import type { JobRecord, Result } from './step-runner.ts';

/** What an arm says that it holds; a text: why it has no list. */
export type Held = readonly string[] | string;

/** A suite that names a project of BenchmarkDotNet. MSBuild is asked about it, and nothing of it is built here. */
export function addProject(checkout: string): void {
  mkdirSync(join(checkout, 'bench'));
  writeFileSync(join(checkout, 'bench/My.Bench.csproj'), '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup><ItemGroup><PackageReference Include="BenchmarkDotNet" Version="0.15.8" /></ItemGroup></Project>\n');
  const file = join(checkout, 'perf-lab.yaml'), text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('suites:\n', 'suites:\n  bench: { workloads: [bench/My.Bench.csproj], set: { runtime: [net10.0] } }\n'));
}

/** In place of the builds and of the machine: lists as code of the pull request may write them, and a journal whose figures come from a seed. */
export function listed(base: Held, head: Held, effects: Readonly<Record<string, number>> = {}): (job: string, request: Request) => Result | JobRecord | undefined {
  return (job, request) => {
    if (job === 'benchmark/bases') return { result: 'success', outputs: { digest: '0'.repeat(64) } };
    const arm = /^benchmark\/build-(base|head)\/build$/.exec(job)?.[1];
    if (arm !== undefined) return { result: 'success', outputs: { 'digest': '0'.repeat(64), 'list-digest': list(request, arm, arm === 'base' ? base : head) } };
    if (!job.endsWith('/measure')) return /lab-(up|down)$/.test(job) ? 'success' : undefined;
    return { result: 'success', outputs: request.measured(makeJournal({ plan: request.file('benchmark.complete/plan.json'), effects, noise: 0.002 })) };
  };
}

function list(request: Request, arm: string, held: Held): string {
  const { plan } = JSON.parse(request.file('benchmark.plan/plan.json')) as { plan: { hash: string } };
  const [names, why] = typeof held === 'string' ? [[], held] : [held, null];
  const bytes = Buffer.from(JSON.stringify({ schema: 'perf-lab/benchmarks/1', plan: plan.hash, arm, projects: [{ workload: 'My.Bench', benchmarks: names.map(name => ({ name, categories: [] })), problems: [], why }] }));
  request.artifacts.upload(`benchmarks-${arm}`, `benchmarks-${arm}.json`, bytes, { overwrite: true });
  return createHash('sha256').update(bytes).digest('hex');
}
