import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { notFound } from './answers.ts';
import { ROUTES } from './routes.ts';
import { newState, type State } from './state.ts';

export interface Answer { status: number; json?: unknown; headers?: Record<string, string>; raw?: string | Buffer }
/** One call as it arrived. */
export interface Call {
  method: string; path: string; query: URLSearchParams; body: any; headers: http.IncomingHttpHeaders;
  /** Addresses that answers may contain: ours, the artifact store's, and in some tests an attacker's. */
  base: string; storage: string; foreign: string;
  /** What was answered, faults left out. */
  answer?: Answer;
}
/** An answer in place of the real one, before anything happens, or after the effect. `abort`: the connection breaks. */
export type Fault = Answer | 'abort' | 'hang' | { after: Answer | 'abort' };
export type FaultRule = (call: Call, index: number) => Fault | undefined;

export interface FakeGitHub {
  readonly url: string;
  /** A second host: stores artifacts, or plays the attacker. What reached it, with which authorization. */
  readonly storage: { readonly url: string; readonly seen: { path: string; authorization: string | undefined }[] };
  state: State;
  readonly seen: Call[];
  fault: FaultRule | undefined;
  foreign: string;
  /** Method and path of every call, ids replaced. */
  calls(): string[];
  reset(): void;
  stop(): Promise<void>;
}

/** A GitHub on loopback that keeps state, so that "one comment" is counted where it counts. `prefix`: /api/v3 of an Enterprise server. */
export async function startFakeGitHub(prefix = ''): Promise<FakeGitHub> {
  const storage = { url: '', seen: [] as { path: string; authorization: string | undefined }[] };
  const fake = { url: '', storage, state: newState(), seen: [] as Call[], fault: undefined as FaultRule | undefined, foreign: '' };
  const server = http.createServer((request, response) => void answer(request, response));
  const store = http.createServer((request, response) => {
    storage.seen.push({ path: request.url ?? '', authorization: request.headers.authorization });
    const found = fake.state.artifacts.find(a => request.url?.startsWith(`/blob/${a.id}?`));
    response.writeHead(found ? 200 : 404).end(found?.zip);
  });

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += chunk;
    const url = new URL(request.url!, 'http://fake');
    const path = url.pathname === `${prefix.replace('/v3', '')}/graphql` ? '/graphql' : url.pathname.slice(prefix.length);
    const call: Call = { method: request.method!, path, query: url.searchParams, body: text ? JSON.parse(text) : undefined, headers: request.headers, base: fake.url, storage: storage.url, foreign: fake.foreign };
    fake.seen.push(call);
    const fault = fake.fault?.(call, fake.seen.length - 1);
    if (fault === 'abort') return void request.socket.destroy();
    if (fault === 'hang') return;
    if (fault !== undefined && 'after' in fault) {
      handle(call);
      if (fault.after === 'abort') return void request.socket.destroy();
      return send(response, fault.after);
    }
    send(response, fault ?? movedFor(call) ?? refusedFor(call) ?? handle(call));
  }

  // As GitHub answers for a repository that was renamed: by its id, which stays. docs.github.com, "Using the REST API", redirects; octokit/rest.js#1231 has the body.
  function movedFor(call: Call): Answer | undefined {
    const by = '/repositories/500/', old = '/repos/example/library/';
    if (call.path.startsWith(by)) call.path = old + call.path.slice(by.length);
    else if (fake.state.renamed && call.path.startsWith(old)) {
      const to = `${call.base}${by}${call.path.slice(old.length)}${call.query.size === 0 ? '' : `?${call.query}`}`;
      return { status: call.method === 'GET' ? 301 : 307, json: { message: 'Moved Permanently', url: to, documentation_url: 'https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects' }, headers: { location: to } };
    }
    return undefined;
  }

  function handle(call: Call): Answer {
    for (const [method, pattern, effect] of ROUTES) {
      const match = method === call.method ? pattern.exec(call.path) : null;
      if (match) return call.answer = structuredClone(effect(fake.state, call, match.slice(1)));
    }
    return notFound(`no route for ${call.method} ${call.path}`);
  }

  fake.url = await listen(server) + prefix;
  storage.url = await listen(store);
  return Object.assign(fake, {
    calls: () => fake.seen.map(({ method, path }) => `${method} ${path.replace('/repos/example/library', '').replace(/[0-9a-f]{40}/g, ':sha').replace(/\/\d+/g, '/:id')}`),
    reset: () => { fake.state = newState(); fake.seen.length = 0; storage.seen.length = 0; fake.fault = undefined; fake.foreign = ''; },
    stop: async () => { await Promise.all([server, store].map(one => new Promise<void>(done => { one.close(() => { done(); }); one.closeAllConnections(); }))); },
  });
}

const REFUSED: Answer = { status: 403, json: { message: 'Resource not accessible by integration', documentation_url: 'https://docs.github.com/rest' } };

/** What a job's token may not do, when the token says what it may: `the-token.` and its permissions. As for a private repository: reading needs a right, too. */
function refusedFor({ method, path, headers }: Call): Answer | undefined {
  const rights = /\.([A-Za-z0-9_-]+)$/.exec(headers.authorization ?? '')?.[1];
  const [, rest] = /^\/repos\/example\/library(\/.*)$/.exec(path) ?? [];
  if (rights === undefined || rest === undefined) return undefined;
  const has = JSON.parse(Buffer.from(rights, 'base64url').toString()) as Record<string, string>;
  if (/^\/collaborators\//.test(rest)) return undefined;    // metadata, which every token reads
  // Comments, reactions and events of a pull request are those of an issue; either right is enough for them (docs.github.com, "Permissions required for fine-grained personal access tokens").
  const isThread = /^\/issues\/(\d+\/)?(comments|events)\b/.test(rest) && has['pull-requests'] !== undefined;
  const needed = isThread ? 'pull-requests' : /^\/(git|commits|compare|activity)\b/.test(rest) ? 'contents' : /^\/issues/.test(rest) ? 'issues' : /^\/actions\//.test(rest) ? 'actions' : /^\/check-runs/.test(rest) ? 'checks' : 'pull-requests';
  return has[needed] === 'write' || (method === 'GET' && has[needed] === 'read') ? undefined : REFUSED;
}

function send(response: http.ServerResponse, { status, json, headers, raw }: Answer): void {
  const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
  response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }), ...headers });
  response.end(body);
}

const listen = (server: http.Server): Promise<string> => new Promise(done => {
  server.listen(0, '127.0.0.1', () => { done(`http://127.0.0.1:${(server.address() as AddressInfo).port}`); });
});
