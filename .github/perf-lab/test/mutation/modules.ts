import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInThisContext } from 'node:vm';
import ts from 'typescript';
import { watch } from './cases.ts';
import { hasBody } from './changes.ts';
import { closureOf, Mentions } from './mentions.ts';

type Exports = Record<string, unknown>;
/** One file in place of itself. */
export interface Mutant { readonly path: string; readonly code: Compiled }

type Compiled = (exports: Exports, require: (name: string) => Exports, url: string, hit: (owner: number) => void, tick: () => void) => void;

/** Src and tests as they are, compiled once; each mutant then costs one file and the running of the modules. Not vitest's own modules: those can't be loaded anew without a new worker. */
export class Modules {
  readonly root: string;
  readonly texts = new Map<string, string>();
  /** Per file: its imports of files. */
  readonly imports = new Map<string, readonly string[]>();
  private readonly compiled = new Map<string, Compiled>();
  private readonly packages = new Map<string, Exports>();
  private readonly mentions = new Map<string, Mentions>();
  /** Called when a function of a file begins, in a load that counts. */
  onHit: ((path: string, owner: number) => void) | null = null;

  private constructor(root: string) { this.root = root; }

  static async read(root: string): Promise<Modules> {
    const modules = new Modules(root);
    const names = new Set<string>();
    for (const path of [...modules.below('src'), ...modules.below('test')]) {
      if (path.startsWith('test/mutation/')) continue;
      const text = readFileSync(join(root, path), 'utf8');
      modules.compiled.set(path, compile(path, text, path.startsWith('src/')));
      const imported = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
      modules.texts.set(path, text);
      modules.mentions.set(path, new Mentions(path, text));
      modules.imports.set(path, imported.filter(name => name.startsWith('.')).map(name => join(dirname(path), name)));
      for (const name of imported) if (!name.startsWith('.')) names.add(name);
    }
    for (const name of names) if (name !== 'vitest') modules.packages.set(name, { __esModule: true, ...await import(name) as Exports });
    return modules;
  }

  /** A file and all that it imports, at whatever distance. */
  closure(path: string): ReadonlySet<string> { return closureOf([path], one => this.imports.get(one) ?? []); }

  /** What a test says by name, `path #name`: what its own files import, and what is mentioned by the functions that it reaches, as `path number`. */
  named(test: string, reached: Iterable<string>): ReadonlySet<string> {
    const own = [...this.closure(test)].filter(path => path.startsWith('test/')).flatMap(path => [...this.mentions.get(path)!.imported]);
    const said = (key: string): Iterable<string> => {
      const [path, speaker] = key.split(' ') as [string, string];
      const by = this.mentions.get(path)?.by ?? new Map<string, Set<string>>();
      return speaker === '*' ? [...by.keys()].filter(one => one.startsWith('#')).map(one => `${path} ${one}`) : by.get(speaker) ?? [];
    };
    return closureOf([...own, ...[...reached].flatMap(key => [...said(key)])], said);
  }

  /** TypeScript files below a folder, by their path from the root. */
  below(folder: string): string[] {
    return readdirSync(join(this.root, folder), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts')).map(name => `${folder}/${name}`).sort();
  }

  private last = { isOver: false };

  /** Null: this text is no program. */
  mutant(path: string, text: string): Mutant | null {
    try {
      return { path, code: compile(path, text, false) };
    } catch {
      return null;
    }
  }

  /** All modules anew, with one file changed, and an end to the loops of those before; `vitest` is what tests get in place of the real one. */
  fresh(vitest: Exports, changed?: Mutant): (path: string) => Exports {
    const loaded = new Map<string, Exports>(), own = { isOver: false };
    this.last.isOver = true;    // a test that ran out of time may have left a loop behind
    this.last = own;
    const load = (path: string): Exports => {
      const known = loaded.get(path);
      if (known !== undefined) return known;
      const exports: Exports = {};
      loaded.set(path, exports);
      const code = path === changed?.path ? changed.code : this.compiled.get(path);
      if (code === undefined) throw new Error(`${path} is imported and is not there`);
      let ticks = 0;
      code(exports, name => {
        if (name === 'vitest') return vitest;
        return name.startsWith('.') ? load(join(dirname(path), name)) : this.packages.get(name)!;
      }, pathToFileURL(resolve(this.root, path)).href, owner => { this.onHit?.(path, owner); }, () => { if (own.isOver || ((++ticks & 0x3ff) === 0 && watch.isOver())) throw new Error('a loop without an end'); });
      return exports;
    };
    return load;
  }
}

function compile(path: string, text: string, counts: boolean): Compiled {
  const { outputText } = ts.transpileModule(instrumented(text, counts), {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.CommonJS, esModuleInterop: true, removeComments: false },
  });
  return runInThisContext(`(function (exports, require, __url, __hit, __tick) {${outputText.replaceAll('import.meta.url', '__url')}\n})`, { filename: path }) as Compiled;
}

/** Every loop asks whether it goes on for too long, and every function, where that is asked for, says that it began. */
function instrumented(text: string, counts: boolean): string {
  const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true);
  const put: [at: number, what: string][] = [];
  let functions = 0;
  const around = (node: ts.Node, before: string, after: string): void => { put.push([node.getStart(source), before], [node.end, after]); };
  const visit = (node: ts.Node): void => {
    if (hasBody(node)) {
      const own = functions++;
      if (counts && ts.isBlock(node.body)) put.push([node.body.getStart(source) + 1, `__hit(${own});`]);
      else if (counts) around(node.body, `(__hit(${own}),(`, '))');
    } else if (ts.isWhileStatement(node) || ts.isDoStatement(node)) around(node.expression, '(__tick(),(', '))');
    else if (ts.isForStatement(node)) {
      if (node.condition !== undefined) around(node.condition, '(__tick(),(', '))');
      else put.push([text.indexOf(';', node.initializer?.end ?? node.getStart(source)) + 1, '(__tick(),true)']);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  let made = text;
  for (const [at, what] of put.map((one, i) => [...one, i] as const).sort((a, b) => b[0] - a[0] || b[2] - a[2])) made = made.slice(0, at) + what + made.slice(at);
  return made;
}
