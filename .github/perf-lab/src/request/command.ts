import { nearest } from '../text/nearest.ts';
import { code } from '../text/untrusted.ts';
import { LISTS, NO_WORDS, PGO, type Words } from './words.ts';

export const MAX_COMMAND_CHARS = 256;
const MAX_VALUES = 20;

export type Verb = 'cancel' | 'status' | 'rerun' | 'help';
const VERBS: readonly string[] = ['cancel', 'status', 'rerun', 'help'] satisfies Verb[];
const FLAGS = [...Object.keys(LISTS), '--machine', '--rounds'];

export type Command =
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong'; readonly code: 'command-form' | 'command-words'; readonly problems: readonly string[] }
  | { readonly kind: 'verb'; readonly verb: Verb }
  | { readonly kind: 'run'; readonly words: Words; readonly sha: string | null };

/**
 * The closed grammar of docs/github.md. A comment whose first bytes are not `/benchmark` is not for us; one that starts so is either
 * right in every character or refused with all its problems. Nothing is passed through.
 */
export function parseCommand(body: string): Command {
  if (!/^\/benchmark(?![A-Za-z0-9_/-])/.test(body)) return { kind: 'none' };
  const text = body.replace(/[\r\n ]+$/, '');
  const form = formProblem(text);
  if (form !== null) return { kind: 'wrong', code: 'command-form', problems: [form] };
  const words = text.split(/ +/).slice(1);
  if (words.length === 1 && VERBS.includes(words[0]!)) return { kind: 'verb', verb: words[0] as Verb };
  return new Reading(words).result();
}

function formProblem(text: string): string | null {
  if (/[\r\n]/.test(text)) return 'The comment must be the command alone, on one line.';
  if (text.length > MAX_COMMAND_CHARS) return `The command is longer than ${MAX_COMMAND_CHARS} characters.`;
  if (!/^[\x20-\x7e]*$/.test(text)) return 'The command holds a character outside plain ASCII; some of those are invisible. Type it anew.';
  return null;
}

class Reading {
  private readonly rest: string[];
  private readonly problems: string[] = [];
  private readonly seen = new Set<string>();
  private words: Words = NO_WORDS;
  private sha: string | null = null;

  constructor(words: readonly string[]) {
    this.rest = [...words];
  }

  result(): Command {
    for (let word = this.rest.shift(); word !== undefined; word = this.rest.shift()) {
      if (word.startsWith('-')) this.flag(word);
      else this.bare(word);
    }
    if (this.words.suite !== null && this.words.workloads.length > 0) this.problems.push('Name a suite or give `--workload`, not both.');
    return this.problems.length > 0 ? { kind: 'wrong', code: 'command-words', problems: this.problems }
      : { kind: 'run', words: this.words, sha: this.sha };
  }

  private flag(flag: string): void {
    if (!FLAGS.includes(flag)) {
      this.unknown('option', flag, FLAGS);
      if (this.rest[0] !== undefined && !this.rest[0].startsWith('-')) this.rest.shift();    // its value would be reported as a second problem
      return;
    }
    if (this.seen.has(flag)) this.problems.push(`\`${flag}\` is given twice.`);
    this.seen.add(flag);
    const value = this.rest[0];
    if (value === undefined || value.startsWith('--')) {
      this.problems.push(`\`${flag}\` needs a value.`);
      return;
    }
    this.rest.shift();
    if (flag === '--machine') this.machine(value);
    else if (flag === '--rounds') this.rounds(value);
    else this.list(flag as keyof typeof LISTS, value);
  }

  private list(flag: keyof typeof LISTS, text: string): void {
    const values = text.split(',');
    const bad = values.filter(value => !/^[A-Za-z0-9@.*_-]{1,64}$/.test(value));
    if (bad.length > 0) this.problems.push(`\`${flag}\`: ${bad.map(value => code(value, 64)).join(', ')} is not a name.`);
    else if (values.length > MAX_VALUES) this.problems.push(`\`${flag}\` takes at most ${MAX_VALUES} values.`);
    else if (new Set(values).size < values.length) this.problems.push(`\`${flag}\` names a value twice.`);
    else if (flag === '--pgo' && values.some(value => !PGO.some(known => known === value))) this.problems.push('`--pgo` takes `on`, `off`, `full`, or several with commas between.');
    else this.words = { ...this.words, [LISTS[flag]]: values };
  }

  private machine(value: string): void {
    if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(value)) this.words = { ...this.words, machine: value };
    else this.problems.push(`\`--machine\`: ${code(value, 64)} is not a name.`);
  }

  private rounds(value: string): void {
    if (/^[0-9]{1,3}\+[0-9]{1,3}$/.test(value) && !/^0+\+0+$/.test(value)) this.words = { ...this.words, rounds: value };
    else this.problems.push(`\`--rounds\`: ${code(value, 64)} is not S+C, screen and confirm rounds such as \`8+20\`.`);
  }

  // A word of 12 or more hex digits is a commit; every other one can only be the suite, and that comes first.
  private bare(word: string): void {
    if (/^[0-9a-f]{12,64}$/i.test(word)) {
      if (this.sha !== null) this.problems.push('Two commits are named; give one.');
      else if (word.length > 40) this.problems.push('The commit has more than 40 digits; repositories with SHA-256 names are not supported.');
      else this.sha = word.toLowerCase();
    } else if (VERBS.includes(word)) {
      this.problems.push(`\`${word}\` goes alone: \`/benchmark ${word}\`.`);
    } else if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(word) && this.words.suite === null && this.seen.size === 0 && this.sha === null) {
      this.words = { ...this.words, suite: word };
    } else {
      this.unknown('word', word, [...VERBS, ...FLAGS]);
    }
  }

  private unknown(what: string, written: string, names: readonly string[]): void {
    const meant = nearest(written, names);
    this.problems.push(`${code(written, 64)} is no ${what} of this command${meant === null ? '' : `; did you mean \`${meant}\``}${meant === null ? '.' : '?'}`);
  }
}
