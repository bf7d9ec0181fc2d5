import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { digestOf } from '../../../.github/perf-lab/src/snippet/snippet.ts';
import { builtRunner, dotnetRoot } from './hosted.ts';
import { isNightly } from './nightly.ts';
import { edit } from './own-request.ts';
import { Request } from './request.ts';

const requests: Request[] = [];
afterAll(async () => { for (const request of requests) await request.end(); }, 60_000);

const LIBRARY = 'namespace Some;\n\npublic static class Lib\n{\n    public static int Sum(int[] numbers)\n    {\n        var sum = 0;\n        for (var i = 0; i < numbers.Length; i++) { sum += numbers[i]; }\n        return sum;\n    }\n}\n';
const SLOWER = LIBRARY.replace('sum += numbers[i];', 'sum += numbers[i] + numbers[numbers.Length - 1 - i] % 3;');
/** In neither commit: the project has other benchmarks, and one that does not compile any more would be left out with them. Its values are known only when it runs. */
const SNIPPET = 'using BenchmarkDotNet.Attributes;\n\npublic class Mine\n{\n    public static int[] Sizes => [1000];\n\n    [ParamsSource(nameof(Sizes))]\n    public int Size;\n\n    private int[] _numbers = [];\n\n    [GlobalSetup]\n    public void Fill() => _numbers = new int[Size];\n\n    [Benchmark]\n    public int Sums() => Some.Lib.Sum(_numbers); // "```" </details> @org/team\n}\n';

/** A project of BenchmarkDotNet that refers to a library next to it. */
const addProject = (checkout: string): void => {
  execFileSync(join(builtRunner(), 'perf-lab'), ['new', 'workload', 'workloads/adding', '--bdn'], { cwd: checkout, stdio: 'pipe', env: { ...process.env, PERF_LAB_ROOT: checkout, DOTNET_ROOT: dotnetRoot() } });
  mkdirSync(join(checkout, 'src/lib'), { recursive: true });
  writeFileSync(join(checkout, 'src/lib/Lib.cs'), LIBRARY);
  writeFileSync(join(checkout, 'src/lib/Lib.csproj'), '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFrameworks>net8.0;net10.0</TargetFrameworks></PropertyGroup></Project>\n');
  edit(join(checkout, 'workloads/adding/Adding.Benchmarks.csproj'), '<PackageReference', '<ProjectReference Include="../../src/lib/Lib.csproj" />\n    <PackageReference');
  edit(join(checkout, 'workloads/adding/workload.yaml'), 'launch: { warm-up: 0.5s, measure: 0.5s', 'launch: { warm-up: 0.1s, measure: 0.2s');
  edit(join(checkout, 'perf-lab.yaml'), 'suites:\n', 'suites:\n  bench: { workloads: [adding], set: { runtime: [net10.0] } }\n');
};

const ask = async (text: string): Promise<Request> => {
  const request = await Request.run({
    command: `/benchmark bench --rounds 0+13\n\nIs it the sum?\n\n\`\`\`\`csharp\n${text}\`\`\`\`\n`,
    prepare: addProject, change: checkout => { writeFileSync(join(checkout, 'src/lib/Lib.cs'), SLOWER); },
    before: job => (/lab-(up|down)$/.test(job) ? 'success' : undefined),
  });
  requests.push(request);
  return request;
};

/** Nothing that runs in a shell or is printed holds it as it was written. */
const isInNoLog = (request: Request, line: string): void => {
  for (const { output, step, job } of request.runner.log) expect([job, step, output.includes(line)]).toEqual([job, step, false]);
};

const left = !isNightly;
if (left) process.stdout.write('a block of C# below a command: left out, it builds and measures for minutes (`./perf-lab test --all`)\n');

it.skipIf(left)('a block of C# is built with both commits, measured, and shown with the verdict', async () => {
  const request = await ask(SNIPPET);
  expect(request.results, request.story).toEqual({ benchmark: 'success' });
  expect(request.comment, request.story).toMatch(/### perf-lab: .+ is [0-9.]+( %|x) slower/);
  expect(request.comment).toMatch(/Mine\.Sums\(Size: 1000\).*(slower|times)/);
  expect(request.comment).not.toContain('Adding.');
  expect(request.comment).toContain(`<details><summary>The benchmarks in C#, SHA-256 <code>${digestOf({ text: SNIPPET })}</code></summary>\n\n\`\`\`\`csharp\n${SNIPPET}\`\`\`\`\n`);
  expect(request.comment).toContain(' --benchmarks snippet.cs ');
  expect(request.comment).toContain(`(SHA-256 ${digestOf({ text: SNIPPET })})`);
  isInNoLog(request, 'private int[] _numbers');
}, 900_000);

it.skipIf(left)('a block of C# that does not compile is told with its errors', async () => {
  const request = await ask(SNIPPET.replace('(_numbers)', '(_nombers)'));
  expect(request.comment, request.story).toContain('### perf-lab: neither base nor head builds');
  expect(request.comment).toMatch(/\n {2}snippet\.cs\(16,39\): error CS0103: The name '_nombers' does not exist in the current context/);
  isInNoLog(request, 'private int[] _numbers');
}, 900_000);
