/** A piece of C#. Comments and blanks are none. */
export interface Token {
  readonly kind: 'word' | 'sign' | 'text' | 'number' | 'directive';
  /** As written; a word without its `@`. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** What can't be read as C#, in a sentence. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}

/** Brackets in brackets, types in types, texts in texts: who writes more than that tries how deep a stack is. */
export const MOST_DEPTH = 100;
export const tooDeep = (line: number): Unreadable => new Unreadable(`line ${line} lies deeper in brackets than ${MOST_DEPTH} levels`);

const BLANK = /(?:\s+|\/\/[^\n]*)+/y, WORD = /@?[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}]*/uy, NUMBER = /[0-9][0-9A-Za-z_]*(?:\.[0-9][0-9A-Za-z_]*)?/y;
const CHARACTER = /'(?:\\[^\n]|[^'\\\n])[^'\n]*'/y, PLAIN = /"(?:[^"\\\n]|\\[^\n])*"/y, VERBATIM = /@"(?:[^"]|"")*"/y, OPENS = /\$+@?"+|@\$"|"{3,}/y;

/**
 * C# in pieces: enough to tell code from comments and texts, and where brackets begin and end. The compiler reads the rest. Each step takes at least a
 * character and looks back at none, so the time is linear.
 */
export function tokensOf(source: string): Token[] {
  const scanner = new Scanner(source), tokens: Token[] = [];
  for (let token = scanner.next(); token !== null; token = scanner.next()) tokens.push(token);
  return tokens;
}

class Scanner {
  private at = 0;
  private line = 1;

  private depth = 0;
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  next(): Token | null {
    this.skipBlanks();
    if (this.at >= this.source.length) return null;
    const character = this.source[this.at]!;
    if (character === '#' && this.source.slice(this.source.lastIndexOf('\n', this.at) + 1, this.at).trim() === '') return this.take('directive', this.endOfLine());
    const text = this.match(VERBATIM) ?? this.opened() ?? this.match(PLAIN) ?? this.match(CHARACTER);
    if (text !== null) return this.take('text', this.at + text.length);
    if (character === '"' || character === '\'') throw this.endless('a text or a character');
    const word = this.match(WORD);
    if (word !== null) return this.take('word', this.at + word.length);
    const number = this.match(NUMBER);
    if (number !== null) return this.take('number', this.at + number.length);
    if (character === '\\') throw new Unreadable(`line ${this.line} holds a \\ outside of a text`);
    return this.take('sign', this.at + 1);
  }

  private take(kind: Token['kind'], end: number): Token {
    const text = this.source.slice(this.at, end), token = { kind, text: kind === 'word' ? text.replace('@', '') : text, line: this.line };
    this.advance(end);
    return token;
  }

  private skipBlanks(): void {
    for (;;) {
      const blank = this.match(BLANK);
      if (blank !== null) this.advance(this.at + blank.length);
      else if (this.source.startsWith('/*', this.at)) {
        const end = this.source.indexOf('*/', this.at + 2);
        if (end < 0) throw this.endless('a comment');
        this.advance(end + 2);
      } else return;
    }
  }

  /** A text with holes, or a raw one, whose end depends on how it begins; null: neither is here. */
  private opened(): string | null {
    const mark = this.match(OPENS);
    if (mark === null) return null;
    const dollars = mark.split('$').length - 1, isVerbatim = mark.includes('@'), quotes = mark.length - mark.replaceAll('"', '').length;
    const isRaw = !isVerbatim && quotes >= 3;
    if (!isRaw && quotes === 2 && !isVerbatim) return mark;    // $"": empty
    const scan = new Scanner(this.source);
    scan.at = this.at + mark.length - (isRaw ? 0 : quotes - 1);
    scan.line = this.line;
    scan.depth = this.depth + 1;
    if (scan.depth > MOST_DEPTH) throw tooDeep(this.line);
    scan.toEnd({ dollars, isVerbatim, quotes: isRaw ? quotes : 1, isRaw, begun: this.line });
    return this.source.slice(this.at, scan.at);
  }

  private toEnd({ dollars, isVerbatim, quotes, isRaw, begun }: { dollars: number; isVerbatim: boolean; quotes: number; isRaw: boolean; begun: number }): void {
    const end = '"'.repeat(quotes), hole = '{'.repeat(dollars);
    for (;;) {
      const character = this.source[this.at];
      if (character === undefined || (character === '\n' && !isVerbatim && !isRaw)) throw new Unreadable(`a text that begins in line ${begun} has no end`);
      if (isVerbatim && this.source.startsWith('""', this.at)) this.advance(this.at + 2);
      else if (this.source.startsWith(end, this.at)) {
        this.advance(this.at + quotes);
        return;
      } else if (!isRaw && !isVerbatim && character === '\\') this.advance(this.at + 2);
      else if (!isRaw && dollars > 0 && (this.source.startsWith('{{', this.at) || this.source.startsWith('}}', this.at))) this.advance(this.at + 2);
      else if (dollars > 0 && this.source.startsWith(hole, this.at)) this.hole(dollars);
      else this.advance(this.at + 1);
    }
  }

  /** Code in a text, which may hold texts of its own. */
  private hole(dollars: number): void {
    this.advance(this.at + dollars);
    while (this.source[this.at] === '{') this.advance(this.at + 1);
    for (let depth = 1; depth > 0;) {
      const token = this.next();
      if (token === null) throw this.endless('a hole of a text');
      if (token.text === '{') depth++;
      else if (token.text === '}') depth--;
    }
    for (let more = 1; more < dollars && this.source[this.at] === '}'; more++) this.advance(this.at + 1);
  }

  private match(form: RegExp): string | null {
    form.lastIndex = this.at;
    return form.exec(this.source)?.[0] ?? null;
  }

  private advance(to: number): void {
    for (let i = this.at; i < to; i++) if (this.source[i] === '\n') this.line++;
    this.at = to;
  }

  private endOfLine(): number {
    const end = this.source.indexOf('\n', this.at);
    return end < 0 ? this.source.length : end;
  }

  private endless(what: string): Unreadable {
    return new Unreadable(`${what} that begins in line ${this.line} has no end`);
  }
}
