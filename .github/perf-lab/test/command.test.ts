import { describe, expect, it } from 'vitest';
import { parseCommand } from '../src/request/command.ts';
import { commandLine, NO_WORDS } from '../src/request/words.ts';

/** 29 kinds of what may stick to a word. */
const GLUED = ['.', ',', ';', ':', '!', '?', '(', ')', '[', '{', '<', '>', '=', '+', '*', '&', '|', '\\', '/', '#', '@', '$', '%', '^', '~', '`', '\'', '"', '\u200b'] as const;

const problems = (body: string): string => { const command = parseCommand(body); return command.kind === 'wrong' ? command.problems.join(' ') : `accepted as ${command.kind}`; };

describe('a command', () => {
  it('may_name_everything', () => {
    const text = '/benchmark pr --runtime net8.0,net10.0 --pgo on,full --gc server --framework akka@1.5.30 --filter *Parse*,My.Writing.? --any-categories text,I.O --machine ryzen --rounds 8+20 ' + 'a'.repeat(40);
    expect(parseCommand(text)).toEqual({ kind: 'run', sha: 'a'.repeat(40), words: { suite: 'pr', workloads: [], runtimes: ['net8.0', 'net10.0'], pgo: ['on', 'full'], gc: ['server'], frameworks: ['akka@1.5.30'], filters: ['*Parse*', 'My.Writing.?'], categories: ['text', 'I.O'], machine: 'ryzen', rounds: '8+20', sessions: null, warmUp: null, sdk: null, within: null } });
  });

  it('may_name_nothing', () => { expect(parseCommand('/benchmark')).toEqual({ kind: 'run', sha: null, words: NO_WORDS }); });
  it.each(['cancel', 'status', 'help'])('%s_goes_alone', verb => {
    expect(parseCommand(`/benchmark ${verb}`)).toEqual({ kind: 'verb', verb });
    expect(problems(`/benchmark ${verb} pr`)).toContain('goes alone');
  });
  it('may_repeat_the_last_one_at_a_commit', () => {
    expect(parseCommand('/benchmark rerun')).toEqual({ kind: 'rerun', sha: null });
    expect(parseCommand(`/benchmark rerun ${'A'.repeat(12)}`)).toEqual({ kind: 'rerun', sha: 'a'.repeat(12) });
    for (const wrong of ['pr', 'a'.repeat(11), `${'a'.repeat(12)} ${'b'.repeat(12)}`, 'a'.repeat(41)]) expect(problems(`/benchmark rerun ${wrong}`)).toContain('12 to 40 digits');
  });
  it('may_accept_with_a_reason_in_any_language', () => {
    expect(parseCommand('/benchmark accept Größe geht vor, @org/team `x` |')).toEqual({ kind: 'accept', reason: 'Größe geht vor, @org/team `x` |' });
    for (const none of ['', ' ', ' -', ' \u200b', '\nbecause']) expect(problems(`/benchmark accept${none}`)).toContain('needs a reason');
    expect(problems(`/benchmark accept ${'x'.repeat(201)}`)).toContain('longer than 200');
    expect(problems(`/benchmark accept ${'x'.repeat(300)}`)).toContain('The command is 318 characters long, and 256 are the most. What is none of its words goes on a line below.');
    expect(problems('/benchmark accepted because')).toContain('no word');
    expect(problems('/benchmark pr accept')).toContain('goes alone');
  });
  it.each(['/benchmark quick\nplease', '/benchmark quick\r\n\r\nSee #12, @org/team.\n::error::x\n/benchmarks', '/benchmark quick\n> /benchmark rerun', '/benchmark quick\nFor example:\n```text\n/benchmark rerun\n```\nthanks', '/benchmark quick\n~~~\n/benchmark rerun'])('may_be_followed_by_prose_that_is_not_read %j', text => {
    expect(parseCommand(text)).toEqual(parseCommand('/benchmark quick'));
  });
  it.each(['/benchmark quick\r\n', '/benchmark quick\n\n', '/benchmark  quick '])('may_end_with_an_empty_line %j', text => { expect(parseCommand(text).kind).toBe('run'); });

  it.each([
    ['in a quote block', '> /benchmark'], ['in a code block', '```\n/benchmark\n```'], ['indented', '    /benchmark'], ['in an HTML comment', '<!-- /benchmark -->'],
    ['on line 2', 'please\n/benchmark'], ['in capitals', '/Benchmark'], ['plural', '/benchmarks'], ['longer', '/benchmark-x'], ['a path', '/benchmark/x'],
    ['after a BOM', '\ufeff/benchmark'], ['after a zero-width space', '\u200b/benchmark'], ['after a no-break space', '\u00a0/benchmark'], ['after a space', ' /benchmark'], ['nothing', ''], ['followed by a zero-width space', '/benchmark\u200b'],
  ])('is_not_for_us: %s', (_, body) => { expect(parseCommand(body)).toEqual({ kind: 'none' }); });

  it.each([...GLUED])('glued_to_rubbish_is_another_word_and_starts_nothing: %j', rubbish => {
    for (const after of ['', ' quick', '\n', ' help']) expect(parseCommand(`/benchmark${rubbish}${after}`)).toEqual({ kind: 'none' });
  });

  it.each([
    ['two commands in one comment', '/benchmark\n/benchmark quick', 'holds one command'], ['two commands behind an example', '/benchmark\n```\n/benchmark x\n```\n/benchmark quick', 'holds one command'], ['two commands behind a fence that a shorter one does not end', '/benchmark\n````\n```\n````\n/benchmark quick', 'holds one command'], ['two commands and prose', '/benchmark help\r\nor\r\n/benchmark\u00a0x', 'holds one command'], ['a lone carriage return', '/benchmark\rcancel', 'plain ASCII'],
    ['with a no-break space', '/benchmark\u00a0quick', 'plain ASCII'], ['with a tab', '/benchmark\tquick', 'The command holds a tab. Put spaces between its words.'], ['with an Arabic digit', '/benchmark --rounds ٣+٣', 'plain ASCII'], ['with a Cyrillic letter', '/benchmark quiсk', 'plain ASCII'],
    ['of 64 KiB', `/benchmark ${'a'.repeat(65_536)}`, '65547 characters long'], ['of 10,000 flags', `/benchmark${' --pgo on'.repeat(10_000)}`, '90010 characters long'],
  ])('of_wrong_form_is_refused: %s', (_, body, why) => { expect(parseCommand(body)).toMatchObject({ kind: 'wrong', code: 'command-form' }); expect(problems(body)).toContain(why); });

  it.each([
    ['repeated flag', '/benchmark --pgo on --pgo off', 'given twice'], ['flag without a value', '/benchmark --runtime', 'needs a value'], ['flag in place of a value', '/benchmark --runtime --pgo on', 'needs a value'],
    ['repeated value', '/benchmark --runtime net8.0,net8.0', 'names a value twice'], ['empty value', '/benchmark --runtime net8.0,', 'not a name'],
    ['unknown flag', '/benchmark --runtimes net8.0', 'did you mean `--runtime`?'], ['unknown word', '/benchmark quick canel', 'did you mean `cancel`?'], ['pass-through arguments', '/benchmark quick -- --privileged', 'no option'],
    ['equals sign', '/benchmark --pgo=on', '`--pgo=on`: write it with a space, `--pgo on`.'], ['equals sign of no option', '/benchmark --pog=on', 'no option'], ['pgo maybe', '/benchmark --pgo maybe', 'takes `on`'], ['suite and workload', '/benchmark quick --workload a', 'not both'],
    ['rounds -1', '/benchmark --rounds -1', 'not S+C'], ['rounds 0', '/benchmark --rounds 0', 'not S+C'], ['rounds 0+0', '/benchmark --rounds 0+0', 'not S+C'], ['rounds 1e9', '/benchmark --rounds 1e9', 'not S+C'], ['rounds NaN', '/benchmark --rounds NaN', 'not S+C'], ['rounds 9999+1', '/benchmark --rounds 9999+1', 'not S+C'],
    ['two commits', `/benchmark ${'a'.repeat(12)} ${'b'.repeat(12)}`, 'Two commits'], ['SHA-256', `/benchmark ${'a'.repeat(64)}`, 'SHA-256'],
    ['; rm -rf /', '/benchmark ; rm -rf /', 'no word'], ['`id`', '/benchmark `id`', 'no word'], ['$(id)', '/benchmark --machine $(id)', 'not a name'], ['${{ github.token }}', '/benchmark ${{ github.token }}', 'no word'],
    ['%0A::set-output', '/benchmark %0A::set-output', 'no word'], ['::add-mask::', '/benchmark ::add-mask::x', 'no word'], ['path', '/benchmark --workload ../x', 'not a name'], ['a capital machine', '/benchmark --machine Ryzen', 'not a name'],
  ])('with_wrong_words_is_refused: %s', (_, body, why) => { expect(parseCommand(body)).toMatchObject({ kind: 'wrong', code: 'command-words' }); expect(problems(body)).toContain(why); });

  it('gets_all_its_problems_at_once', () => { expect(problems('/benchmark --pgo maybe --rounds 7 --frobnicate 1 x y')).toMatch(/takes `on`.*not S\+C.*--frobnicate.*`x`.*`y`/); });

  it.each([['6', 6, '6'], ['6s', 6, '6'], ['0.5', 0.5, '0.5'], ['500ms', 0.5, '0.5'], ['1.5m', 90, '90'], ['1ms', 0.001, '0.001'], ['3600', 3600, '3600'], ['60m', 3600, '3600']])('may_ask_for_a_longer_warm_up: %s', (typed, seconds, again) => {
    const command = parseCommand(`/benchmark pr --sdk current --warm-up ${typed}`);
    expect(command).toMatchObject({ kind: 'run', words: { warmUp: seconds, sdk: 'current' } });
    expect(command.kind === 'run' ? commandLine(command.words) : '').toBe(`/benchmark pr --warm-up ${again} --sdk current`);
  });
  it.each(['0', '0.0', '0ms', '0.0004', '-1', '+6', '3601', '61m', '1e3', '0x10', 'NaN', 'Infinity', '.5', '6.', '6 s', '6S', '1h', '$(id)', '9'.repeat(100), '٦', '6,5'])('is_refused_a_warm_up_of %j', typed => {
    expect(problems(`/benchmark --warm-up ${typed}`)).toMatch(/is no time above 0 and up to 3600 seconds|plain ASCII|no word/);
  });
  it.each([['10m', 10, '10m'], ['10', 10, '10m'], ['90s', 1.5, '1.5m'], ['100s', 1.667, '1.667m'], ['1.667m', 1.667, '1.667m'], ['60000ms', 1, '1m'], ['60ms', 0.001, '0.001m'], ['1440', 1440, '1440m'], ['86400s', 1440, '1440m'], ['007m', 7, '7m']])('may_be_measured_until_it_is_decided: %s', (typed, minutes, again) => {
    const command = parseCommand(`/benchmark pr --within ${typed} --sessions 1`);
    expect(command).toMatchObject({ kind: 'run', words: { within: minutes, rounds: null, warmUp: null } });
    expect(command.kind === 'run' ? commandLine(command.words) : '').toBe(`/benchmark pr --sessions 1 --within ${again}`);
  });
  it.each(['0', '0m', '0.0s', '1ms', '29ms', '-1', '-10m', '+6', '1440.1', '1441m', '86401s', '1e3', '0x10', 'NaN', 'Infinity', '.5', '6.', '1.2345', '10M', '1h', 'soon', 'm', '10mm', '10m5s', '$(id)', '9'.repeat(100), '٦', '6,5'])('is_refused_minutes_of_%j', typed => {
    expect(problems(`/benchmark --within ${typed}`)).toMatch(/^(`--within`: `.+` is no time above 0 and up to 1440 minutes, such as `10m` or `90s`\.|The command holds a character outside plain ASCII; .+)$/);
  });
  it('has_minutes_or_rounds_or_sessions', () => {
    expect(problems('/benchmark --within 10m --rounds 8+20')).toBe('`--within` goes without `--rounds`: one says how long, the other how often.');
    expect(problems('/benchmark --sessions 2 --within 10m')).toBe('`--within` goes without `--sessions`: what is measured again takes as long as it takes.');
    expect(problems('/benchmark --within --rounds 8+20')).toBe('`--within` needs a value.');
    expect(problems('/benchmark --within=10m')).toBe('`--within=10m`: write it with a space, `--within 10m`.');
    expect(problems('/benchmark --witin 10m')).toContain('did you mean `--within`?');
  });
  it.each(['newest', '10.0.100', 'Current', 'current,current', '../sdk', '`id`'])('is_refused_an_sdk_of %j', typed => { expect(problems(`/benchmark --sdk ${typed}`)).toContain('is not `current`'); });
  it('may_have_spaces_behind_it_and_between_its_words', () => {
    expect(parseCommand('/benchmark  quick   ')).toMatchObject({ kind: 'run', words: { suite: 'quick' } });
    expect(parseCommand('/benchmark  accept  why not')).toEqual({ kind: 'accept', reason: 'why not' });
    expect(problems('/benchmark pr /benchmark accept x')).toContain('no word');
  });
  it('may_be_as_long_as_its_limits', () => {
    expect(parseCommand(`/benchmark ${'a'.repeat(245)}`)).toMatchObject({ code: 'command-words' });
    expect(parseCommand(`/benchmark ${'a'.repeat(246)}`)).toMatchObject({ code: 'command-form' });
    expect(parseCommand(`/benchmark accept ${'x'.repeat(200)}`).kind).toBe('accept');
    expect(parseCommand(`/benchmark --filter ${'a'.repeat(200)}`).kind).toBe('run');
    expect(problems(`/benchmark --filter ${'a'.repeat(201)}`)).toContain('is not a glob');
    const values = (count: number): string => `/benchmark --gc ${Array.from({ length: count }, (_, i) => `g${i}`).join(',')}`;
    expect(parseCommand(values(20)).kind).toBe('run');
    expect(problems(values(21))).toBe('`--gc` takes at most 20 values.');
  });
  it.each([
    ['/benchmark --zzzzzzzzzz 1', '`--zzzzzzzzzz` is no option of this command.'], ['/benchmark --zzzzzzzzzz', '`--zzzzzzzzzz` is no option of this command.'], ['/benchmark --zzzzzzzzzz x-', '`--zzzzzzzzzz` is no option of this command.'], ['/benchmark --zzzzzzzzzz x.y', '`--zzzzzzzzzz` is no option of this command.'],
    ['/benchmark --zzzzzzzzzz --pgo maybe', '`--zzzzzzzzzz` is no option of this command. `--pgo` takes `on`, `off`, `full`, or several with commas between.'],
    ['/benchmark --pgo on,maybe', '`--pgo` takes `on`, `off`, `full`, or several with commas between.'], ['/benchmark --workload a,../x,$y', '`--workload`: `../x`, `$y` is not a name.'],
    ['/benchmark --any-categories text,<b>', '`--any-categories`: `<b>` is not a category of benchmarks.'], ['/benchmark --any-categories text,!io,io!', '`--any-categories`: `!io`, `io!` is not a category of benchmarks.'],
    ['/benchmark --filter *Parse*,<b>', '`--filter`: `<b>` is not a glob over a benchmark\'s name, such as `*Parse*`.'],
    ['/benchmark --runtime net8.0, net10.0 --pgo on', '`--runtime`: no space after a comma, `net8.0,net10.0`.'], ['/benchmark --runtime net8.0, --pgo on', '`--runtime`: `(empty)` is not a name.'], ['/benchmark --runtime net8.0,', '`--runtime`: `(empty)` is not a name.'],
    ['/benchmark --filter \'*Parse*\'', '`--filter`: without the quotes, `*Parse*`. No shell reads a comment.'], ['/benchmark --filter "*Parse*"', '`--filter`: without the quotes, `*Parse*`. No shell reads a comment.'],
    ['/benchmark --filter \'*Parse*', '`--filter`: `\'*Parse*` is not a glob over a benchmark\'s name, such as `*Parse*`.'], ['/benchmark --filter *Parse*"', '`--filter`: `*Parse*"` is not a glob over a benchmark\'s name, such as `*Parse*`.'],
    ['/benchmark --machine ryzen!', '`--machine`: `ryzen!` is not a name.'], ['/benchmark quick!', '`quick!` is no word of this command.'], [`/benchmark ${'a'.repeat(12)} zzz`, '`zzz` is no word of this command.'],
    ['/benchmark --runtmie x', '`--runtmie` is no option of this command; did you mean `--runtime`?'],
  ])('has_these_problems_and_no_others: %s', (text, told) => { expect(problems(text)).toBe(told); });
  it.each([['10+20', true], ['10+0', true], ['0+05', true], ['100+100', true], ['8+20x', false], ['x8+20', false], ['00+0', false], ['0+00', false]])('has_rounds_or_not: %s', (rounds, isFine) => { expect(parseCommand(`/benchmark --rounds ${rounds}`).kind === 'run').toBe(isFine); });
  it.each(['xabcdefabcdef1', 'abcdefabcdef1x'])('names_a_suite_that_only_holds_what_could_be_a_commit: %s', suite => { expect(parseCommand(`/benchmark ${suite}`)).toMatchObject({ words: { suite }, sha: null }); });

  it('can_be_written_again_from_its_words', () => {
    const text = '/benchmark --workload a,b --runtime net8.0 --pgo on --gc server --framework stj --filter *P* --any-categories io --machine ryzen --rounds 0+20';
    const command = parseCommand(text);
    expect(command.kind === 'run' ? commandLine(command.words) : '').toBe(text);
  });
});
