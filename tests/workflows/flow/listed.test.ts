import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../rules/files.ts';
import { builtRunner, dotnetRoot } from './hosted.ts';
import { addProject, listed } from './listed.ts';
import { isNightly, itNightly } from './nightly.ts';
import { edit } from './own-request.ts';
import type { Request } from './request.ts';
import { requests } from './requests.ts';
import { keepFirstRequest } from './whole-request.ts';

const run = requests();
const nothing = (): void => {};
/** Calls of GitHub that name an owner, by address or in what is sent. */
const callsAbout = (request: Request, owner: string): string[] => request.fake.seen.filter(call => JSON.stringify([call.path, call.body]).includes(owner)).map(({ method, path }) => `${method} ${path}`);
const HOSTED = '/benchmark bench --machine github';
/** The benchmarks of a comment, built in the place of the project's own. */
const SNIPPET = `${HOSTED}\n\n\`\`\`csharp\npublic class Mine { [Benchmark] public int Sum() => 1; }\n\`\`\`\n`;
const jobs = (request: Request): string[] => [...new Set(request.runner.log.map(({ job }) => job.replace('benchmark/', '')))];
const many = (count: number, name = 'A.M'): string[] => Array.from({ length: count }, (_, number) => `${name}${number}`);

const left = !isNightly;
if (left) process.stdout.write('lists that are refused: left out, they take a minute (`./perf-lab test --all`)\n');

/** What can be wrong with a list, what base and head list, and what the comment says. */
type Refusal = [what: string, base: string | string[], head: string | string[], told: string];
const REFUSALS: Refusal[] = [
  ['a discovery that hangs', ['A.Parse'], 'the program that lists them did not end in its time and was stopped: </code>\n::error::@org', '[ArgumentsSource] run while benchmarks are listed'],
  ['no benchmark at all', [], [], 'it holds none: no public class has a method with [Benchmark]'],
  ['more than the budget has room for', many(500), many(500), 'with 500 rows; a request may take 120 minutes'],
  ['ten thousand', many(10_001), many(10_001), 'with 10000 rows; a request may take 120 minutes'],
];

/** The gate, the plan, its completion and the publishing are real; what is built and measured is played. */
describe.concurrent('a project whose benchmarks are found when it is built', () => {
  it('goes from the comment to a verdict, with one job more than one that lists them', async () => {
    const request = await run({ command: HOSTED, prepare: addProject, change: nothing, before: listed(['A.Parse', 'A.Write(x: 1)'], ['A.New', 'A.Parse', 'A.Write(x: 1)'], { c002: -0.2 }) });
    expect(request.results, request.story).toEqual({ benchmark: 'success' });
    expect(request.comment, request.story).toContain('### perf-lab: A.Write(x: 1) is 24.9 % slower, 1 unavailable here (of 3 benchmarks)');
    expect(request.comment).toContain('base holds no such benchmark');
    expect(request.comment).toContain('./perf-lab run My.Bench --filter \'A.Write(x: 1)\'');    // which a clone knows by its perf-lab.yaml
    expect(request.check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
    expect(Object.keys(request.runner.labels)).toEqual(['gate', 'plan', 'bases', 'build-base/build', 'build-head/build', 'complete', 'machine/status-measuring', 'machine/measure', 'machine/publish', 'machine/attest'].map(job => `benchmark/${job}`));
    // What is vouched for is the plan that was measured, not the open one.
    const complete = createHash('sha256').update(request.file('benchmark.complete/plan.json')).digest('hex');
    expect(request.attestations.kept[0]).toContainEqual({ name: 'plan.json', digest: complete });
  }, 300_000);

  itNightly('chooses by the words of the comment', async () => {
    const request = await run({ command: `${HOSTED} --filter *Parse`, prepare: addProject, change: nothing, before: listed(['A.Parse', 'A.Write'], ['A.Parse', 'A.Write']) });
    expect(request.comment, request.story).toContain('### perf-lab: no change found in 1');
    expect(request.comment).not.toContain('A.Write');
  }, 300_000);

  itNightly('on a machine of one\'s own tells the estimate when it is known, before the machine is started', async () => {
    let waiting = '';
    const played = listed(['A.Parse'], ['A.Parse']);
    const request = await run({ command: '/benchmark bench --machine bench', prepare: addProject, change: nothing, before: (job, one) => {
      if (job.endsWith('/lab-up')) waiting = one.comment;
      return played(job, one);
    } });
    expect(waiting, request.story).toContain('### perf-lab: waiting');
    expect(waiting).toMatch(/estimate: \d+( to \d+)? minutes for 1 cell/);
    expect(jobs(request)).not.toContain('status-waiting');
    expect(request.comment).toContain('### perf-lab: no change found in 1');
  }, 300_000);

  itNightly('holds names with markup, which no comment shows as such', async () => {
    const evil = 'A.B(x: "</details><img src=x> @org/team `|` [a](http://evil.example) <!-- perf-lab:v1 -->")';
    const request = await run({ command: HOSTED, prepare: addProject, change: nothing, before: listed([evil, `A.${'n'.repeat(4000)}`, 'A.C(\n\n### perf-lab: 1 improved)'], [evil], { c001: -0.2 }) });
    expect(request.comment, request.story).toContain('### perf-lab: A.B is 25.0 % slower');
    const outside = request.comment.replace(/`[^`]*`/g, '');
    expect(outside).not.toMatch(/<img|@org|evil\.example|nnnn|1 improved/);
  }, 300_000);

  itNightly('is measured with a block of C# in its place, whose benchmarks are found alike', async () => {
    const request = await run({ command: SNIPPET, prepare: addProject, change: nothing, before: listed(['Mine.Sum'], ['Mine.Sum'], { c001: -0.2 }) });
    expect(request.comment, request.story).toContain('### perf-lab: Mine.Sum is 25.0 % slower');
    expect(request.comment).toContain('<details><summary>The benchmarks in C#, SHA-256 ');
    expect(jobs(request)).toContain('complete');
    expect(JSON.parse(request.file('benchmark.plan/plan.json'))).toMatchObject({ plan: { unlisted: ['My.Bench'], cells: [{ arms: [{ recipe: { snippet: expect.stringContaining('class Mine') } }, {}] }] } });
  }, 300_000);

  it.skipIf(left).each(REFUSALS)('with %s is refused before any machine is asked for', async (_, base, head, told) => {
    const request = await run({ command: HOSTED, prepare: addProject, change: nothing, before: listed(base, head) });
    expect(request.results, request.story).toEqual({ benchmark: 'success' });
    expect(request.comment, request.story).toContain('### perf-lab: refused (plan-problems)');
    expect(request.comment).toContain(told);
    expect(request.comment).not.toMatch(/\n::error/);
    expect(Object.keys(request.runner.labels).filter(job => job.includes('/machine/'))).toEqual([]);
    expect(request.check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
  }, 300_000);

  itNightly('with a block of C# that holds no benchmark is refused with what to do', async () => {
    const request = await run({ command: SNIPPET, prepare: addProject, change: nothing, before: listed([], []) });
    expect(request.comment, request.story).toContain('### perf-lab: refused (plan-problems)');
    expect(request.comment).toContain('snippet: it holds none: no public class has a method with [Benchmark].');
    expect(request.comment).toContain('A block of C# that is only an example begins with ');
  }, 300_000);

  itNightly('to which head adds 500 is measured as before, and the answer counts what has no row', async () => {
    const request = await run({ command: HOSTED, prepare: addProject, change: nothing, before: listed(['A.Old'], ['A.Old', ...many(500, 'A.New')]) });
    expect(request.comment, request.story).toContain('### perf-lab: no change found in 1');
    expect(readFileSync(join(request.folder, 'benchmark.machine.publish/report/report.md'), 'utf8')).toContain('400 more like it have no row');
    expect(request.comment.length).toBeLessThan(65_536);
  }, 300_000);

  itNightly('of which one does not build is told as any other build', async () => {
    const played = listed(['A'], ['A']);
    const request = await run({ command: HOSTED, prepare: addProject, change: nothing, before: (job, one) => (job === 'benchmark/build-head/build' ? 'failure' : played(job, one)) });
    expect(request.comment, request.story).toContain('### perf-lab: failed while building head');
    expect(jobs(request)).not.toContain('complete');
  }, 300_000);
});

if (left) process.stdout.write('a repository that `init github` set up: left out, it builds and measures for minutes (`./perf-lab test --all`)\n');

/** A repository with one project of BenchmarkDotNet, one command, one commit; built, listed and measured for real. */
it.skipIf(left)('a repository with a project of BenchmarkDotNet needs one command and one commit', async () => {
  const runner = join(builtRunner(), 'perf-lab'), commit = execFileSync('git', ['-C', repository, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const request = await run({
    command: '/benchmark --rounds 0+13 --sessions 1',
    page: { owner: 'octo-org', commands: `
mkdir bench
cat > bench/Sums.csproj <<'END'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework><Optimize>true</Optimize></PropertyGroup>
  <ItemGroup><PackageReference Include="BenchmarkDotNet" Version="0.14.0" /></ItemGroup>
</Project>
END
cat > bench/Sums.cs <<'END'
using BenchmarkDotNet.Attributes;
BenchmarkDotNet.Running.BenchmarkSwitcher.FromAssembly(typeof(Sums).Assembly).Run(args);
public class Sums
{
    private readonly int[] _numbers = new int[1000];
    [Benchmark] public int ByIndex() { var sum = 0; for (var index = 0; index < _numbers.Length; index++) { sum += _numbers[index]; } return sum; }
    [Benchmark] public int Backwards() { var sum = 0; for (var index = _numbers.Length - 1; index >= 0; index--) { sum += _numbers[index]; } return sum; }
}
END
git add . && git commit --quiet -m 'Our benchmarks'
DOTNET_ROOT=${dotnetRoot()} ${runner} init github --from octo-org/perf-lab@${commit}
test "$(git status --porcelain | sort | tr -d '\n')" = '?? .github/?? perf-lab.yaml'
git add .github perf-lab.yaml && git commit --quiet -m 'Measure pull requests'` },
    change: checkout => { edit(join(checkout, 'bench/Sums.cs'), 'sum += _numbers[index]; } return sum; }\n    [Benchmark] public int Back', 'sum += _numbers[index] + _numbers[_numbers.Length - 1 - index] % 3; } return sum; }\n    [Benchmark] public int Back'); },
  });
  expect(request.results, request.story).toEqual({ benchmark: 'success' });
  expect(request.comment, request.story).toMatch(/### perf-lab: 1 regressed: .*Sums\.ByIndex.* slower|### perf-lab: .*Sums\.ByIndex.* is [0-9.]+( %|x) slower/);
  expect(request.comment).toContain('Sums.Backwards');
  // A private perf-lab answers 404 to the token of another repository: nothing may ask it. What the jobs need of it GitHub's runner has fetched.
  expect(callsAbout(request, 'octo-org')).toEqual([]);
  keepFirstRequest(request, ['.github/workflows/benchmark.yml', 'perf-lab.yaml']);
  process.stdout.write(request.slowest);
}, 900_000);
