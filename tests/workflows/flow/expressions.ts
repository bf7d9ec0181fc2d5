import { Evaluator, Lexer, Parser, data } from '@actions/expressions';

export type Context = Readonly<Record<string, unknown>>;

/** What the status functions answer in a job or a step. */
export interface Status { readonly ok: boolean; readonly cancelled: boolean }

const CONTEXTS = ['github', 'env', 'steps', 'needs', 'inputs', 'runner', 'secrets', 'vars', 'job', 'jobs'];

/** Evaluates with GitHub's own lexer, parser and evaluator; `hashFiles` only says whether there is such a file. */
export function evaluate(expression: string, context: Context, status: Status, exists: (path: string) => boolean): data.ExpressionData {
  const word = (name: string, call: () => boolean) => ({ name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(call()) });
  const functions = [
    word('always', () => true), word('success', () => status.ok && !status.cancelled), word('failure', () => !status.ok && !status.cancelled), word('cancelled', () => status.cancelled),
    { name: 'hashFiles', minArgs: 1, maxArgs: 1, call: (path: data.ExpressionData) => new data.StringData(exists(path.coerceString()) ? 'hash' : '') },
  ];
  const tree = new Parser(new Lexer(expression).lex().tokens, CONTEXTS, functions).parse();
  return new Evaluator(tree, toData(context), new Map(functions.map(one => [one.name.toLowerCase(), one]))).evaluate();
}

/** "a ${{ b }}" -> text. */
export const fill = (text: string, evaluateOne: (expression: string) => data.ExpressionData): string => text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => evaluateOne(expression.trim()).coerceString());

/** The value of an `if`, where success() is meant when no status function is written. */
export function holds(condition: unknown, evaluateOne: (expression: string) => data.ExpressionData): boolean {
  const expression = String(condition ?? 'success()').replace(/^\$\{\{(.*)\}\}$/s, '$1').trim();
  const value = evaluateOne(/\b(always|success|failure|cancelled)\(/.test(expression) ? expression : `success() && (${expression})`);
  return !['', 'false', '0'].includes(value.coerceString());
}

function toData(value: unknown): data.ExpressionData {
  if (value === null || value === undefined) return new data.Null();
  if (typeof value === 'string') return new data.StringData(value);
  if (typeof value === 'number') return new data.NumberData(value);
  if (typeof value === 'boolean') return new data.BooleanData(value);
  if (Array.isArray(value)) return new data.Array(...value.map(toData));
  return new data.Dictionary(...Object.entries(value).map(([key, member]) => ({ key, value: toData(member) })));
}
