/** An IPv4 range as numbers, or nothing when the text is not one in canonical form (no host bits). */
export function parseCidr(text: string): { readonly first: number; readonly last: number; readonly prefix: number } | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(text);
  if (!match) return undefined;
  const bytes = match.slice(1, 5).map(Number), prefix = Number(match[5]);
  if (bytes.some(b => b > 255) || prefix > 32) return undefined;
  const first = bytes.reduce((sum, b) => sum * 256 + b, 0), size = 2 ** (32 - prefix);
  return first % size === 0 ? { first, last: first + size - 1, prefix } : undefined;
}

export function overlap(a: string, b: string): boolean {
  const x = parseCidr(a), y = parseCidr(b);
  return x !== undefined && y !== undefined && x.first <= y.last && y.first <= x.last;
}

export function contains(outer: string, inner: string): boolean {
  const x = parseCidr(outer), y = parseCidr(inner);
  return x !== undefined && y !== undefined && x.first <= y.first && y.last <= x.last;
}

/** RFC 1918: a lab's own addresses must not shadow public ones. */
export function isPrivate(text: string): boolean {
  return ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].some(range => contains(range, text));
}
