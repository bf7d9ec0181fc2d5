import { createHash } from 'node:crypto';
import { invisibleLine } from '../text/untrusted.ts';
import type { Fence } from './fences.ts';

/** Benchmarks that a person wrote in C# below the command. */
export interface Snippet {
  /** Its lines, each with a line feed behind it. */
  readonly text: string;
}

/** In UTF-8. As long as a file that somebody reads in a comment; the request, which holds it, is an output of a job and a variable. */
export const MAX_SNIPPET_BYTES = 16 << 10;

const LANGUAGES = ['csharp', 'cs', 'c#'];    // one that is not here is prose, and something else is measured

/** Found in a line, also in a comment of it: what a reader has to be told better than a compiler does, or what no compiler minds. */
const NOT_TAKEN: readonly (readonly [RegExp, string])[] = [
  [/^\s*#(:|!|\s*(r|load)\b)/, 'what begins so belongs to scripts. The snippet has the packages of the project in whose place it stands'],
  [/ModuleInitializer/, 'a `ModuleInitializer` runs before anything is measured. Use `[GlobalSetup]`'],
];

/** The one among the blocks of code of a comment, or what is wrong with it; null: there is none. */
export function snippetAmong(fences: readonly Fence[]): Snippet | { readonly problems: readonly string[] } | null {
  const [fence, ...more] = fences.filter(({ language }) => LANGUAGES.includes(language));
  if (fence === undefined) return null;
  if (more.length > 0) return wrong(`The comment holds ${more.length + 1} blocks of C#. One is measured: put all into it, or begin the others with \`\`\`text.`);
  if (!fence.isClosed) return wrong('The block of C# has no end: a line with the same marks that begin it, such as ```.');
  const text = fence.lines.map(line => `${line}\n`).join(''), bytes = Buffer.byteLength(text);
  if (bytes > MAX_SNIPPET_BYTES) return wrong(`The block of C# has ${bytes.toLocaleString('en')} bytes; ${MAX_SNIPPET_BYTES.toLocaleString('en')} are the most. Put it into the project, and name it with \`--filter\`.`);
  const hidden = invisibleLine(text);
  if (hidden !== null) return wrong(`Line ${hidden} of the block of C# holds a character that can't be seen. Type it anew.`);
  if (!text.includes('Benchmark')) return wrong('The block of C# has no method with `[Benchmark]`. Where it is only an example, begin it with ```text.');
  const problems = fence.lines.flatMap((line, at) => NOT_TAKEN.filter(([what]) => what.test(line)).map(([, why]) => `Line ${at + 1} of the block of C#: ${why}.`));
  return problems.length > 0 ? { problems: problems.slice(0, 20) } : { text };
}

const wrong = (problem: string): { readonly problems: readonly string[] } => ({ problems: [problem] });

/** What two snippets are told apart by: SHA-256 over its text in UTF-8. */
export const digestOf = ({ text }: Snippet): string => createHash('sha256').update(text).digest('hex');
