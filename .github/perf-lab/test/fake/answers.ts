import type { Call, Answer } from './server.ts';
import type { State } from './state.ts';

export type Route = [method: string, path: RegExp, handle: (state: State, call: Call, match: string[]) => Answer];

export const ok = (json: unknown, status = 200): Answer => ({ status, json });
export const notFound = (message = 'Not Found'): Answer => ({ status: 404, json: { message } });
const REPO = '/repos/example/library';

export const route = (method: string, path: string, handle: Route[2]): Route =>
  [method, new RegExp(`^${path.replace('REPO', REPO).replaceAll(':n', '([0-9]+)').replaceAll(':w', '([^/]+)')}$`), handle];

export const tooLong = (): Answer => ({ status: 422, json: { message: 'Validation Failed', errors: [{ message: 'body is too long (maximum is 65536 characters)' }] } });

function slice<T>({ query, path }: Call, all: readonly T[]): { rows: readonly T[]; more: boolean; page: number; next: number | null } {
  const size = Math.min(Number(query.get('per_page') ?? 30), 100);
  // Issues alone have cursors: opaque, beside the page in the link, and without `page` in the question.
  const cursor = /^cursor:([0-9]+)$/.exec(Buffer.from(query.get('after') ?? '', 'base64').toString())?.[1];
  const page = cursor === undefined ? Number(query.get('page') ?? 1) : Number(cursor) / size + 1;
  return { rows: all.slice((page - 1) * size, page * size), more: page * size < all.length, page, next: path.endsWith('/issues') ? page * size : null };
}

/** GitHub's words for page 100 of the issues of a large repository (google/go-github#3565, josegonzalez/python-github-backup#429). */
export const tooManyPages: Answer = {
  status: 422, json: { message: 'Pagination with the page parameter is not supported for large datasets, please use cursor based pagination (after/before)', documentation_url: 'https://docs.github.com/rest/issues/issues' },
};

export function wrapped(call: Call, name: string, all: readonly object[]): Answer {
  const { status, json, headers } = paged(call, all);
  return { status, json: { total_count: all.length, [name]: json }, headers: headers! };
}

export function paged<T extends object>(call: Call, all: readonly T[], show: (row: T) => object = row => row): Answer {
  const { rows, more, page, next: at } = slice(call, all);
  const next = new URLSearchParams(call.query);
  next.set('page', String(page + 1));
  if (at !== null) next.set('after', Buffer.from(`cursor:${at}`).toString('base64'));
  return { status: 200, json: rows.map(show), headers: more ? { link: `<${call.foreign || call.base}${call.path}?${next}>; rel="next"` } : {} };
}
