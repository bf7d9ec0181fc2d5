const ACCEPTED = /^\*\*Accepted\*\* by \[/;

/** What `/benchmark accept` left in a comment: who took its rows upon himself, and why. */
export const acceptedIn = (body: string): string[] => body.split(/\r?\n/).filter(line => ACCEPTED.test(line));

/** A comment's text with these sentences below its heading, above everything that was measured; what stands there already stays once. */
export function withSentences(text: string, sentences: readonly string[]): string {
  const lines = text.split(/\r?\n/), missing = sentences.filter(sentence => !lines.includes(sentence));
  const heading = lines.findIndex(line => line.startsWith('### perf-lab: '));
  return [...lines.slice(0, heading + 1), ...missing.flatMap(sentence => ['', sentence]), ...lines.slice(heading + 1)].join('\n');
}
