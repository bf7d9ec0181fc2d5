import ts from 'typescript';
import { regexes } from './regexes.ts';

/** One change of a source text that a test should notice. */
export interface Change {
  readonly kind: string;
  /** Where the text is taken out, and what comes in its place. */
  readonly at: number;
  readonly end: number;
  readonly to: string;
  /** The function that it is in, by its number in the file; -1: it is carried out when the module is loaded. */
  readonly owner: number;
  /** The constant or function at the top of the file that it is in; null: none with a name. */
  readonly top: string | null;
}

const COMPARED: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='], '!==': ['==='], '==': ['!='], '!=': ['=='], '<': ['<=', '>='], '<=': ['<', '>'], '>': ['>=', '<='], '>=': ['>', '<'],
};
const JOINED: Readonly<Record<string, readonly string[]>> = { '&&': ['||'], '||': ['&&'], '??': ['&&'] };
const CALCULATED: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['*'], '&': ['|'], '|': ['&'], '<<': ['>>'], '>>': ['<<'], '>>>': ['<<'], '+=': ['-='], '-=': ['+='], '*=': ['/='],
};
const METHODS: Readonly<Record<string, string | null>> = {
  endsWith: 'startsWith', startsWith: 'endsWith', toUpperCase: 'toLowerCase', toLowerCase: 'toUpperCase', some: 'every', every: 'some', min: 'max', max: 'min',
  trimEnd: 'trimStart', trimStart: 'trimEnd', trim: null, sort: null, toSorted: null, reverse: null, toReversed: null, filter: null, slice: null, replace: null, replaceAll: null,
};

/**
 * Every change of these kinds, in the order of the text: those of Stryker but for texts (they are what people read, and tests quote them where they
 * decide), and words taken out of lists of words. Types are left alone, and so is the last line of a command, which only starts it as a process.
 */
export function changesOf(text: string): Change[] {
  const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true);
  const found = new Map<string, Change>();
  let functions = 0;

  const visit = (node: ts.Node, owner: number, outer: string | null): void => {
    if (isLeftAlone(node)) return;
    const top = topOf(node) ?? outer;
    const change = (kind: string, at: number, end: number, to: string): void => {
      const key = `${at} ${end} ${to}`;
      if (text.slice(at, end) !== to && !found.has(key)) found.set(key, { kind, at, end, to, owner, top });
    };
    const all = (kind: string, to: string): void => { change(kind, node.getStart(source), node.end, to); };
    const own = hasBody(node) ? functions++ : owner;
    for (const one of of(node, source)) change(one.kind, one.at, one.end, one.to);
    if (isTested(node)) for (const to of ['true', 'false']) all('condition', to);
    if (node.kind === ts.SyntaxKind.TrueKeyword) all('boolean', 'false');
    if (node.kind === ts.SyntaxKind.FalseKeyword) all('boolean', 'true');
    ts.forEachChild(node, child => { visit(child, isPartOf(node, child) ? own : owner, top); });
  };
  visit(source, -1, null);
  return [...found.values()].sort((a, b) => a.at - b.at || a.end - b.end);
}

export type WithBody = ts.FunctionLikeDeclaration & { readonly body: ts.Node };
export const hasBody = (node: ts.Node): node is WithBody => ts.isFunctionLike(node) && (node as ts.FunctionLikeDeclaration).body !== undefined;
const isPartOf = (node: ts.Node, child: ts.Node): boolean => hasBody(node) && (child === node.body || ts.isParameter(child));

/** The name of a constant or function whose line at the top of the file this node is; null for everything else. */
export function topOf(node: ts.Node): string | null {
  if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && ts.isSourceFile(node.parent.parent.parent)) return node.name.text;
  return (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) && ts.isSourceFile(node.parent) ? node.name?.text ?? null : null;
}

function isLeftAlone(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  return ts.isExpressionStatement(node) && ts.isCallExpression(node.expression) && node.expression.expression.getText() === 'main';
}

/** Something that is asked for yes or no. */
function isTested(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isBinaryExpression(node) && (node.operatorToken.getText() in COMPARED || /^(&&|\|\|)$/.test(node.operatorToken.getText()))) return true;
  return ((ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent)) && parent.expression === node)
    || ((ts.isConditionalExpression(parent) || ts.isForStatement(parent)) && parent.condition === node);
}

type Edit = Omit<Change, 'owner' | 'top'>;

function of(node: ts.Node, source: ts.SourceFile): Edit[] {
  const [at, end] = [node.getStart(source), node.end];
  if (ts.isBinaryExpression(node)) return ofOperator(node, source);
  if (ts.isPrefixUnaryExpression(node)) return ofPrefix(node, at);
  if (ts.isPostfixUnaryExpression(node)) return [{ kind: 'arithmetic', at: node.operand.end, end, to: node.operator === ts.SyntaxKind.PlusPlusToken ? '--' : '++' }];
  if (ts.isArrayLiteralExpression(node)) return ofList(node, at);
  if (ts.isObjectLiteralExpression(node)) return node.properties.length === 0 ? [] : [{ kind: 'object', at, end, to: '{}' }];
  if (ts.isBlock(node)) return node.statements.length === 0 ? [] : [{ kind: 'block', at, end, to: '{}' }];
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return [{ kind: 'function', at: node.body.getStart(source), end: node.body.end, to: 'undefined' }];
  if (ts.isCallExpression(node)) return ofMethod(node);
  if (node.kind === ts.SyntaxKind.QuestionDotToken) return [{ kind: 'optional', at, end, to: ts.isPropertyAccessExpression(node.parent) ? '.' : '' }];
  if (ts.isRegularExpressionLiteral(node)) return regexes(node.text).map(to => ({ kind: 'pattern', at, end, to }));
  return [];
}

function ofOperator(node: ts.BinaryExpression, source: ts.SourceFile): Edit[] {
  const written = node.operatorToken.getText(source);
  const tables: readonly [string, Readonly<Record<string, readonly string[]>>][] = [['comparison', COMPARED], ['logic', JOINED], ['arithmetic', isOfText(node) ? {} : CALCULATED]];
  return tables.flatMap(([kind, table]) => (table[written] ?? []).map(to => ({ kind, at: node.operatorToken.getStart(source), end: node.operatorToken.end, to })));
}

const isOfText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || (ts.isBinaryExpression(node) && (isOfText(node.left) || isOfText(node.right)));

function ofPrefix(node: ts.PrefixUnaryExpression, at: number): Edit[] {
  const kinds: Readonly<Record<number, string>> = { [ts.SyntaxKind.ExclamationToken]: '', [ts.SyntaxKind.MinusToken]: '+', [ts.SyntaxKind.PlusPlusToken]: '--', [ts.SyntaxKind.MinusMinusToken]: '++' };
  const to = kinds[node.operator];
  return to === undefined ? [] : [{ kind: to === '' ? 'boolean' : 'arithmetic', at, end: node.operand.getStart(), to }];
}

function ofList(node: ts.ArrayLiteralExpression, at: number): Edit[] {
  if (node.elements.length === 0) return [{ kind: 'list', at, end: node.end, to: '[\'changed\']' }];
  const words = node.elements.every(ts.isStringLiteral) && node.elements.length > 1
    ? node.elements.map((word, i): Edit => ({ kind: 'word', at: i === 0 ? word.getStart() : node.elements[i - 1]!.end, end: i === 0 ? node.elements[1]!.getStart() : word.end, to: '' })) : [];
  return [{ kind: 'list', at, end: node.end, to: '[]' }, ...words];
}

function ofMethod(node: ts.CallExpression): Edit[] {
  const called = node.expression;
  if (!ts.isPropertyAccessExpression(called) || !Object.hasOwn(METHODS, called.name.text)) return [];
  const other = METHODS[called.name.text]!;
  return other === null ? [{ kind: 'method', at: called.expression.end, end: node.end, to: '' }] : [{ kind: 'method', at: called.name.getStart(), end: called.name.end, to: other }];
}
