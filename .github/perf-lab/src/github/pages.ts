import type * as z from 'zod';
import { read } from './answers.ts';
import type { Client } from './client.ts';
import { Refused } from './refused.ts';

export interface List<T> {
  /** "GET /repos/{owner}/{repo}/issues/comments", without the query. */
  readonly route: string;
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly rows: z.ZodType<T[]>;
  /** For messages: "the comments". */
  readonly what: string;
  /** So many pages of a hundred; a list that is longer ends with an error, for giving up quietly would hide what comes after. */
  readonly mostPages: number;
}

/**
 * A list of GitHub's, page by page. Pages are counted here; the link to the next one is only believed in so far as it says that there is one and where it goes on,
 * because it comes from outside: it may lead to another host, or back to itself. Of long lists GitHub answers page 100 with 422 ("please use cursor based pagination
 * (after/before)", google/go-github#3565): so where the link has a cursor, that is what goes on.
 */
export async function* pages<T>(gh: Client, list: List<T>): AsyncGenerator<readonly T[]> {
  let place: { readonly page: number } | { readonly after: string } = { page: 1 };
  for (let page = 1; page <= list.mostPages; page++) {
    const answer: { readonly data: unknown; readonly headers: { readonly link?: string | undefined } } = await gh.request(list.route, { ...list.parameters, per_page: 100, ...place });
    yield read(list.rows, answer.data, list.what);
    const next = nextPage(gh, answer.headers.link);
    if (next === null) return;
    if ('after' in next ? 'after' in place && next.after === place.after : next.page !== page + 1) {
      throw new Refused(`GitHub's list of ${list.what} says that page ${page} is followed by ${'after' in next ? 'itself' : `page ${next.page}`}`);
    }
    place = next;
  }
  throw new Error(`there are more than ${list.mostPages} pages of ${list.what}: gave up reading them`);
}

function nextPage(gh: Client, link: string | undefined): { readonly page: number } | { readonly after: string } | null {
  const found = /<([^<>]+)>\s*;\s*rel="next"/.exec(link ?? '');
  if (found === null) return null;
  const base = gh.request.endpoint.DEFAULTS.baseUrl;
  const url = URL.canParse(found[1]!, base) ? new URL(found[1]!, base) : null;
  const origin = new URL(base).origin;
  if (url?.origin !== origin) throw new Refused(`refusing to call ${url?.origin ?? 'what is no address'}: only ${origin} gets our token`);
  const after = url.searchParams.get('after');
  return after ? { after } : { page: Number(url.searchParams.get('page') ?? NaN) };
}
