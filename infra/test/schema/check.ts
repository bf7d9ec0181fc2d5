import ts from 'typescript';
import type { Registration } from '../runtime/recorded';
import { isObject, isUnknown, plain, type Value } from '../runtime/values';
import { Declarations } from './declarations';

/** Lists of values that the provider declares too short, with the reason. */
const OPEN: Readonly<Record<string, string>> = {
  'enums.compute.VirtualMachineSizeTypes': 'Azure\'s own list of sizes ends before the fifth generation',
};

/** What is wrong with the inputs of these resources by the providers' own declarations: what the compiler can't see in texts and behind spreads. */
export function check(registrations: readonly Registration[]): string[] {
  return registrations.filter(one => one.custom && !one.type.startsWith('pulumi:')).flatMap(one => {
    const [pack = '', path = '', name = ''] = one.type.split(':'), module = path.split('/')[0] ?? '';
    const declarations = Declarations.of(pack), inputs = declarations.inputsOf(module, name), at = `${name} ${one.name}`;
    if (!inputs) return [`${at}: there is no ${one.type} in @pulumi/${pack} ${declarations.version}`];
    const checker = new Checker(declarations);
    checker.members(inputs, plain(one.inputs), at);
    const paths = [...one.ignoreChanges, ...one.replaceOnChanges].filter(option => !checker.hasPath(inputs, segments(option))).map(option => `${at}: option for ${option}: no such property`);
    return [...(one.version === declarations.version ? [] : [`${at}: version "${one.version}" is not ${declarations.version}`]), ...checker.problems, ...paths];
  });
}

/** `a.b["c.d"][*]` in parts; indices and stars are left out. */
const segments = (path: string): string[] => [...path.matchAll(/\["([^"]*)"\]|\[[^\]]*\]|[^.[\]]+/g)].flatMap(([whole, quoted]) => quoted !== undefined ? [quoted] : whole.startsWith('[') ? [] : [whole]);

class Checker {
  problems: string[] = [];
  constructor(private readonly declarations: Declarations) {}

  members(type: ts.InterfaceDeclaration, value: Value, at: string): void {
    if (!isObject(value)) { this.problems.push(`${at}: ${shown(value)} is not an object`); return; }
    const known = new Map(type.members.filter(ts.isPropertySignature).map(member => [member.name.getText().replace(/^["']|["']$/g, ''), member]));
    for (const [key, inner] of Object.entries(value)) {
      const member = known.get(key);
      if (!member) this.problems.push(`${at}.${key}: unknown`);
      else if (member.type) this.value(member.type, inner, `${at}.${key}`);
    }
    for (const [key, member] of known) if (!member.questionToken && value[key] === undefined) this.problems.push(`${at}.${key}: missing`);
  }

  hasPath(type: ts.InterfaceDeclaration, [first, ...rest]: readonly string[]): boolean {
    const member = type.members.filter(ts.isPropertySignature).find(one => one.name.getText() === first);
    if (!member?.type || rest.length === 0) return member !== undefined;
    const object = /\binputs\.([\w.]+)/.exec(member.type.getText())?.[1], inner = object ? this.declarations.object(object) : undefined;
    return inner ? this.hasPath(inner, rest) : /\{\s*\[/.test(member.type.getText());
  }

  private value(type: ts.TypeNode, value: Value, at: string): void {
    if (isUnknown(value)) return;
    if (ts.isParenthesizedTypeNode(type)) this.value(type.type, value, at);
    else if (ts.isUnionTypeNode(type)) this.union(type, value, at);
    else if (ts.isArrayTypeNode(type)) this.array(type.elementType, value, at);
    else if (ts.isTypeLiteralNode(type)) this.map(type, value, at);
    else if (ts.isTypeReferenceNode(type)) this.reference(type, value, at);
    else this.keyword(type, value, at);
  }

  /** `string | enums.X` means one of X: the text is there for values that are younger than the declaration. */
  private union(type: ts.UnionTypeNode, value: Value, at: string): void {
    const parts = type.types.filter(part => part.kind !== ts.SyntaxKind.UndefinedKeyword), listed = parts.find(part => /^enums\./.test(part.getText()));
    if (listed) { this.value(listed, value, at); return; }
    const tries = parts.map(part => this.aside(() => { this.value(part, value, at); }));
    if (tries.every(found => found.length > 0)) this.problems.push(...(tries.sort((a, b) => a.length - b.length)[0] ?? []));
  }

  private array(element: ts.TypeNode, value: Value, at: string): void {
    if (Array.isArray(value)) value.forEach((inner, i) => { this.value(element, inner, `${at}[${i}]`); });
    else this.problems.push(`${at}: ${shown(value)} is not a list`);
  }

  private map(type: ts.TypeLiteralNode, value: Value, at: string): void {
    const index = type.members.find(ts.isIndexSignatureDeclaration);
    if (!isObject(value)) this.problems.push(`${at}: ${shown(value)} is not a map`);
    else if (index) for (const [key, inner] of Object.entries(value)) this.value(index.type, inner, `${at}.${key}`);
  }

  private reference(type: ts.TypeReferenceNode, value: Value, at: string): void {
    const name = type.typeName.getText();
    if (/(^|\.)Input$/.test(name) && type.typeArguments?.[0]) { this.value(type.typeArguments[0], value, at); return; }
    if (name.startsWith('inputs.')) {
      const object = this.declarations.object(name.slice('inputs.'.length));
      if (object) this.members(object, value, at); else this.problems.push(`${at}: ${name} is not declared`);
    } else if (name.startsWith('enums.') && !(name in OPEN)) {
      const allowed = this.declarations.enum(name.slice('enums.'.length));
      if (!allowed) this.problems.push(`${at}: ${name} is not declared`);
      else if (!allowed.includes(String(value))) this.problems.push(`${at}: ${shown(value)} is not one of ${allowed.join(', ')}`);
    }
  }

  private keyword(type: ts.TypeNode, value: Value, at: string): void {
    const wanted = KEYWORDS[type.kind];
    if (wanted && typeof value !== wanted) this.problems.push(`${at}: ${shown(value)} is not a ${wanted}`);
  }

  private aside(work: () => void): string[] {
    const before = this.problems, found: string[] = [];
    this.problems = found;
    work();
    this.problems = before;
    return found;
  }
}

const KEYWORDS: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.StringKeyword]: 'string', [ts.SyntaxKind.NumberKeyword]: 'number', [ts.SyntaxKind.BooleanKeyword]: 'boolean',
};
const shown = (value: Value): string => JSON.stringify(value)?.slice(0, 60) ?? String(value);

