import { setTimeout as sleep } from 'node:timers/promises';
import { Octokit } from '@octokit/core';
import { restEndpointMethods } from '@octokit/plugin-rest-endpoint-methods';
import { throttling } from '@octokit/plugin-throttling';
import { boundedFetch } from './bounded-fetch.ts';
import { Refused } from './refused.ts';
import { isRepeatable, waitBefore, type Failure } from './retry.ts';

// Not plugin-retry: it repeats POSTs, and a comment whose answer was lost is posted twice.
const Base = Octokit.plugin(restEndpointMethods, throttling);
export type Client = InstanceType<typeof Base>;

export interface ClientOptions {
  /** https://api.github.com, or https://HOST/api/v3 of a GitHub Enterprise server. */
  readonly baseUrl: string;
  readonly auth?: unknown;
  readonly authStrategy?: unknown;
  /** A longer wait than this ends the call. */
  readonly maxWaitSeconds?: number;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** The repository's id, by which it is found again when it was renamed. */
  readonly repository?: number;
  readonly tries?: number;
  readonly log?: (line: string) => void;
  /** Tests: the clock, and the pacing of writes that the throttling plugin shares across a whole process. */
  readonly wait?: (ms: number) => Promise<void>;
  readonly now?: () => number;
  readonly pacing?: object;
}

/**
 * Octokit that sends the token to one host only, refuses what is not an answer, and repeats a call only where that is safe.
 * The throttling plugin only spaces writes out (one a second, as GitHub asks); who waits how long after a refusal is decided in retry.ts.
 */
export function createClient(options: ClientOptions): Client {
  const origin = safeOrigin(options.baseUrl);
  const say = options.log ?? (() => {});
  const client = new Base({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    auth: options.auth,
    ...(options.authStrategy ? { authStrategy: options.authStrategy as never } : {}),
    userAgent: 'perf-lab',
    log: { debug: () => {}, info: () => {}, warn: say, error: () => {} },
    throttle: { onRateLimit: () => false, onSecondaryRateLimit: () => false, ...options.pacing },
    request: { fetch: boundedFetch({ origin, timeoutMs: options.timeoutMs ?? 30_000, maxBytes: options.maxBytes ?? 8 << 20, ...renamedTo(options) }) },
  });
  client.hook.before('request', request => {
    request.headers.accept = 'application/vnd.github+json, application/json;q=0.9';
    request.headers['x-github-api-version'] = '2022-11-28';
  });
  guard(client, options, say);
  return client;
}

const renamedTo = ({ baseUrl, repository }: ClientOptions): { renamedTo?: string } =>
  (repository === undefined ? {} : { renamedTo: `${new URL(baseUrl).pathname.replace(/\/+$/, '')}/repositories/${repository}` });

// Registered last, so it is the outermost layer: what it refuses nobody tries again.
function guard(client: Client, options: ClientOptions, say: (line: string) => void): void {
  const limits = { tries: options.tries ?? 5, maxWaitSeconds: options.maxWaitSeconds ?? 120 };
  const wait = options.wait ?? (async ms => { await sleep(ms); });
  const now = options.now ?? Date.now;
  client.hook.wrap('request', async (request, call) => {
    const isSafe = isRepeatable(call.method) || (call.request as { repeatable?: boolean } | undefined)?.repeatable === true;
    for (let tried = 1; ; tried++) {
      try {
        const answer = await request(call);
        const mayRedirect = (call.request as { expectRedirect?: boolean } | undefined)?.expectRedirect === true;
        if (!(mayRedirect && answer.status as number === 302)) refuseRubbish(answer, `${call.method} ${call.url}`);
        return answer;
      } catch (error) {
        if ((error as Error).name === 'AbortError') throw error;
        const seconds = waitBefore(failureOf(error), isSafe, tried, now(), limits);
        if (seconds === null) throw error;
        say(`${call.method} ${call.url}: ${describe(error)}; again in ${seconds} s (try ${tried + 1} of ${limits.tries})`);
        await wait(seconds * 1000);
      }
    }
  });
}

// Octokit takes HTML, a cut body or `null` with status 200 as data, and a redirect as success.
function refuseRubbish(answer: { status: number; data: unknown }, what: string): void {
  if (answer.status >= 300 && answer.status !== 304) throw new Refused(`${what} was redirected (${answer.status}); redirects are not followed`);
  if (answer.status !== 204 && answer.status !== 205 && (typeof answer.data !== 'object' || answer.data === null)) throw new Refused(`the answer to ${what} is not JSON`);
}

/** Status and headers of what Octokit threw; a lost connection has no response. */
export function failureOf(error: unknown): Failure {
  const { status, response, message } = error as { status?: number; response?: { headers: Record<string, string> }; message?: string };
  return { status: response === undefined ? 0 : status ?? 0, headers: response?.headers ?? {}, message: message ?? String(error) };
}

/** 0 when there was no answer. */
export const statusOf = (error: unknown): number => failureOf(error).status;

const describe = (error: unknown): string => {
  const { status, message } = failureOf(error);
  return status === 0 ? 'no answer' : `${status} ${message.split('\n')[0]?.slice(0, 120) ?? ''}`;
};

function safeOrigin(baseUrl: string): string {
  const url = new URL(baseUrl);
  const isLoopback = url.hostname === '127.0.0.1' || url.hostname === 'localhost' || url.hostname === '[::1]';
  if (url.protocol !== 'https:' && !isLoopback) throw new Refused(`refusing ${url.origin}: the token is only sent over https`);
  return url.origin;
}

/** 403 and 404 both mean "not for you": GitHub hides what a token may not see. */
export const isRefusedByGitHub = (status: number): boolean => status === 403 || status === 404;
