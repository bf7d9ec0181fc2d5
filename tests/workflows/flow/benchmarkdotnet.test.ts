import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { builtRunner, dotnetRoot, engine } from './hosted.ts';
import { isNightly } from './nightly.ts';
import { edit } from './own-request.ts';
import { keep } from './pictures.ts';
import { Request } from './request.ts';

let request: Request | undefined;
afterAll(() => request?.end(), 60_000);

/** What a person would do: `new workload --bdn`, and a suite that names it. */
const addProject = (checkout: string): void => {
  execFileSync(join(builtRunner(), 'perf-lab'), ['new', 'workload', 'workloads/adding', '--bdn'], { cwd: checkout, stdio: 'pipe', env: { ...process.env, PERF_LAB_ROOT: checkout, DOTNET_ROOT: dotnetRoot() } });
  edit(join(checkout, 'workloads/adding/workload.yaml'), 'launch: { warm-up: 0.5s, measure: 0.5s', 'launch: { warm-up: 0.1s, measure: 0.2s');
  edit(join(checkout, 'perf-lab.yaml'), 'suites:\n', 'suites:\n  bench: { workloads: [adding], set: { runtime: [net10.0] } }\n');
};

const left = !isNightly;
if (left) process.stdout.write('a project of BenchmarkDotNet on a pull request: left out, it builds and measures for minutes (`./perf-lab test --all`)\n');

/** Both commits of the project are built and measured for real; one of its two methods does twice the work in head. */
it.skipIf(left)('a project of BenchmarkDotNet gets a row for each method', async () => {
  request = await Request.run({
    command: '/benchmark bench --rounds 0+13',
    prepare: addProject,
    change: checkout => { edit(join(checkout, 'workloads/adding/Benchmarks.cs'), 'sum += _numbers[index];', 'sum += _numbers[index] + _numbers[_numbers.Length - 1 - index] % 3;'); },
    before: job => (/lab-(up|down)$/.test(job) ? 'success' : undefined),
  });
  expect(request.results, request.story).toEqual({ benchmark: 'success' });
  expect(request.comment, request.story).toMatch(/### perf-lab: .+ is [0-9.]+( %|x) slower/);
  expect(request.comment).toMatch(/Adding\.ByIndex\(Count: 1000\).*(slower|times)/);
  expect(request.comment).toContain('Adding.ByInterface(Count: 1000)');
  expect(request.comment).toContain(`executor: \`${engine()['DOCKER_HOST'] === undefined ? 'process' : 'docker'}\``);
  expect(request.check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
  keep('benchmarkdotnet', request.comment, request);
}, 900_000);
