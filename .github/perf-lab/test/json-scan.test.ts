import { expect, it } from 'vitest';
import { BadFile, parseStrict } from '../src/text/json-scan.ts';

const told = (text: string): string => {
  try { return JSON.stringify(parseStrict(text, 'f')); } catch (error) { return (error as Error).message; }
};

it.each([
  ['after a list', '[{"a":1e400}]', '[0].a: 1e400'],
  ['after a space', '{"a": 1e400}', 'a: 1e400'],
  ['of the highest digit', '{"a":9e999}', 'a: 9e999'],
  ['of the lowest digit', '{"a":0.5e400}', 'a: 0.5e400'],
  ['of many digits', `{"a":${'1'.repeat(400)}}`, `a: ${'1'.repeat(40)}`],
  ['of a long name', `{"${'n'.repeat(100)}":1e400}`, `${'n'.repeat(60)}: 1e400`],
])('a_number_that_is_none_is_told_as_it_is_written: %s', (_, text, place) => { expect(told(text)).toBe(`f: ${place} is larger than a number can be`); });

it.each([
  ['a line after a whole value', '{}\n\n;', 'the fault is in line 3'],
  ['a string that never ends, and a line after it', '{"a":"abc\n', 'it ends in the middle'],
])('says_where_it_stops_being_json: %s', (_, text, why) => { expect(told(text)).toBe(`f: not JSON: ${why}`); });

it.each([[20, ''], [21, '; and 1 more'], [25, '; and 5 more']])('of_%i_problems_at_most_20_are_told', (count, more) => {
  const problems = [...Array(count).keys()].map(one => `p${one}`);
  const file = new BadFile('f', problems);
  expect(file.message).toBe(`f: ${problems.slice(0, 20).join('; ')}${more}`);
  expect(file.problems).toEqual(problems);
});
