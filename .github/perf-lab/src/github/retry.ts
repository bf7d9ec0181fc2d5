/** What came back from one try. `status` 0: no answer at all (connection lost, timeout). */
export interface Failure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly message: string;
}

export interface Limits {
  /** Tries in all, the first included. */
  readonly tries: number;
  /** Longest single wait, seconds: a longer one is refused, not shortened, because calling early makes GitHub block us for longer. */
  readonly maxWaitSeconds: number;
}

/** Methods that leave the same state when sent twice. PATCH among them: ours only ever set whole values. */
const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']);

export const isRepeatable = (method: string): boolean => REPEATABLE.has(method.toUpperCase());

/**
 * Seconds to wait before the same call is sent again, or null for "give up".
 * A rate limit is answered before anything has happened, so any method may be repeated; after a 5xx or a lost answer only repeatable ones.
 */
export function waitBefore(failure: Failure, isSafe: boolean, tried: number, now: number, limits: Limits): number | null {
  if (tried >= limits.tries) return null;
  const wait = isRateLimit(failure) ? rateLimitWait(failure, tried, now)
    : isSafe && (failure.status === 0 || failure.status >= 500) ? tried * tried
    : null;
  return wait !== null && wait >= 0 && wait <= limits.maxWaitSeconds ? wait : null;
}

export function isRateLimit({ status, headers, message }: Failure): boolean {
  if (status === 429) return true;
  if (/\bwas submitted too quickly\b/i.test(message)) return status === 403 || status === 422;    // GitHub's limit for what one user writes (cli/cli#4801)
  return status === 403 && (headers['retry-after'] !== undefined || String(headers['x-ratelimit-remaining']) === '0' || /\b(secondary rate|abuse detection)\b/i.test(message));
}

// https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api: retry-after, else the reset, else a minute, doubling.
function rateLimitWait({ headers }: Failure, tried: number, now: number): number {
  const after = headers['retry-after'];
  if (after !== undefined) {
    const text = String(after).trim();
    return /^-?\d+$/.test(text) ? Number(text) : Math.max(0, Math.ceil((Date.parse(text) - now) / 1000));
  }
  const reset = Number(headers['x-ratelimit-reset']);
  if (String(headers['x-ratelimit-remaining']) === '0' && Number.isFinite(reset)) return Math.max(0, Math.ceil(reset - now / 1000)) + 1;
  return 60 * 2 ** (tried - 1);
}
