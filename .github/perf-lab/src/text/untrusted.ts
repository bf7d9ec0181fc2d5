/**
 * The one door through which text that we did not write gets into a comment. The runner has the same door in C#
 * (UntrustedText.cs); tests/fixtures/untrusted-text.json is the table that both must pass.
 */

/** Longest text shown, in UTF-16 units. */
export const MAX_CHARS = 2000;
/** Longest name shown inside a line or a table cell. */
export const MAX_NAME_CHARS = 200;
const CUT = '…';

/** Lines of visible text: no terminal escapes, control, bidi or zero-width characters; HTML comments and runner commands broken up. */
export function clean(text: string): string {
  const lines = text.replace(ESCAPES, '').replace(LINE_ENDS, '\n');
  // After the invisible characters have gone, or one in the middle would hide the sequence from us.
  const visible = [...lines].filter(isVisible).join('').replaceAll('<!--', '<! --').replaceAll('##[', '## [');
  return shorten(visible.replace(/^\n+|\n+$/g, ''), MAX_CHARS);
}

/** The same on one line. */
export function line(text: string, maxChars = MAX_NAME_CHARS): string {
  return shorten(clean(text).replace(/\s+/gu, ' ').trim(), maxChars);
}

/** A fenced block whose fence is longer than any run of back-ticks inside: nothing in it is Markdown. */
export const fence = (text: string): string => fenced(clean(text), 'text');

/** The same of C# that holds nothing invisible, whole. What stands in a fence is no HTML and no command, so nothing in it is broken up. */
export const fenceOfCSharp = (text: string): string => fenced(text.replace(/\n$/, ''), 'csharp');

function fenced(shown: string, language: 'text' | 'csharp'): string {
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(run => run[0].length));
  const mark = '`'.repeat(Math.max(3, longest + 1));
  return `${mark}${language}\n${shown}\n${mark}`;
}

/** The first line, from 1, with a character that a reader does not see; null: there is none. A text that is refused for it needs no escapes. */
export function invisibleLine(text: string): number | null {
  const at = text.split('\n').findIndex(line => [...line].some(rune => !isVisible(rune)));
  return at < 0 ? null : at + 1;
}

/** A code span that also holds inside a table. A back-tick would end the span and a bar the cell, so they are shown as ' and ¦. */
export function code(text: string, maxChars = MAX_NAME_CHARS): string {
  const shown = line(text, maxChars).replaceAll('`', "'").replaceAll('|', '¦');
  return shown === '' ? '`(empty)`' : `\`${shown}\``;
}

function isVisible(rune: string): boolean {
  if (rune === '\n' || rune === '\t') return true;
  return !/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(rune) && !INVISIBLE.test(rune);
}

// Letters and marks by category, nothing to see: Hangul fillers, grapheme joiner, variation selectors. U+FFFD is what half a pair became.
const INVISIBLE = /[\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0\uFFFD\u180B-\u180F\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u;

// As .NET's ReplaceLineEndings: CRLF, CR, LF, FF, NEL, LS, PS.
const LINE_ENDS = /\r\n|[\r\n\f\u0085\u2028\u2029]/g;

// ECMA-48: CSI sequences; strings (OSC, DCS, PM, APC, SOS) up to BEL or ST; the two-character escapes. An unfinished one loses its start
// only. No part may run over another start: that keeps the time linear on hostile input.
const ESCAPES = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;

function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = maxChars - CUT.length;
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return text.slice(0, isHalf ? end - 1 : end) + CUT;
}
