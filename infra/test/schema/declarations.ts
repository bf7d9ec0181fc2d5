import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const resolve = createRequire(__filename).resolve;
const cache = new Map<string, Declarations>();

/** What a provider's npm package declares: the inputs of its resources, the objects inside of them, the values of its enums. */
export class Declarations {
  readonly version: string;
  private readonly root: string;
  private readonly objects = new Map<string, ts.InterfaceDeclaration>();
  private readonly enums = new Map<string, readonly string[]>();

  private constructor(pack: string) {
    const manifest = resolve(`@pulumi/${pack}/package.json`);
    this.root = dirname(manifest);
    this.version = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
    this.read('types/input.d.ts', [], this.objects);
  }

  static of(pack: string): Declarations {
    const found = cache.get(pack) ?? new Declarations(pack);
    cache.set(pack, found);
    return found;
  }

  /** The inputs of a resource such as `compute`, `VirtualMachine`. */
  inputsOf(module: string, name: string): ts.InterfaceDeclaration | undefined {
    const found = new Map<string, ts.InterfaceDeclaration>(), file = `${name.charAt(0).toLowerCase()}${name.slice(1)}.d.ts`;
    this.read(join(module, file), [], found);
    if (found.size === 0) this.read(file, [], found);
    return found.get(`${name}Args`);
  }

  /** An object inside of inputs, by its name below `inputs.`. */
  object(name: string): ts.InterfaceDeclaration | undefined { return this.objects.get(name); }

  /** The texts that an enum allows, by its name below `enums.`; nothing when it is not one of texts. */
  enum(name: string): readonly string[] | undefined {
    const [module = '', ...rest] = name.split('.');
    if (!this.enums.has(name)) this.read(rest.length > 0 ? join('types/enums', module, 'index.d.ts') : 'types/enums/index.d.ts', rest.length > 0 ? [module] : [], new Map());
    return this.enums.get(name);
  }

  private read(file: string, namespace: readonly string[], into: Map<string, ts.InterfaceDeclaration>): void {
    const path = join(this.root, file);
    if (existsSync(path)) this.visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true), namespace, into);
  }

  private visit(node: ts.Node, namespace: readonly string[], into: Map<string, ts.InterfaceDeclaration>): void {
    ts.forEachChild(node, child => {
      if (ts.isModuleDeclaration(child) && child.body) this.visit(child.body, [...namespace, child.name.text], into);
      else if (ts.isInterfaceDeclaration(child)) into.set([...namespace, child.name.text].join('.'), child);
      else if (ts.isVariableStatement(child)) child.declarationList.declarations.forEach(one => { this.readEnum(one, namespace); });
    });
  }

  // An enum is a constant of literals: export declare const Access: { readonly Allow: "Allow"; … }
  private readEnum({ name, type }: ts.VariableDeclaration, namespace: readonly string[]): void {
    if (!type || !ts.isTypeLiteralNode(type) || !ts.isIdentifier(name)) return;
    const values = type.members.flatMap(member => ts.isPropertySignature(member) && member.type && ts.isLiteralTypeNode(member.type) && ts.isStringLiteral(member.type.literal) ? [member.type.literal.text] : []);
    if (values.length > 0) this.enums.set([...namespace, name.text].join('.'), values);
  }
}
