import type { Call, Answer } from './server.ts';
import type { State } from './state.ts';

export type Route = [method: string, path: RegExp, handle: (state: State, call: Call, match: string[]) => Answer];

export const ok = (json: unknown, status = 200): Answer => ({ status, json });
export const notFound = (message = 'Not Found'): Answer => ({ status: 404, json: { message } });
const REPO = '/repos/example/library';

export const route = (method: string, path: string, handle: Route[2]): Route =>
  [method, new RegExp(`^${path.replace('REPO', REPO).replaceAll(':n', '([0-9]+)').replaceAll(':w', '([^/]+)')}$`), handle];

export const tooLong = (): Answer => ({ status: 422, json: { message: 'Validation Failed', errors: [{ message: 'body is too long (maximum is 65536 characters)' }] } });

function slice<T>({ query }: Call, all: readonly T[]): { rows: readonly T[]; more: boolean; page: number } {
  const size = Math.min(Number(query.get('per_page') ?? 30), 100);
  const page = Number(query.get('page') ?? 1);
  return { rows: all.slice((page - 1) * size, page * size), more: page * size < all.length, page };
}

export function wrapped(call: Call, name: string, all: readonly object[]): Answer {
  const { status, json, headers } = paged(call, all);
  return { status, json: { total_count: all.length, [name]: json }, headers: headers! };
}

export function paged<T extends object>(call: Call, all: readonly T[], show: (row: T) => object = row => row): Answer {
  const { rows, more, page } = slice(call, all);
  const next = new URLSearchParams(call.query);
  next.set('page', String(page + 1));
  return { status: 200, json: rows.map(show), headers: more ? { link: `<${call.foreign || call.base}${call.path}?${next}>; rel="next"` } : {} };
}
