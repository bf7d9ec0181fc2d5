import { dirname, join } from 'node:path';
import ts from 'typescript';
import { hasBody, topOf } from './changes.ts';

/**
 * What the code of a file says by name of what stands at the top of files, its own or those that it imports: `path #name`, or `path *` for all
 * of a file. By the number of the function that says it, or by `#name` of the line at the top that does; a function inside speaks for itself.
 */
export class Mentions {
  readonly by = new Map<string, Set<string>>();
  readonly imported = new Set<string>();
  private readonly known = new Map<string, string>();

  constructor(path: string, text: string) {
    const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true);
    for (const statement of source.statements) {
      if (ts.isImportDeclaration(statement)) this.takeImport(path, statement);
      for (const name of namesOf(statement)) this.known.set(name, `${path} #${name}`);
    }
    let functions = 0;
    const visit = (node: ts.Node, speaker: string | null): void => {
      if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node)) return;
      const top = topOf(node);
      const own = hasBody(node) ? String(functions++) : top === null ? speaker : `#${top}`;
      if (ts.isIdentifier(node) && own !== null && !isMember(node)) this.say(own, node.text);
      ts.forEachChild(node, child => { visit(child, own); });
    };
    visit(source, null);
  }

  private takeImport(path: string, { moduleSpecifier, importClause }: ts.ImportDeclaration): void {
    const from = (moduleSpecifier as ts.StringLiteral).text, names = importClause?.namedBindings;
    if (!from.startsWith('.') || importClause === undefined || importClause.phaseModifier === ts.SyntaxKind.TypeKeyword || names === undefined) return;
    const other = join(dirname(path), from);
    const take = (local: string, key: string): void => { this.known.set(local, key); this.imported.add(key); };
    if (ts.isNamespaceImport(names)) take(names.name.text, `${other} *`);
    else for (const one of names.elements) if (!one.isTypeOnly) take(one.name.text, `${other} #${(one.propertyName ?? one.name).text}`);
  }

  private say(speaker: string, name: string): void {
    const key = this.known.get(name);
    if (key === undefined) return;
    if (!this.by.has(speaker)) this.by.set(speaker, new Set());
    this.by.get(speaker)!.add(key);
  }
}

const namesOf = (statement: ts.Statement): string[] =>
  ts.isVariableStatement(statement) ? statement.declarationList.declarations.flatMap(one => (ts.isIdentifier(one.name) ? [one.name.text] : []))
    : (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name !== undefined ? [statement.name.text] : [];

const isMember = (node: ts.Identifier): boolean =>
  (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) || (ts.isPropertyAssignment(node.parent) && node.parent.name === node);

/** All that is mentioned from here on, at whatever distance. */
export function closureOf(start: Iterable<string>, of: (key: string) => Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>(), left = [...start];
  while (left.length > 0) {
    const key = left.pop()!;
    if (found.has(key)) continue;
    found.add(key);
    left.push(...of(key));
  }
  return found;
}
