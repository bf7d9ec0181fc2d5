import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCommand } from '../src/request/command.ts';
import { benchmarksOf } from '../src/snippet/benchmarks.ts';
import { readFences } from '../src/snippet/fences.ts';
import { digestOf, MAX_SNIPPET_BYTES } from '../src/snippet/snippet.ts';

const below = (...lines: string[]): string => ['/benchmark', ...lines].join('\n');
const CODE = 'public class A { [Benchmark] public int M() => 1; }';
const problems = (body: string): string => { const command = parseCommand(body); return command.kind === 'wrong' ? command.problems.join('\n') : `taken as ${JSON.stringify(command)}`; };
const names = (...lines: string[]): readonly string[] => { const { names, problems } = benchmarksOf(lines.join('\n')); expect(problems).toEqual([]); return names; };
const wrong = (...lines: string[]): string => benchmarksOf(lines.join('\n')).problems.join('\n');

describe('a block of C# below the command', () => {
  it.each(['csharp', 'cs', 'CSharp', 'cs  title="x"'])('is_what_is_measured: %s', language => {
    expect(parseCommand(below('Please look:', `\`\`\`${language}`, CODE, '```', 'thanks'))).toEqual({ kind: 'run', sha: null, words: expect.anything(), snippet: { text: `${CODE}\n`, benchmarks: ['A.M'] } });
  });
  it('may_come_from_a_browser_with_its_line_ends', () => { expect(parseCommand(below('```cs', CODE, '```').replaceAll('\n', '\r\n'))).toMatchObject({ snippet: { text: `${CODE}\n` } }); });
  it('may_be_indented_like_its_marks', () => { expect(parseCommand(below('  ~~~~ cs', '  class B', `    ${CODE}`, ' x', '~~~', '  ~~~~'))).toMatchObject({ kind: 'wrong' }); expect(readFences(['  ~~~~ cs', '    a', ' b', '~~~', '  ~~~~~ '])).toEqual({ prose: [], fences: [{ language: 'cs', lines: ['  a', 'b', '~~~'], isClosed: true }] }); });
  it('goes_with_words_and_a_commit', () => { expect(parseCommand(`/benchmark --workload w --runtime net8.0 ${'a'.repeat(40)}\n\`\`\`cs\n${CODE}\n\`\`\``)).toMatchObject({ kind: 'run', sha: 'a'.repeat(40), words: { workloads: ['w'], runtimes: ['net8.0'] }, snippet: {} }); });
  it('is_told_by_its_digest', () => { expect(digestOf({ text: 'a\n' })).toBe('87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7'); });

  it.each([
    ['another language', '```js', '```'], ['text', '```text', '```'], ['no language', '```', '```'], ['a language that only begins so', '```csharpx', '```'], ['code in a line', '```cs```', ''], ['a quote', '> ```cs', '> ```'], ['indented code', '    ```cs', '    ```'],
  ])('is_prose_where_it_is_%s', (_, open, close) => { expect(parseCommand(below(open, CODE, close))).toEqual(parseCommand('/benchmark')); });
  it('is_not_read_below_what_measures_nothing', () => {
    for (const verb of ['help', 'status', 'cancel']) expect(parseCommand(`/benchmark ${verb}\n\`\`\`cs\nx`)).toEqual({ kind: 'verb', verb });
    expect(parseCommand('/benchmark accept why not\n```cs\nx')).toEqual({ kind: 'accept', reason: 'why not' });
  });
  it.each(['rerun', 'confirm'])('is_not_given_anew_with_%s', verb => { expect(problems(`/benchmark ${verb}\n\`\`\`cs\n${CODE}\n\`\`\``)).toContain(`\`${verb}\` repeats the last request with the block of C# that it had`); });
  it('is_told_after_the_mistakes_of_the_command', () => { expect(problems('/benchmark --pgo maybe\n```cs\nx')).toBe('`--pgo` takes `on`, `off`, `full`, or several with commas between.'); });
  it('may_hold_what_would_be_a_command_or_a_fence_elsewhere', () => {
    const code = ['/*', '/benchmark quick', '```', '*/', CODE].join('\n');
    expect(parseCommand(below('````cs', code, '````'))).toMatchObject({ snippet: { text: `${code}\n` } });
    expect(problems(below('````cs', CODE, '````', '/benchmark quick'))).toContain('One comment holds one command');
  });

  it.each([
    ['without an end', below('```cs', CODE), 'has no end'], ['whose end is too short', below('````cs', CODE, '```'), 'has no end'],
    ['of 64 KiB', below('```cs', `// ${'x'.repeat(65_536)}`, CODE, '```'), '16,384 are the most'], ['twice', below('```cs', CODE, '```', '```csharp', CODE, '```'), 'holds 2 blocks of C#'],
    ['empty', below('```cs', '```'), 'no method with `[Benchmark]`'], ['with an invisible character', below('```cs', '', `// \u202e${CODE}`, '```'), 'Line 2 of the block of C#'], ['with half a character', below('```cs', `// \ud800${CODE}`, '```'), 'Line 1 of the block'],
  ])('is_refused: %s', (_, body, why) => { expect(parseCommand(body)).toMatchObject({ kind: 'wrong', code: 'command-words' }); expect(problems(body)).toContain(why); });
  it('may_be_as_long_as_its_limit', () => {
    const filled = (bytes: number): string => below('```cs', CODE, `//${'ü'.repeat((bytes - CODE.length - 4) / 2)}${(bytes - CODE.length) % 2 === 1 ? 'x' : ''}`, '```');
    expect(parseCommand(filled(MAX_SNIPPET_BYTES))).toMatchObject({ kind: 'run', snippet: {} });
    expect(problems(filled(MAX_SNIPPET_BYTES + 2))).toMatch(/has 16,38[5-7] bytes; 16,384/);
  });
});

describe('benchmarks of a snippet', () => {
  // SnippetOfProjectTests.cs builds it, and BenchmarkDotNet finds the same.
  it('are_those_that_BenchmarkDotNet_finds_in_its_build', () => {
    const fixture = (name: string): string => fs.readFileSync(new URL(`../../../tests/fixtures/snippet/${name}`, import.meta.url), 'utf8');
    expect(names(fixture('snippet.cs')).toSorted()).toEqual(fixture('names.txt').trim().split('\n').toSorted());
  });
  it('have_the_names_that_BenchmarkDotNet_gives_them', () => {
    expect(names('using BenchmarkDotNet.Attributes;', 'namespace My.Own;', '[MemoryDiagnoser, SimpleJob(x: 1)]', 'public sealed class A : IDisposable', '{', '  private readonly int[] _a = [1, 2], _b = { 3 };', '  [GlobalSetup] public void Setup() { if (true) { _a[0] = 1; } }',
      '  [Benchmark(Baseline = true, Description = "x")] public int One() { return 1; }', '  [BenchmarkDotNet.Attributes.BenchmarkAttribute]', '  public async Task<Dictionary<string, (int, int[])>> Two() => await Three(x => x == 1);', '  public int P { get; set; } = 5;', '  public static bool operator ==(A a, A b) { return true; }',
      '  public int this[int i] => i;', '  [Benchmark] [MethodImpl(8)] public (int a, int b) Three() => (1, 2);', '  public T G<T>(T t) where T : class, new() { return t; }', '  enum E { X, Y = 2 }', '  public class Inner { [Benchmark] public void Four() {} }', '}'))
      .toEqual(['My.Own.A+Inner.Four', 'My.Own.A.One', 'My.Own.A.Two', 'My.Own.A.Three']);
  });
  it('may_stand_in_several_namespaces_records_and_structs', () => {
    expect(names('global using X = System.Int32;', 'namespace N { namespace M { public record struct R(int X) { [Benchmark] public int A() => 1; } } public record class C { [Benchmark] public int B() => 1; } }', 'public partial struct S { [Benchmark] public int C() => 1; }', 'public record Empty(int A);', 'public delegate int D(int x);', 'public enum F : byte { A = 1 }'))
      .toEqual(['N.M.R.A', 'N.C.B', 'S.C']);
  });
  it('have_their_values_in_their_names', () => {
    expect(names('public class A { [Params(1, -10_000, 007)] public int N; [Benchmark] public int M() => N; [Benchmark, Arguments(true, "a b"), Arguments(false, "")] public int K(bool flag = true, string text = "x, y") => 1; }'))
      .toEqual(['A.M(N: 1)', 'A.M(N: -10000)', 'A.M(N: 7)', ...[1, -10000, 7].flatMap(n => [`A.K(flag: True, text: "a b", N: ${n})`, `A.K(flag: False, text: "", N: ${n})`])].sort((a, b) => order(a) - order(b)));
  });
  it.each([
    ['a comment', '// [Benchmark] public int X() {}'], ['a long comment', '/* [Benchmark] public int X() { */'], ['a text', 'string a = "[Benchmark] } \\" {";'], ['a verbatim text', 'string a = @"} "" \\";'], ['a raw text', 'string a = """ } " "" { """;'], ['a text with holes', 'string a = $"{{ {b["}"]:x} } {(c ? $"{d}}}" : "")} \\"";'],
    ['a verbatim text with holes', 'string a = $@"} "" {b} {{";'], ['the other verbatim text with holes', 'string a = @$"}""{b}";'], ['an empty verbatim text with holes', 'string a = $@"";'], ['a raw text with holes', 'string a = $$""" { } {{b["}"]}} " """;'], ['an empty text with holes', 'string a = $"";'], ['a character', 'char a = \'}\', b = \'\\\'\', c = \'"\';'], ['a property', 'int P { get { return 1; } } = 1;'],
    ['an attribute with code', '[X("}", new[] { typeof(int) })] int a;'], ['a region', '\n#region { "\nint a;\n#endregion\n'], ['a lambda', 'Func<int, int> a = x => { return x; };'], ['a pointer to itself', 'int @class;'],
  ])('are_found_beside_%s', (_, member) => { expect(names(`public class A { ${member}`, '[Benchmark] public int M() => 1;', '}')).toEqual(['A.M']); });

  it.each([
    ['#:package', '#:package X@1', '`#:package` belongs to scripts'], ['#r', '#r "nuget: X"', '`#r` belongs to scripts'], ['#load', ' #load "x.cs"', '`#load` belongs to scripts'], ['#!', '#!/usr/bin/env dotnet', 'belongs to scripts'], ['#if', '#if DEBUG', '`#if` is not taken'], ['#line', '# line 1 "x"', 'is not taken'],
    ['a module initializer', 'class I { [System.Runtime.CompilerServices.ModuleInitializer] internal static void X() {} }', 'line 1: a `ModuleInitializer` runs before'], ['one by another name', 'using X = System.Runtime.CompilerServices.ModuleInitializerAttribute;', '`ModuleInitializer` runs before'], ['one by escapes', 'class I { [\\u004doduleInitializer] static void X() {} }', 'holds a \\ outside of a text'],
    ['a start of its own', 'BenchmarkRunner.Run<A>();', 'line 1: a statement outside of a class'], ['a variable outside', 'var x = 5;', 'a statement outside of a class'],
  ])('do_not_go_with_%s', (_, line, why) => { expect(wrong(line, CODE)).toContain(why); });
  it.each([
    ['no benchmark', 'public class A { public int M() => 1; }', 'no method with `[Benchmark]`'], ['one in a comment', '// [Benchmark]\npublic class A { }', 'no method with `[Benchmark]`'], ['a field', 'public class A { [Benchmark] int x = 5; }', 'stands at no method'], ['a generic one', 'public class A { [Benchmark] public int M<T>() => 1; }', 'stands at no method'],
    ['a generic class', 'public class A<T> { [Benchmark] public int M() => 1; }', 'is generic'], ['one that is inherited', 'public abstract class B { [Benchmark] public int M() => 1; } public class A : B { }', '`A` inherits benchmarks from `B`'], ['two with one name', 'public class A { [Benchmark] public int M() => 1; [Benchmark, Arguments(1)] public int M(int a) => 1; [Benchmark] public int M() => 2; }', 'have one name'],
    ['arguments of nobody', 'public class A { [Benchmark] public int M(int a) => 1; }', 'no `[Arguments]` gives them'], ['too many arguments', 'public class A { [Benchmark, Arguments(1, 2)] public int M(int a) => 1; }', 'gives 2, and `M` takes 1'], ['values that must be computed', 'public class A { [Params(1 + 1)] public int N; [Benchmark] public int M() => 1; }', '`[Params]` takes whole numbers'],
    ['values of a source', 'public class A { [ParamsSource(nameof(X))] public int N; [Benchmark] public int M() => 1; }', '`[ParamsSource]` is not taken'], ['arguments of a source', 'public class A { [Benchmark, ArgumentsSource("X")] public int M(int n) => 1; }', '`[ArgumentsSource]` is not taken'], ['two members with values', 'public class A { [Params(1)] public int N; [Params(2)] public int O; [Benchmark] public int M() => 1; }', 'has 2 members with `[Params]`'],
    ['a name beyond ASCII', 'public class Ä { [Benchmark] public int M() => 1; }', 'plain ASCII'], ['51', `public class A { ${Array.from({ length: 51 }, (_, i) => `[Benchmark] public int M${i}() => 1;`).join('')} }`, 'it holds 51 benchmarks'],
    ['a text without an end', 'public class A { string a = "x;\n }', 'begins in line 1 has no end'], ['a text with holes without an end', 'public class A { string a = $"x;\n }', 'a text that begins in line 1 has no end'], ['a comment without an end', 'public class A { \n/* }', 'a comment that begins in line 2 has no end'], ['a hole without an end', 'class A { string a = $"{x', 'has no end'], ['a brace too few', 'public class A { void M() { }', 'closing brace is missing'], ['a brace too many', 'public class A { } }', 'line 1 closes what was not opened'], ['brackets that cross', 'public class A { int M(int[ a)] => 1; }', 'closes what was not opened'], ['half a declaration', 'public class A { int', 'has no end'], ['101 brackets', `class A { int a = ${'('.repeat(101)}1${')'.repeat(101)}; }`, 'deeper in brackets than 100 levels'], ['half a value', 'public class A { int a = 1', 'has no end'],
  ])('are_refused_with: %s', (_, source, why) => { expect(wrong(source)).toContain(why); });
  it.each(['[', '(', '{', '[A(', '"', '$"{', '/*', 'class A { ', '@"', '$$"""{{', '\'', '#', 'namespace ', 'where '])('are_looked_for_in_no_time_in_16_KiB_of %j', piece => {
    const began = performance.now();
    benchmarksOf(piece.repeat(Math.floor(MAX_SNIPPET_BYTES / piece.length)));
    expect(performance.now() - began).toBeLessThan(5000);    // a guard against what is quadratic or worse, and no measurement
  });
});

/** Methods in their order, each with all values. */
const order = (name: string): number => (name.startsWith('A.M') ? 0 : 1);
