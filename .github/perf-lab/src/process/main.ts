import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { failureOf, isRefusedByGitHub } from '../github/client.ts';
import { line } from '../text/untrusted.ts';

/** Notes for the job log, on stderr. One line each, ours in front: the runner reads log lines as commands only when they start so. */
export const say = (text: string): void => {
  process.stderr.write(`perf-lab: ${line(text, 600)}\n`);
};

/** Runs a command when its file was started, and not when a test imports it. Ends with its exit code; 1 for a broken machine or a bug. */
export function main(moduleUrl: string, command: () => Promise<number>): void {
  const started = process.argv[1];
  if (started === undefined || pathToFileURL(realPath(started)).href !== moduleUrl) return;
  Promise.resolve().then(command).then(code => { process.exitCode = code; }, (error: unknown) => {
    say(explain(error));
    process.exitCode = 1;
  });
}

/** Node names a module by its real path: a command started through a link would otherwise do nothing, and end with 0. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What was tried, what came back, what to do: one line. */
export function explain(error: unknown): string {
  const { status, message } = failureOf(error);
  const call = (error as { request?: { method?: string; url?: string } }).request;
  if (call === undefined) return message;
  const what = `${call.method ?? 'a call'} ${call.url?.replace(/^https?:\/\/[^/]+/, '').split('?')[0] ?? ''}`;
  const todo = status === 401 ? 'the token is not valid any more: re-run the job'
    : isRefusedByGitHub(status) ? 'check the permissions of this job'
    : 're-run this job: every step finds what it has already done';
  return status === 0 ? `${what} got no answer (${message}); ${todo}` : `${what} answered ${status} (${message}); ${todo}`;
}
