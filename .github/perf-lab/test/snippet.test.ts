import { describe, expect, it } from 'vitest';
import { parseCommand } from '../src/request/command.ts';
import { readFences } from '../src/snippet/fences.ts';
import { digestOf, MAX_SNIPPET_BYTES } from '../src/snippet/snippet.ts';

const below = (...lines: string[]): string => ['/benchmark', ...lines].join('\n');
const CODE = 'public class A { [Benchmark] public int M() => 1; }';
const problems = (body: string): string => { const command = parseCommand(body); return command.kind === 'wrong' ? command.problems.join('\n') : `taken as ${JSON.stringify(command)}`; };
const of = (...lines: string[]): string => below('```cs', ...lines, '```');

describe('a block of C# below the command', () => {
  it.each(['csharp', 'cs', 'CSharp', 'C#', 'cs  title="x"'])('is_what_is_measured: %s', language => {
    expect(parseCommand(below('Please look:', `\`\`\`${language}`, CODE, '```', 'thanks'))).toEqual({ kind: 'run', sha: null, words: expect.anything(), snippet: { text: `${CODE}\n` } });
  });
  it('may_come_from_a_browser_with_its_line_ends', () => { expect(parseCommand(below('```cs', CODE, '```').replaceAll('\n', '\r\n'))).toMatchObject({ snippet: { text: `${CODE}\n` } }); });
  it('may_be_indented_like_its_marks', () => { expect(parseCommand(below('  ~~~~ cs', '  class B', `    ${CODE}`, ' x', '~~~', '  ~~~~'))).toMatchObject({ snippet: { text: `class B\n  ${CODE}\nx\n~~~\n` } }); expect(readFences(['  ~~~~ cs', '    a', ' b', '~~~', '  ~~~~~ '])).toEqual({ prose: [], fences: [{ language: 'cs', lines: ['  a', 'b', '~~~'], isClosed: true }] }); });
  it('has_all_that_follows_where_it_has_no_end', () => { expect(readFences(['a', '```cs', 'b', 'c'])).toEqual({ prose: ['a'], fences: [{ language: 'cs', lines: ['b', 'c'], isClosed: false }] }); });
  it.each(['x ```', '    ```', '``', '```x', '~~~', '``` `'])('goes_on_behind_%j', line => { expect(readFences(['```', line, '```', 'b'])).toEqual({ prose: ['b'], fences: [{ language: '', lines: [line], isClosed: true }] }); });
  it.each(['```cs```', '```cs`', '    ```', 'x ```', '``cs'])('does_not_begin_with_%j', line => { expect(readFences([line, '~~~ a`b', '~~~'])).toEqual({ prose: [line], fences: [{ language: 'a`b', lines: [], isClosed: true }] }); });
  it('goes_with_words_and_a_commit', () => { expect(parseCommand(`/benchmark --workload w --runtime net8.0 ${'a'.repeat(40)}\n\`\`\`cs\n${CODE}\n\`\`\``)).toMatchObject({ kind: 'run', sha: 'a'.repeat(40), words: { workloads: ['w'], runtimes: ['net8.0'] }, snippet: {} }); });
  it('is_told_by_its_digest', () => { expect(digestOf({ text: 'a\n' })).toBe('87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7'); });

  it.each([
    ['another language', '```js', '```'], ['text', '```text', '```'], ['no language', '```', '```'], ['a language that only begins so', '```csharpx', '```'], ['C', '```c', '```'], ['code in a line', '```cs```', ''], ['a quote', '> ```cs', '> ```'], ['indented code', '    ```cs', '    ```'],
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
    ['empty', below('```cs', '```'), 'no method with `[Benchmark]`'], ['that is only an example', of('cache.Get(1);'), 'begin it with ```text'], ['with an invisible character', below('```cs', '', `// \u202e${CODE}`, '```'), 'Line 2 of the block of C#'], ['with half a character', below('```cs', `// \ud800${CODE}`, '```'), 'Line 1 of the block'],
  ])('is_refused: %s', (_, body, why) => { expect(parseCommand(body)).toMatchObject({ kind: 'wrong', code: 'command-words' }); expect(problems(body)).toContain(why); });
  it('may_be_as_long_as_its_limit', () => {
    const filled = (bytes: number): string => below('```cs', CODE, `//${'ü'.repeat((bytes - CODE.length - 4) / 2)}${(bytes - CODE.length) % 2 === 1 ? 'x' : ''}`, '```');
    expect(parseCommand(filled(MAX_SNIPPET_BYTES))).toMatchObject({ kind: 'run', snippet: {} });
    expect(problems(filled(MAX_SNIPPET_BYTES + 2))).toMatch(/has 16,38[5-7] bytes; 16,384/);
  });

  it.each([
    ['#:package', '#:package X@1', 'belongs to scripts'], ['#r', '#r "nuget: X"', 'belongs to scripts'], ['#load', ' # load "x.cs"', 'belongs to scripts'], ['#!', '\t#!/usr/bin/env dotnet', 'belongs to scripts'],
    ['a module initializer', 'class I { [System.Runtime.CompilerServices.ModuleInitializer] internal static void X() {} }', 'a `ModuleInitializer` runs before'], ['one by another name', 'using X = System.Runtime.CompilerServices.ModuleInitializerAttribute;', 'a `ModuleInitializer` runs before'],
  ])('does_not_go_with_%s', (_, line, why) => { expect(problems(of(CODE, line, ''))).toMatch(new RegExp(`^Line 2 of the block of C#: .*${why}.*\\.$`)); });
  it.each(['#region', '#if NET10_0_OR_GREATER', '#nullable enable', '# rest', 'var a = "#r";', 'a#:b'])('goes_with_%s', line => { expect(parseCommand(of(CODE, line))).toMatchObject({ snippet: { text: `${CODE}\n${line}\n` } }); });
  it('is_told_at_most_twenty_lines_that_are_wrong', () => { expect(problems(of(CODE, ...Array.from({ length: 30 }, () => '#r "x"'))).split('\n')).toHaveLength(20); });
});
