/** What is wrong with a file, each problem with its member or place. Its message is one line. */
export class BadFile extends Error {
  override name = 'BadFile';
  readonly problems: readonly string[];

  constructor(file: string, problems: readonly string[]) {
    const more = problems.length > MOST_TOLD ? [`and ${problems.length - MOST_TOLD} more`] : [];
    super(`${file}: ${[...problems.slice(0, MOST_TOLD), ...more].join('; ')}`);
    this.problems = problems;
  }
}

const MOST_TOLD = 20;
export const MAX_DEPTH = 32;
export const HALF_CHARACTER = 'holds half a character (a lone surrogate)';
export const isHalfCharacter = (value: unknown): boolean => typeof value === 'string' && /\p{Surrogate}/u.test(value);

/** JSON from outside: JSON.parse alone takes equal members (the last wins), `__proto__`, any depth, half a character and 1e400. */
export function parseStrict(text: string, file = 'the text'): unknown {
  const value = parse(text, file);
  const problems = new Scan(text).problems();
  if (problems.length > 0) throw new BadFile(file, problems);
  return value;
}

/** Some editors put one in front; our files have none. */
export function refuseMark(text: string, file: string): void {
  if (text.startsWith('\ufeff')) throw new BadFile(file, ['starts with a byte order mark: save it as UTF-8 without one']);
}

function parse(text: string, file: string): unknown {
  refuseMark(text, file);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new BadFile(file, [`not JSON: ${whyNot(text.trimEnd())}`]);
  }
}

function whyNot(text: string): string {
  if (text === '') return 'it is empty';
  const at = firstFault(text);
  return at === null ? 'it ends in the middle' : `the fault is in line ${text.slice(0, at).split('\n').length}`;
}

/** Where the text stops being the beginning of JSON, by halving: JSON.parse says it in some messages only. Null when all of it is one. */
function firstFault(text: string): number | null {
  let [fine, broken] = [0, text.length];
  if (isBeginning(text)) return null;
  while (broken - fine > 1) {
    const middle = (fine + broken) >> 1;
    if (isBeginning(text.slice(0, middle))) fine = middle;
    else broken = middle;
  }
  return fine;
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    return /end of JSON/.test(message) || Number(/position (\d+)/.exec(message)?.[1]) >= text.length;
  }
}

interface Open { readonly members: Set<string> | null; at: string | number }

// The text is valid JSON by now, so only members, depth, halves of characters and numbers are left to look at.
class Scan {
  private readonly text: string;
  private readonly open: Open[] = [];
  private readonly found: string[] = [];
  private isMemberNext = false;

  constructor(text: string) { this.text = text; }

  problems(): readonly string[] {
    for (let at = 0; at < this.text.length; at++) {
      const char = this.text[at]!;
      if (char === '"') at = this.string(at);
      else if (char === '{' || char === '[') {
        if (this.open.length === MAX_DEPTH) return [`${this.place()}: more than ${MAX_DEPTH} levels deep`];
        this.open.push({ members: char === '{' ? new Set() : null, at: 0 });
        this.isMemberNext = char === '{';
      } else if (char === '}' || char === ']') {
        this.open.pop();
        this.isMemberNext = false;
      } else if (char === ',') this.next();
      else if (char === '-' || (char >= '0' && char <= '9')) at = this.number(at);
    }
    return this.found;
  }

  private next(): void {
    const { members, at } = this.open.at(-1)!;
    if (members === null) this.open.at(-1)!.at = Number(at) + 1;
    else this.isMemberNext = true;
  }

  private string(start: number): number {
    let end = start + 1;
    while (this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1;
    const value = JSON.parse(this.text.slice(start, end + 1)) as string;
    if (this.isMemberNext) this.member(value);
    if (isHalfCharacter(value)) this.found.push(`${this.place()}: ${HALF_CHARACTER}`);
    this.isMemberNext = false;
    return end;
  }

  private member(name: string): void {
    const open = this.open.at(-1)!;
    open.at = name;
    if (name === '__proto__') this.found.push(`${this.place()}: a member of this name is refused`);
    else if (open.members!.has(name)) this.found.push(`${this.place()}: appears twice`);
    open.members!.add(name);
  }

  private number(start: number): number {
    let end = start + 1;
    while (/[0-9.eE+-]/.test(this.text[end] ?? '')) end++;
    const written = this.text.slice(start, end);
    if (!Number.isFinite(Number(written))) this.found.push(`${this.place()}: ${written.slice(0, 40)} is larger than a number can be`);
    return end - 1;
  }

  private place(): string { return memberPath(this.open.map(({ at }) => at)); }
}

/** `words.pgo[0]`, as people write it. */
export function memberPath(path: readonly PropertyKey[]): string {
  const parts = path.map(key => (typeof key === 'number' ? `[${key}]` : `.${String(key).slice(0, 60)}`));
  return parts.join('').replace(/^\./, '') || 'the whole';
}
