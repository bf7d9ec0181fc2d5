import fs from 'node:fs';
import { remark } from './support/oracle.ts';
import { describe, expect, it } from 'vitest';
import { parseStrict } from '../src/text/json-scan.ts';
import { nearest } from '../src/text/nearest.ts';
import { clean, code, fence, line } from '../src/text/untrusted.ts';

interface Row { name: string; input: string; repeat?: number; suffix?: string; clean?: string; code?: string; fence?: string }
const TABLE = JSON.parse(fs.readFileSync(new URL('../../../tests/fixtures/untrusted-text.json', import.meta.url), 'utf8')) as Row[];

describe('text that others wrote', () => {
  it.each(TABLE)('comes out as the runner shows it: $name', row => {
    const input = row.input.repeat(row.repeat ?? 1) + (row.suffix ?? '');
    if (row.clean !== undefined) expect(clean(input)).toBe(row.clean);
    if (row.code !== undefined) expect(code(input)).toBe(row.code);
    if (row.fence !== undefined) expect(fence(input)).toBe(row.fence);
  });

  it.each(TABLE)('makes no mention, link, image or HTML: $name', row => {
    const input = row.input.repeat(Math.min(row.repeat ?? 1, 300)) + (row.suffix ?? '');
    expect(remark(`a ${code(input)} b\n\n| x |\n|---|\n| ${code(input)} |\n\n${fence(input)}\n`)).toEqual([]);
  });

  const STARTS = ['\x1b]', '\x1bP', '\x1bX', '\x1b^', '\x1b_', '\x90', '\x98', '\x9d', '\x9e', '\x9f'], ENDS = ['\x07', '\x1b\\', '\x9c'];
  it.each(STARTS.flatMap(start => ENDS.map(end => [start, end])))('loses_a_string_of_the_terminal: %j %j', (start, end) => {
    expect(clean(`a${start}0;title [m@~/ ${end}b`)).toBe('ab');
    expect(clean(`a${start}${end}b`)).toBe('ab');
    expect(clean(`a${start}x${start}y${end}b`)).toBe('axb');    // one that never ends loses its start only
  });
  it.each([
    ['a\x1b[2 qb', 'ab'], ['a\x1b[mb', 'ab'], ['a\x1b[1;2!"#$%&\'()*+,-./~b', 'ab'], ['a\x9b?25@b', 'ab'], ['a\x1b(0b', 'ab'], ['a\x1b#!8b', 'ab'], ['a\x1b0b', 'ab'], ['a\x1b~b', 'ab'], ['a[1mb', 'a[1mb'], ['a0~b', 'a0~b'],
    ['a\x1b\x7fb', 'ab'], ['a\tb\nc', 'a\tb\nc'], ['a\u2028b\u2029c\x85d\fe\rf\r\ng', 'a\nb\nc\nd\ne\nf\ng'], ['\n\na\n\nb\n\n', 'a\n\nb'], ['  a  ', '  a  '], ['a<!--b<!-- ##[ ##[', 'a<! --b<! -- ## [ ## ['], ['\u{E0001}a\u{E0100}\uE000\uD800\u0378\uFE00b', 'ab'],
  ])('is_cleaned: %j', (text, shown) => { expect(clean(text)).toBe(shown); });
  it('is_cut_where_it_is_too_long_and_never_within_a_character', () => {
    expect([clean('x'.repeat(2000)).length, clean('x'.repeat(2001))]).toEqual([2000, `${'x'.repeat(1999)}…`]);
    expect([line('abcd', 4), line('abcde', 4), line('ab\u{1f600}de', 4), line('abc\u{1f600}', 4), line('a\u{1f600}de', 4)]).toEqual(['abcd', 'abc…', 'ab…', 'abc…', 'a\u{1f600}…']);
    expect([line('x'.repeat(200)).length, line('x'.repeat(201)).length, code('x'.repeat(201)).length, code('abcde', 4)]).toEqual([200, 200, 202, '`abc…`']);
  });
  it.each([['  a \u00a0\n\t b  ', 'a b'], ['', ''], [' \n ', '']])('is_one_line: %j', (text, shown) => { expect(line(text)).toBe(shown); });
  it.each([['', '`(empty)`'], ['`|`|', '`\'¦\'¦`'], ['a', '`a`']])('is_code: %j', (text, shown) => { expect(code(text)).toBe(shown); });
  it.each([['a', '```text\na\n```'], ['``', '```text\n``\n```'], ['```', '````text\n```\n````'], ['a````b`c', '`````text\na````b`c\n`````']])('is_fenced: %j', (text, shown) => { expect(fence(text)).toBe(shown); });

  it('the_oracle_would_see_them', () => {
    expect(remark('@org/team fixes #1 GH-1 owner/repo#1 <img src=x> [x](javascript:x)').length).toBeGreaterThan(4);
  });
});

describe('JSON from outside', () => {
  it.each([
    ['equal members', '{"a":1,"a":2}'], ['equal members in another spelling', '{"a":1,"\\u0061":2}'], ['__proto__', '{"__proto__":1}'],
    ['great depth', `${'['.repeat(33)}${']'.repeat(33)}`], ['200,000 levels', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['trailing data', '{} x'], ['cut', '{"a":'], ['nothing', ''],
  ])('is_refused: %s', (_, text) => { expect(() => parseStrict(text)).toThrow(); });

  it('may_repeat_a_member_in_sister_objects', () => { expect(parseStrict('[{"a":1},{"a":"{\\"a"}]')).toEqual([{ a: 1 }, { a: '{"a' }]); });
});

describe('the nearest name', () => {
  it.each([['quik', 'quick'], ['wekly', 'weekly'], ['q', null], ['zzzzzz', null], ['we', 'weekly'], ['W', null], ['WEEKLY', 'weekly'], ['p', 'pr'], ['rp', null], ['weXXly', 'weekly'], ['wXXXly', null], ['', null]])('%s -> %s', (written, meant) => {
    expect(nearest(written, ['quick', 'pr', 'weekly'])).toBe(meant);
  });
  it.each([[['b1', 'a1'], 'c1', 'a1'], [['a1', 'b1'], 'c1', 'a1'], [['aexchmark', 'zenchmark'], 'benchmark', 'zenchmark'], [['zenchmark', 'aexchmark'], 'benchmark', 'zenchmark']])('is_the_closest_name_and_of_two_the_first_by_letters: %j', (names, written, meant) => {
    expect(nearest(written, names)).toBe(meant);
  });
});
