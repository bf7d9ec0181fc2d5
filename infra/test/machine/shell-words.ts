/** What a bash script calls, by reading it: names in the places where bash looks for a command. Only as much of bash as this repository writes. */
export interface Calls {
  readonly commands: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
}

/** After these comes a command. */
const OPENERS = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!', '{', 'time', 'exec', 'sudo']);

export function callsOf(script: string): Calls {
  const commands = new Set<string>(), functions = new Set([...script.matchAll(/^\s*([\w-]+)\(\)\s*\{/gm)].map(([, name]) => name!));
  new Reader(script.replace(/<<'?(\w+)'?\n[\s\S]*?\n\1$/gm, ''), commands).list('');
  return { commands: new Set([...commands].filter(name => !functions.has(name))), functions };
}

class Reader {
  #at = 0;
  constructor(private readonly text: string, private readonly commands: Set<string>) {}

  /** Commands until `end`, which is one character or the end of the text. */
  list(end: string): void {
    let wanted = true, pattern = false;
    const cases: boolean[] = [];
    while (this.#at < this.text.length) {
      const rest = this.text.slice(this.#at), here = rest[0]!;
      if (here === end && !pattern) { this.#at++; return; }
      if (pattern) {    // of a case, up to its bracket
        if (/^\s*esac\b/.test(rest)) { pattern = false; this.#skip(/^\s*/); continue; }
        this.#skip(/^\s*(#[^\n]*\s*)*\(?/);
        this.#until(')');
        pattern = false; wanted = true;
      } else if (/^[ \t]|^\\\n/.test(rest)) this.#skip(/^[ \t]+|^\\\n/);
      else if (here === '#') this.#skip(/^[^\n]*/);
      else if (rest.startsWith(';;')) { this.#at += 2; pattern = true; }
      else if (wanted && rest.startsWith('((')) { this.#until('))'); wanted = false; }
      else if (/^[;\n&|(]/.test(rest)) { this.#at++; if (here === '(') this.list(')'); wanted = here !== '('; }
      else if (here === '}' || here === ')') { this.#at++; wanted = false; }
      else if (wanted && rest.startsWith('[[ ')) { this.#until(' ]]'); wanted = false; }
      else if (/^\d*[<>]/.test(rest) && !/^<\(|^>\(/.test(rest)) { this.#skip(/^\d*(<<<|>>|<>|>&|<&|>|<)\s*/); this.#word(); }
      else {
        const word = this.#word();
        if (!wanted) { if (cases.at(-1) === false && word === 'in') { cases[cases.length - 1] = true; pattern = true; } continue; }
        if (word.endsWith('()')) continue;    // a function, whose body is commands
        if (word === 'case') { cases.push(false); wanted = false; }
        else if (word === 'esac') { cases.pop(); wanted = false; }
        else if (word === 'for') { this.#skip(/^\s*\(\([^)]*\)\)|^[^;\n]*/); wanted = false; }
        else if (/^[A-Za-z_]\w*(\[[^\]]*\])?\+?=/.test(word)) continue;    // an assignment
        else if (!OPENERS.has(word)) {
          wanted = false;
          if (/^[\w./-]+$/.test(word) && word !== '') this.commands.add(word);
        }
      }
    }
  }

  #skip(what: RegExp): void { this.#at += what.exec(this.text.slice(this.#at))?.[0].length ?? 0; }

  /** Up to a mark, reading what is substituted on the way. */
  #until(mark: string): void {
    while (!this.text.startsWith(mark, this.#at)) this.#piece();
    this.#at += mark.length;
  }

  #word(): string {
    const from = this.#at;
    while (this.#at < this.text.length && !/[\s;&|()<>]/.test(this.text[this.#at]!)) this.#piece();
    // An array, a function's brackets, a substitution of a process.
    if (this.text[this.#at] === '(' && this.text[this.#at - 1] === '=') { this.#at++; this.#until(')'); }
    else if (this.text.startsWith('()', this.#at)) this.#at += 2;
    else if (this.#at === from) { if (/[<>]/.test(this.text[from]!) && this.text[from + 1] === '(') { this.#at += 2; this.list(')'); } else this.#at++; }
    return this.text.slice(from, this.#at);
  }

  /** In double quotes a single one is a letter, and only expansions are read. */
  #quoted(): void {
    for (this.#at++; this.text[this.#at] !== '"';) {
      if (this.text[this.#at] === '$' || this.text[this.#at] === '\\') this.#piece();
      else if (this.#at++ >= this.text.length) throw new Error('a quote that does not end');
    }
    this.#at++;
  }

  /** One character, or what belongs together: a quoted text, an expansion. */
  #piece(): void {
    if (this.#at >= this.text.length) throw new Error('the script ends within a quote or a bracket');
    const rest = this.text.slice(this.#at);
    if (rest[0] === '\\') this.#at += 2;
    else if (rest[0] === '\'') {
      const end = rest.indexOf('\'', 1);
      if (end < 0) throw new Error(`a quote that does not end: ${rest.slice(0, 60)}`);
      this.#at += end + 1;
    }
    else if (rest[0] === '"') this.#quoted();
    else if (rest.startsWith('$((')) { this.#at += 3; this.#until('))'); }
    else if (rest.startsWith('$(')) { this.#at += 2; this.list(')'); }
    else if (rest.startsWith('${')) { this.#at += 2; this.#until('}'); }
    else this.#at++;
  }
}
