import type { Token } from './tokens.ts';

/** `[Name(…)]`, without what stands before the last dot of its name. */
export interface Attribute {
  readonly name: string;
  readonly line: number;
  /** What is in its round brackets; empty where there are none. */
  readonly inside: readonly Token[];
}

/** Whether it is of that class, which may be written with `Attribute` behind it. */
export const called = ({ name }: Attribute, wanted: string): boolean => name === wanted || name === `${wanted}Attribute`;

/** Of what stands in one pair of square brackets. */
export function attributesOf(tokens: readonly Token[]): Attribute[] {
  return split(tokens).flatMap(one => {
    const brackets = one.findIndex(({ text }) => text === '('), name = (brackets < 0 ? one : one.slice(0, brackets)).findLast(({ kind }) => kind === 'word');
    return name === undefined ? [] : [{ name: name.text, line: name.line, inside: brackets < 0 ? [] : one.slice(brackets + 1, -1) }];
  });
}

/** The values as BenchmarkDotNet writes them into a name; null: one is no plain literal. */
export function literalsOf({ inside }: Attribute): readonly string[] | null {
  const values = split(inside).map(literal);
  return values.length === 0 || values.includes(null) ? null : values as string[];
}

function literal(tokens: readonly Token[]): string | null {
  const text = tokens.map(token => token.text).join('');
  if (/^-?[0-9]+(_[0-9]+)*$/.test(text)) return text.replaceAll('_', '').replace(/^(-?)0+(?=[0-9])/, '$1');
  if (text === 'true' || text === 'false') return text === 'true' ? 'True' : 'False';
  return tokens.length === 1 && /^"[A-Za-z0-9 _.:+-]*"$/.test(text) ? text : null;
}

/** At commas outside of brackets. */
function split(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'sign' && ['(', '[', '{'].includes(token.text)) depth++;
    else if (token.kind === 'sign' && [')', ']', '}'].includes(token.text)) depth--;
    if (token.kind === 'sign' && token.text === ',' && depth === 0) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts.filter(part => part.length > 0);
}
