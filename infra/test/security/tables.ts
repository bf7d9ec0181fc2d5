/** One row of a Markdown table, by the heads of its columns. */
export type Row = Readonly<Record<string, string>>;

/** The rows of the table whose first head is this; throws when a page has none or two of them. */
export function table(page: string, ...heads: readonly string[]): Row[] {
  const lines = page.split('\n'), starts = lines.flatMap((line, i) => cells(line).join('|') === heads.join('|') ? [i] : []);
  if (starts.length !== 1) throw new Error(`${starts.length} tables with the columns ${heads.join(', ')}`);
  const body = lines.slice(starts[0]! + 2), end = body.findIndex(line => !line.startsWith('|'));
  return body.slice(0, end < 0 ? undefined : end).map(line => Object.fromEntries(cells(line).map((cell, i) => [heads[i]!, cell])));
}

const cells = (line: string): string[] => line.startsWith('|') ? line.split('|').slice(1, -1).map(cell => cell.trim()) : [];
/** Without the marks of code. */
export const bare = (cell: string): string => cell.replaceAll('`', '');
