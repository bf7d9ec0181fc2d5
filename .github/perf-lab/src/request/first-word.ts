/** What a command begins with where nothing else was chosen; in everything that travels, and in our own texts before they are shown, always. */
export const COMMAND = '/benchmark';

/** A word for commands, as the input `word` of the workflow may have it: another bot of the repository may listen to ours. */
export const WORD = /^\/[a-z][a-z0-9-]{0,38}$/;

export function readWord(text: string | undefined): string {
  if (text === undefined || text === '') return COMMAND;
  if (!WORD.test(text)) throw new Error('the word of a command is a slash and up to 39 small letters, digits and dashes, such as /perf');
  return text;
}

/** Glued to anything else it is another word, whatever that is: nobody guesses what was meant. */
export const beginsWith = (line: string, word: string): boolean => line.startsWith(word) && /^(\s|$)/.test(line.slice(word.length));

/** A text of ours as it is shown: commands in it are what people here can copy. Hidden lines stay, because we read them again. */
export function spoken(text: string, word: string | undefined): string {
  if (word === undefined) return text;
  return text.split('\n').map(line => (line.startsWith('<!--') ? line : line.replace(/(^|[\s`(])\/benchmark(?=[\s`.,:;)]|$)/g, `$1${word}`))).join('\n');
}
