import { attributesOf, called, literalsOf, type Attribute } from './attributes.ts';
import { MOST_DEPTH, tokensOf, tooDeep, Unreadable, type Token } from './tokens.ts';

export interface Read {
  /** As BenchmarkDotNet calls them: Namespace.Type.Method(parameter: value). */
  readonly names: readonly string[];
  /** What is not taken, a sentence each. */
  readonly problems: readonly string[];
}

/** More rows than that nobody reads in a comment. */
export const MOST_BENCHMARKS = 50;
/** As in request.json: what a name may hold, so that it can be a variable of a launch and a cell of a table. */
export const NAME = /^[A-Za-z0-9_.+(): ,"-]{1,200}$/;

/**
 * The benchmarks of a snippet, read and not run: the plan is made before anything is built, in a job that sees no foreign code. What only a running program
 * knows (sources of parameters, inherited benchmarks, conditional code) is a problem and no guess.
 */
export function benchmarksOf(source: string): Read {
  try {
    const tokens = tokensOf(source), reading = new Reading(tokens);
    reading.members('', [], false);
    const { names, problems } = reading, all = [...tokens.flatMap(notTaken), ...problems];
    if (all.length > 0) return { names, problems: [...new Set(all)] };
    if (names.length === 0) return { names, problems: ['it has no method with `[Benchmark]`. Where it is only an example, begin it with ```text'] };
    if (new Set(names).size < names.length) return { names, problems: ['two of its benchmarks have one name'] };
    if (names.length > MOST_BENCHMARKS) return { names, problems: [`it holds ${names.length} benchmarks; ${MOST_BENCHMARKS} are the most`] };
    return { names, problems: names.every(name => NAME.test(name)) ? [] : ['names of benchmarks and their values have letters, digits and signs of plain ASCII here, and at most 200 of them'] };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { names: [], problems: [error.message] };
  }
}

function notTaken({ kind, text, line }: Token): string[] {
  if (kind === 'word' && /^ModuleInitializer(Attribute)?$/.test(text)) return [`line ${line}: a \`ModuleInitializer\` runs before anything is measured. Use \`[GlobalSetup]\``];
  if (kind !== 'directive' || /^# *(region|endregion|pragma|nullable)\b/.test(text)) return [];
  const name = /^#[ :!]*[a-z]*/i.exec(text)![0];
  return [/^#([:!]|r\b|load\b)/.test(text) ? `line ${line}: \`${name}\` belongs to scripts. The snippet has the packages of the project in whose place it stands` : `line ${line}: \`${name}\` is not taken here, because what it leaves is only known when it is compiled`];
}

interface Type { readonly name: string; readonly params: Params[]; readonly methods: { readonly name: string; readonly cases: readonly string[] }[] }
interface Params { readonly name: string; readonly values: readonly string[] }

const TYPES = ['class', 'struct', 'record', 'interface', 'enum'];
const CLOSES: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

class Reading {
  readonly names: string[] = [];
  readonly problems: string[] = [];
  private readonly holding = new Set<string>();
  private at = 0;
  private depth = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens.filter(({ kind }) => kind !== 'directive');
  }

  private readonly tokens: readonly Token[];

  /** Declarations up to the end of this body. `types`: those around it, the outermost first. `isOpen`: a brace ends it, and not the end of the text. */
  members(namespace: string, types: readonly Type[], isOpen: boolean): void {
    this.deeper(1);
    for (;;) {
      const head = this.head(), end = this.tokens[this.at++];
      if (end === undefined || end.text === '}') {
        if (head.words.length > 0) throw new Unreadable('its last declaration has no end');
        if ((end === undefined) === isOpen) throw new Unreadable(isOpen ? 'a closing brace is missing at its end' : `line ${end!.line} closes what was not opened`);
        this.deeper(-1);
        return;
      }
      const keyword = typeKeyword(head.words);
      if (head.words[0]?.text === 'namespace') {
        const inner = `${namespace}${head.words.slice(1).map(({ text }) => text).join('')}.`;
        if (end.text === '{') this.members(inner, types, true);
        else namespace = inner;
      } else if (keyword !== null) {
        this.type(namespace, types, head, keyword, end);
      } else {
        if (types.length > 0) this.member(types.at(-1)!, head);
        else if (!/^(using|extern|global|public|internal|file|delegate)$/.test(head.words[0]?.text ?? 'using')) this.problems.push(`line ${head.words[0]!.line}: a statement outside of a class. The benchmarks are run by perf-lab: leave out what starts them`);
        this.rest(end);
      }
    }
  }

  private type(namespace: string, types: readonly Type[], head: Head, keyword: number, end: Token): void {
    const { words } = head, at = words.findIndex(({ text }, i) => i > keyword && !TYPES.includes(text)), name = words[at]?.text ?? '';
    const type: Type = { name, params: [], methods: [] };
    if (words[keyword]!.text === 'enum') {
      this.rest(end);
      return;
    }
    const colon = words.findIndex(({ text }) => text === ':'), inherited = colon < 0 ? undefined : words.slice(colon).find(({ text }) => this.holding.has(text));
    if (inherited !== undefined) this.problems.push(`\`${name}\` inherits benchmarks from \`${inherited.text}\`. Write them where they are measured`);
    if (end.text === '{') this.members(namespace, [...types, type], true);
    if (type.methods.length === 0) return;
    if (words[at + 1]?.text === '<') this.problems.push(`\`${name}\` is generic. Benchmarks of a snippet stand in plain classes`);
    this.holding.add(name);
    if (words.some(({ text }) => text === 'abstract')) return;
    if (type.params.length > 1) this.problems.push(`\`${name}\` has ${type.params.length} members with \`[Params]\`; one is taken here`);
    const [params] = type.params, full = `${namespace}${[...types, type].map(one => one.name).join('+')}`;
    for (const { name: method, cases } of type.methods) {
      for (const value of params?.values ?? ['']) {
        for (const one of cases) this.names.push(`${full}.${method}${[one, ...(params === undefined ? [] : [`${params.name}: ${value}`])].filter(Boolean).join(', ').replace(/^.+$/, '($&)')}`);
      }
    }
  }

  private member(type: Type, { words, attributes, groups }: Head): void {
    const benchmark = attributes.find(one => called(one, 'Benchmark')), params = attributes.find(one => called(one, 'Params'));
    const unknown = attributes.find(one => ['ParamsSource', 'ParamsAllValues', 'ArgumentsSource'].some(name => called(one, name)));
    if (unknown !== undefined) this.problems.push(`line ${unknown.line}: \`[${unknown.name}]\` is not taken here, because its values are only known when it runs. Write them into \`[Params]\` or \`[Arguments]\``);
    if (params !== undefined) type.params.push({ name: lastWord(words), values: this.literals(params) });
    if (benchmark === undefined) return;
    const cut = words.findIndex(({ text }) => text === 'where'), signature = cut < 0 ? words : words.slice(0, cut);
    const brackets = signature.findLastIndex(({ text }) => text === '('), before = signature[brackets - 1];
    if (brackets < 1 || before?.kind !== 'word') {
      this.problems.push(`line ${benchmark.line}: \`[Benchmark]\` stands at no method that can be measured`);
      return;
    }
    const parameters = parametersOf(groups.get(signature[brackets]!)!), given = attributes.filter(one => called(one, 'Arguments'));
    if (given.length === 0 && parameters.length > 0 && unknown === undefined) this.problems.push(`line ${benchmark.line}: \`${before.text}\` takes arguments, and no \`[Arguments]\` gives them`);
    const cases = given.map(one => {
      const values = this.literals(one);
      if (values.length !== parameters.length) this.problems.push(`line ${one.line}: \`[Arguments]\` gives ${values.length}, and \`${before.text}\` takes ${parameters.length}`);
      return parameters.map((name, i) => `${name}: ${values[i]}`).join(', ');
    });
    type.methods.push({ name: before.text, cases: cases.length === 0 ? [''] : cases });
  }

  private literals(attribute: Attribute): readonly string[] {
    const values = literalsOf(attribute);
    if (values === null) this.problems.push(`line ${attribute.line}: \`[${attribute.name}]\` takes whole numbers, true, false and plain texts here`);
    return values ?? [];
  }

  /** What stands before the body or the end of a declaration, with its attributes apart and what is in brackets left out. */
  private head(): Head {
    const words: Token[] = [], attributes: Attribute[] = [], groups = new Map<Token, readonly Token[]>();
    for (; this.at < this.tokens.length; this.at++) {
      const token = this.tokens[this.at]!;
      if (token.kind === 'sign' && ['{', '}', ';', '='].includes(token.text) && !(token.text === '=' && isOperator(words))) break;
      if (token.text === ')' || token.text === ']') throw new Unreadable(`line ${token.line} closes what was not opened`);
      if (token.kind === 'sign' && (token.text === '(' || token.text === '[')) {
        const inside = this.group();
        if (token.text === '[' && words.length === 0) attributes.push(...attributesOf(inside));
        else if (token.text === '(') {
          words.push(token);
          groups.set(token, inside);
        }
        continue;
      }
      words.push(token);
    }
    return { words, attributes, groups };
  }

  /** What is between the bracket here and its end, on which this stops. */
  private group(): readonly Token[] {
    const open = this.tokens[this.at]!, close = CLOSES[open.text]!, from = this.at + 1;
    this.deeper(1);
    for (this.at++; this.at < this.tokens.length; this.at++) {
      const { kind, text, line } = this.tokens[this.at]!;
      if (kind !== 'sign') continue;
      if (text === close) {
        this.deeper(-1);
        return this.tokens.slice(from, this.at);
      }
      if (text in CLOSES) this.group();
      else if (Object.values(CLOSES).includes(text)) throw new Unreadable(`line ${line} closes what was not opened`);
    }
    throw new Unreadable(`a bracket that opens in line ${open.line} has no end`);
  }

  private deeper(levels: number): void {
    this.depth += levels;
    if (this.depth > MOST_DEPTH) throw tooDeep(this.tokens[this.at]?.line ?? 1);
  }

  /** After a head: a body in braces is skipped; after `=` and `=>` everything up to the semicolon. */
  private rest(end: Token): void {
    if (end.text === '{') {
      this.at--;
      this.group();
      this.at++;
      if (this.tokens[this.at]?.text !== '=') return;    // { get; } = value;
    }
    if (end.text === ';') return;
    for (; this.at < this.tokens.length; this.at++) {
      const { kind, text, line } = this.tokens[this.at]!;
      if (kind !== 'sign') continue;
      if (text === ';') {
        this.at++;
        return;
      }
      if (text in CLOSES) this.group();
      else if (Object.values(CLOSES).includes(text)) throw new Unreadable(`line ${line} closes what was not opened`);
    }
    throw new Unreadable(`a declaration that goes on in line ${end.line} has no end`);
  }
}

interface Head { readonly words: readonly Token[]; readonly attributes: readonly Attribute[]; readonly groups: ReadonlyMap<Token, readonly Token[]> }

/** Where the word is that makes a type of it; null: it is none. `where T : class` is none. */
function typeKeyword(words: readonly Token[]): number | null {
  const at = words.findIndex(({ kind, text }, i) => kind === 'word' && TYPES.includes(text) && ![':', ','].includes(words[i - 1]?.text ?? '') && words[i + 1]?.kind === 'word');
  const isMember = words.slice(0, Math.max(0, at)).some(({ text }) => text === '(');
  return at < 0 || isMember ? null : at;
}

/** `operator ==`: these are no beginning of a value. */
const isOperator = (words: readonly Token[]): boolean => words.some(({ text }) => text === 'operator') && !words.some(({ text }) => text === '(');

const lastWord = (words: readonly Token[]): string => words.findLast(({ kind }) => kind === 'word')?.text ?? '';

/** Names of a method's parameters: the last word of each, before a default. */
function parametersOf(tokens: readonly Token[]): string[] {
  const parameters: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (['<', '[', '(', '{'].includes(token.text)) depth++;
    else if (['>', ']', ')', '}'].includes(token.text)) depth--;
    if (token.text === ',' && depth === 0) parameters.push([]);
    else parameters.at(-1)!.push(token);
  }
  return parameters.filter(one => one.length > 0).map(one => {
    const end = one.findIndex(({ text }) => text === '=');
    return lastWord(end < 0 ? one : one.slice(0, end));
  });
}
