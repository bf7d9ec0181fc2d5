import { nearest } from '../text/nearest.ts';
import { code } from '../text/untrusted.ts';
import { readFences } from '../snippet/fences.ts';
import { snippetAmong, type Snippet } from '../snippet/snippet.ts';
import { beginsWith, COMMAND } from './first-word.ts';
import { CATEGORY, GLOB, LISTS, MAX_SESSIONS, MAX_WARM_UP, MAX_WITHIN, NO_WORDS, PGO, SDK, VALUE, type Words } from './words.ts';

export const MAX_COMMAND_CHARS = 256;
/** Of a command that we keep: what was left out is filled in, the suite and the sessions. */
export const MAX_KEPT_CHARS = 512;
const MAX_VALUES = 20;

export type Verb = 'cancel' | 'status' | 'help';
const ALONE: readonly string[] = ['cancel', 'status', 'help'] satisfies Verb[];
const VERBS: readonly string[] = [...ALONE, 'rerun', 'confirm', 'accept'];
/** Longest reason that `accept` takes, as it is shown. */
export const MAX_REASON_CHARS = 200;
/** Of lists that hold something else than names: what a value looks like, and what it is. */
const FORMS: Readonly<Record<string, readonly [RegExp, string] | undefined>> = {
  '--filter': [GLOB, 'a glob over a benchmark\'s name, such as `*Parse*`'], '--any-categories': [CATEGORY, 'a category of benchmarks'],
};
const FLAGS = [...Object.keys(LISTS), '--machine', '--rounds', '--sessions', '--warm-up', '--sdk', '--within'];
const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

export type Command =
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong'; readonly code: 'command-form' | 'command-words'; readonly problems: readonly string[] }
  | { readonly kind: 'verb'; readonly verb: Verb }
  /** The words of the last request again, at this commit or at the head. */
  | { readonly kind: 'rerun'; readonly sha: string | null }
  /** The same, there or on another machine, and what it flags is measured at least twice. */
  | { readonly kind: 'confirm'; readonly machine: string | null; readonly sha: string | null }
  /** The reason is as raw as it was typed. */
  | { readonly kind: 'accept'; readonly reason: string }
  /** With a snippet its benchmarks are measured, and those of the lab are not. */
  | { readonly kind: 'run'; readonly words: Words; readonly sha: string | null; readonly snippet?: Snippet };

/**
 * The closed grammar of docs/internals/github.md. A comment whose first word is not `word` is not for us. The command is the first line, which is
 * either right in every character or refused with all its problems; of what follows it one block of C# is a part, and prose is not read. Nothing is passed through.
 */
export function parseCommand(body: string, word = COMMAND, mostChars = MAX_COMMAND_CHARS): Command {
  if (!beginsWith(body, word)) return { kind: 'none' };
  const [typed = '', ...below] = body.split(/\r?\n/), { prose, fences } = readFences(below);
  if (prose.some(line => beginsWith(line, word))) return wrong('command-form', 'One comment holds one command: the first line. Write the other one in a comment of its own.');
  const command = parseLine(typed, word, mostChars), isAgain = command.kind === 'rerun' || command.kind === 'confirm';
  if (command.kind !== 'run' && !isAgain) return command;
  const snippet = snippetAmong(fences);
  if (snippet === null) return command;
  if (isAgain) return wrong('command-words', `\`${command.kind}\` repeats the last request with the block of C# that it had. A new one goes below a \`/benchmark\` of its own.`);
  return 'problems' in snippet ? wrong('command-words', ...snippet.problems) : { ...command, snippet };
}

function parseLine(typed: string, word: string, mostChars: number): Command {
  const first = COMMAND + typed.slice(word.length);
  const text = first.replace(/ +$/, '');
  const accepted = /^\/benchmark +accept(?: +(.*))?$/u.exec(text);
  const form = formProblem(accepted === null ? text : '/benchmark accept', text.length, mostChars);
  if (form !== null) return wrong('command-form', form);
  if (accepted !== null) return acceptance(accepted[1] ?? '');
  const words = text.split(/ +/).slice(1);
  if (words.length === 1 && ALONE.includes(words[0]!)) return { kind: 'verb', verb: words[0] as Verb };
  if (words[0] === 'rerun') return repetition(words.slice(1));
  return words[0] === 'confirm' ? confirmation(words.slice(1)) : new Reading(words).result();
}

const wrong = (code: 'command-form' | 'command-words', ...problems: string[]): Command => ({ kind: 'wrong', code, problems });

function formProblem(words: string, chars: number, mostChars: number): string | null {
  if (chars > mostChars) return `The command is ${chars} characters long, and ${mostChars} are the most. What is none of its words goes on a line below.`;
  if (words.includes('\t')) return 'The command holds a tab. Put spaces between its words.';
  if (!/^[\x20-\x7e]*$/.test(words)) return 'The command holds a character outside plain ASCII; some of those are invisible. Type it anew.';
  return null;
}

function acceptance(reason: string): Command {
  if (!/[\p{L}\p{N}]/u.test(reason)) return wrong('command-words', '`accept` needs a reason, in words: `/benchmark accept slower startup is the price of the new cache`.');
  return reason.length > MAX_REASON_CHARS ? wrong('command-words', `The reason is longer than ${MAX_REASON_CHARS} characters.`) : { kind: 'accept', reason };
}

function repetition(words: readonly string[]): Command {
  if (words.length === 0) return { kind: 'rerun', sha: null };
  const sha = words.length === 1 ? words[0]! : '';
  return /^[0-9a-f]{12,40}$/i.test(sha) ? { kind: 'rerun', sha: sha.toLowerCase() }
    : wrong('command-words', '`rerun` takes the words of the last request; after it may stand the commit alone, 12 to 40 digits.');
}

function confirmation(rest: readonly string[]): Command {
  const command = new Reading(rest).result();
  if (command.kind !== 'run') return command;
  const { words: { machine, ...others }, sha } = command;
  const isMore = Object.entries(others).some(([name, value]) => String(value) !== String(NO_WORDS[name as keyof Words]));
  return isMore ? wrong('command-words', '`confirm` takes the words of the last request; after it may stand `--machine NAME` and the commit.') : { kind: 'confirm', machine, sha };
}

/** Whole thousandths of the unit, so that the number is written again as short as it was; 0 for what is no time. */
function timeIn(unit: 's' | 'm', typed: string): number {
  const parts = /^([0-9]{1,6}(?:\.[0-9]{1,3})?)(ms|s|m)?$/.exec(typed);
  return parts === null ? 0 : Math.round(Number(parts[1]) * MILLISECONDS[parts[2] ?? unit]! / MILLISECONDS[unit]! * 1000) / 1000;
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
    if (this.words.within !== null && this.words.rounds !== null) this.problems.push('`--within` goes without `--rounds`: one says how long, the other how often.');
    if (this.words.within !== null && (this.words.sessions ?? 1) > 1) this.problems.push('`--within` goes without `--sessions`: what is measured again takes as long as it takes.');
    return this.problems.length > 0 ? { kind: 'wrong', code: 'command-words', problems: this.problems }
      : { kind: 'run', words: this.words, sha: this.sha };
  }

  private flag(flag: string): void {
    const [name = '', joined] = flag.split(/=(.*)/s);
    if (joined !== undefined && FLAGS.includes(name)) {
      this.problems.push(`${code(flag, 64)}: write it with a space, ${code(`${name} ${joined}`, 64)}.`);
      return;
    }
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
    else if (flag === '--sessions') this.sessions(value);
    else if (flag === '--warm-up') this.warmUp(value);
    else if (flag === '--sdk') this.sdk(value);
    else if (flag === '--within') this.within(value);
    else this.list(flag as keyof typeof LISTS, value);
  }

  private list(flag: keyof typeof LISTS, text: string): void {
    if (text.endsWith(',') && this.rest[0] !== undefined && !this.rest[0].startsWith('-')) {
      this.problems.push(`\`${flag}\`: no space after a comma, ${code(text + this.rest.shift()!, 64)}.`);
      return;
    }
    const values = text.split(',');
    const [form, what] = FORMS[flag] ?? [VALUE, 'a name'];
    const bad = values.filter(value => !form.test(value));
    if (/^'.+'$|^".+"$/.test(text)) this.problems.push(`\`${flag}\`: without the quotes, ${code(text.slice(1, -1), 64)}. No shell reads a comment.`);
    else if (bad.length > 0) this.problems.push(`\`${flag}\`: ${bad.map(value => code(value, 64)).join(', ')} is not ${what}.`);
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

  private sessions(value: string): void {
    const count = /^[0-9]{1,2}$/.test(value) ? Number(value) : 0;
    if (count >= 1 && count <= MAX_SESSIONS) this.words = { ...this.words, sessions: count };
    else this.problems.push(`\`--sessions\`: ${code(value, 64)} is not a number from 1 to ${MAX_SESSIONS}.`);
  }

  private warmUp(value: string): void {
    const seconds = timeIn('s', value);
    if (seconds > 0 && seconds <= MAX_WARM_UP) this.words = { ...this.words, warmUp: seconds };
    else this.problems.push(`\`--warm-up\`: ${code(value, 64)} is no time above 0 and up to ${MAX_WARM_UP} seconds, such as \`6\`, \`500ms\` or \`1m\`.`);
  }

  private within(value: string): void {
    const minutes = timeIn('m', value);
    if (minutes > 0 && minutes <= MAX_WITHIN) this.words = { ...this.words, within: minutes };
    else this.problems.push(`\`--within\`: ${code(value, 64)} is no time above 0 and up to ${MAX_WITHIN} minutes, such as \`10m\` or \`90s\`.`);
  }

  private sdk(value: string): void {
    if (value === SDK) this.words = { ...this.words, sdk: SDK };
    else this.problems.push(`\`--sdk\`: ${code(value, 64)} is not \`${SDK}\`, the lab's newest.`);
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
