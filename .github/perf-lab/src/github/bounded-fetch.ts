import { Refused } from './refused.ts';

export interface Bounds {
  readonly origin: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Our own repository by its id: an answer may send us on there, once, because it was renamed. Below this path of the same origin and nowhere else. */
  readonly renamedTo?: string;
}

/**
 * `fetch` that talks to one origin only, follows no redirect, and gives up on slow or endless answers.
 * The token travels in a header, so following anything to another host would hand it over.
 */
export function boundedFetch(bounds: Bounds): typeof fetch {
  return async (input, init) => {
    const url = new URL(String(input));
    if (url.origin !== bounds.origin) throw new Refused(`refusing to call ${url.origin}: only ${bounds.origin} gets our token`);
    const asked = (to: URL): Promise<Response> => fetch(to, { ...init, redirect: 'manual', signal: AbortSignal.timeout(bounds.timeoutMs) });
    const first = await asked(url), moved = renamed(first, bounds);
    const answer = moved === null ? first : await asked(moved);
    const body = bodyless(answer.status) ? null : await readAtMost(answer, bounds.maxBytes);
    const copy = new Response(body, { status: answer.status, statusText: answer.statusText, headers: plainHeaders(answer.headers) });
    return Object.defineProperty(copy, 'url', { value: answer.url });
  };
}

// 301 for what reads, 307 and 308 for the rest: docs.github.com, "Using the REST API", redirects; of a renamed repository with its id in the address.
function renamed({ status, headers }: Response, { origin, renamedTo }: Bounds): URL | null {
  const location = headers.get('location') ?? '';
  if (![301, 307, 308].includes(status) || !URL.canParse(location)) return null;
  const url = new URL(location);    // its path begins with a slash, and so never with `undefined`
  return url.origin === origin && url.username === '' && url.pathname.startsWith(`${renamedTo}/`) ? url : null;
}

// Read here and not by Octokit, which swallows a broken stream and hands out "" as data.
async function readAtMost(answer: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;    // after decompression: a gzip bomb counts at its full size
    if (bytes > maxBytes) throw new Refused(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

// What we hand on is decompressed and whole.
function plainHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  plain.delete('content-encoding');
  plain.delete('content-length');
  return plain;
}

const bodyless = (status: number): boolean => status === 204 || status === 205 || status === 304;
