/** The name that was probably meant, or null when none is close. */
export function nearest(written: string, names: readonly string[]): string | null {
  const most = Math.max(1, Math.floor(written.length / 3));
  const close = names.map(name => ({ name, away: distance(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, away }) => away <= most || (written.length >= 2 && name.startsWith(written)))
    .sort((a, b) => a.away - b.away || (a.name < b.name ? -1 : 1));
  return close[0]?.name ?? null;
}

// Levenshtein, one row at a time. Both are short: a command is at most 256 characters.
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length]!;
}
