import { describe, expect, it } from 'vitest';
import { parseCommand } from '../src/request/command.ts';
import { commandLine, NO_WORDS } from '../src/request/words.ts';

const problems = (body: string): string => { const command = parseCommand(body); return command.kind === 'wrong' ? command.problems.join(' ') : `accepted as ${command.kind}`; };

describe('a command', () => {
  it('may_name_everything', () => {
    const text = '/benchmark pr --runtime net8.0,net10.0 --pgo on,full --gc server --framework akka@1.5.30 --machine ryzen --rounds 8+20 ' + 'a'.repeat(40);
    expect(parseCommand(text)).toEqual({ kind: 'run', sha: 'a'.repeat(40), words: { suite: 'pr', workloads: [], runtimes: ['net8.0', 'net10.0'], pgo: ['on', 'full'], gc: ['server'], frameworks: ['akka@1.5.30'], machine: 'ryzen', rounds: '8+20' } });
  });

  it('may_name_nothing', () => { expect(parseCommand('/benchmark')).toEqual({ kind: 'run', sha: null, words: NO_WORDS }); });
  it.each(['cancel', 'status', 'rerun', 'help'])('%s_goes_alone', verb => {
    expect(parseCommand(`/benchmark ${verb}`)).toEqual({ kind: 'verb', verb });
    expect(problems(`/benchmark ${verb} pr`)).toContain('goes alone');
  });
  it.each(['/benchmark quick\r\n', '/benchmark quick\n\n', '/benchmark  quick '])('may_end_with_an_empty_line %j', text => { expect(parseCommand(text).kind).toBe('run'); });

  it.each([
    ['in a quote block', '> /benchmark'], ['in a code block', '```\n/benchmark\n```'], ['indented', '    /benchmark'], ['in an HTML comment', '<!-- /benchmark -->'],
    ['on line 2', 'please\n/benchmark'], ['in capitals', '/Benchmark'], ['plural', '/benchmarks'], ['longer', '/benchmark-x'], ['a path', '/benchmark/x'],
    ['after a BOM', '\ufeff/benchmark'], ['after a zero-width space', '\u200b/benchmark'], ['after a no-break space', '\u00a0/benchmark'], ['after a space', ' /benchmark'], ['nothing', ''],
  ])('is_not_for_us: %s', (_, body) => { expect(parseCommand(body)).toEqual({ kind: 'none' }); });

  it.each([
    ['two commands in one comment', '/benchmark\n/benchmark quick', 'on one line'], ['text after it', '/benchmark quick\r\nplease', 'on one line'], ['a lone carriage return', '/benchmark\rcancel', 'on one line'],
    ['a new line and a workflow command', '/benchmark\n::error::x', 'on one line'],
    ['followed by a zero-width space', '/benchmark\u200b', 'plain ASCII'], ['with a no-break space', '/benchmark\u00a0quick', 'plain ASCII'], ['with a tab', '/benchmark\tquick', 'plain ASCII'], ['with an Arabic digit', '/benchmark --rounds ٣+٣', 'plain ASCII'], ['with a Cyrillic letter', '/benchmark quiсk', 'plain ASCII'],
    ['of 64 KiB', `/benchmark ${'a'.repeat(65_536)}`, 'longer than 256'], ['of 10,000 flags', `/benchmark${' --pgo on'.repeat(10_000)}`, 'longer than 256'],
  ])('of_wrong_form_is_refused: %s', (_, body, why) => { expect(parseCommand(body)).toMatchObject({ kind: 'wrong', code: 'command-form' }); expect(problems(body)).toContain(why); });

  it.each([
    ['repeated flag', '/benchmark --pgo on --pgo off', 'given twice'], ['flag without a value', '/benchmark --runtime', 'needs a value'], ['flag in place of a value', '/benchmark --runtime --pgo on', 'needs a value'],
    ['repeated value', '/benchmark --runtime net8.0,net8.0', 'names a value twice'], ['empty value', '/benchmark --runtime net8.0,', 'not a name'],
    ['unknown flag', '/benchmark --runtimes net8.0', 'did you mean `--runtime`?'], ['unknown word', '/benchmark quick canel', 'did you mean `cancel`?'], ['pass-through arguments', '/benchmark quick -- --privileged', 'no option'],
    ['equals sign', '/benchmark --pgo=on', 'no option'], ['pgo maybe', '/benchmark --pgo maybe', 'takes `on`'], ['suite and workload', '/benchmark quick --workload a', 'not both'],
    ['rounds -1', '/benchmark --rounds -1', 'not S+C'], ['rounds 0', '/benchmark --rounds 0', 'not S+C'], ['rounds 0+0', '/benchmark --rounds 0+0', 'not S+C'], ['rounds 1e9', '/benchmark --rounds 1e9', 'not S+C'], ['rounds NaN', '/benchmark --rounds NaN', 'not S+C'], ['rounds 9999+1', '/benchmark --rounds 9999+1', 'not S+C'],
    ['two commits', `/benchmark ${'a'.repeat(12)} ${'b'.repeat(12)}`, 'Two commits'], ['SHA-256', `/benchmark ${'a'.repeat(64)}`, 'SHA-256'],
    ['; rm -rf /', '/benchmark ; rm -rf /', 'no word'], ['`id`', '/benchmark `id`', 'no word'], ['$(id)', '/benchmark --machine $(id)', 'not a name'], ['${{ github.token }}', '/benchmark ${{ github.token }}', 'no word'],
    ['%0A::set-output', '/benchmark %0A::set-output', 'no word'], ['::add-mask::', '/benchmark ::add-mask::x', 'no word'], ['path', '/benchmark --workload ../x', 'not a name'], ['a capital machine', '/benchmark --machine Ryzen', 'not a name'],
  ])('with_wrong_words_is_refused: %s', (_, body, why) => { expect(parseCommand(body)).toMatchObject({ kind: 'wrong', code: 'command-words' }); expect(problems(body)).toContain(why); });

  it('gets_all_its_problems_at_once', () => { expect(problems('/benchmark --pgo maybe --rounds 7 --frobnicate 1 x y')).toMatch(/takes `on`.*not S\+C.*--frobnicate.*`x`.*`y`/); });

  it('can_be_written_again_from_its_words', () => {
    const text = '/benchmark --workload a,b --runtime net8.0 --pgo on --gc server --framework stj --machine ryzen --rounds 0+20';
    const command = parseCommand(text);
    expect(command.kind === 'run' ? commandLine(command.words) : '').toBe(text);
  });
});
