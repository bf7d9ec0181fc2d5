import fs from 'node:fs';
import { remark } from './support/oracle.ts';
import { describe, expect, it } from 'vitest';
import { parseStrict } from '../src/text/json-scan.ts';
import { nearest } from '../src/text/nearest.ts';
import { clean, code, fence } from '../src/text/untrusted.ts';

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
  it.each([['quik', 'quick'], ['wekly', 'weekly'], ['q', null], ['zzzzzz', null]])('%s -> %s', (written, meant) => {
    expect(nearest(written, ['quick', 'pr', 'weekly'])).toBe(meant);
  });
});
