import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { repository } from '../rules/files.ts';

interface Names { readonly base: string; readonly head: string; readonly folder: string }

const results = (kind: Kind): string => join(repository, 'results', kind);
type Kind = 'comments' | 'trend-issues';

// What differs between two runs of a test, in place of paths and commits of this machine.
const steady = (text: string, names: Names): string =>
  text.replaceAll(join(names.folder, 'work'), '/home/runner/work/library/library').replaceAll(names.base, 'b'.repeat(40)).replaceAll(names.head, 'a'.repeat(40)).replaceAll(names.base.slice(0, 12), 'b'.repeat(12)).replaceAll(names.head.slice(0, 12), 'a'.repeat(12));

/** With PERF_LAB_WRITE=1 the comment is kept under docs/, as text; PERF_LAB_PAGES is a folder for pages that show it as GitHub would. */
export function keep(name: string, comment: string, names: Names): void { keepText('comments', name, steady(comment, names)); }

/** A comment that has to stay as it was kept: what it is now, and what was kept last. The plan's hash holds the commits, whose time differs. */
export function held(name: string, comment: string, names: Names): { readonly now: string; readonly kept: string } {
  const now = steady(comment, names).replace(/(plan: `sha256:)[0-9a-f]{64}/, `$1${'5'.repeat(64)}`);
  keepText('comments', name, now);
  return { now: `${now}\n`, kept: readFileSync(join(results('comments'), `${name}.md`), 'utf8') };
}

/** The same of a text that needs no name replaced. */
export function keepText(kind: Kind, name: string, text: string): void {
  if (process.env['PERF_LAB_WRITE'] !== '1') return;
  mkdirSync(results(kind), { recursive: true });
  writeFileSync(join(results(kind), `${name}.md`), `${text}\n`);
  const pages = process.env['PERF_LAB_PAGES'];
  if (pages !== undefined) writeFileSync(join(pages, `${name}.html`), commentPage(text));
}

/** The calls of one whole request, as a list that a test made. */
export function keepCalls(calls: readonly string[]): void {
  if (process.env['PERF_LAB_WRITE'] !== '1') return;
  writeFileSync(join(results('comments'), 'calls.txt'), [`${calls.length} calls of GitHub's API in one measured request`, ...calls, ''].join('\n'));
}

/** The comment as GitHub's own page would show it: its widths and its breaking of lines, not its code. */
export function commentPage(markdown: string): string {
  const body = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>
body{font:14px/1.5 -apple-system,BlinkMacSystemFont,"Segoe UI","Noto Sans",Helvetica,Arial,sans-serif,"Noto Color Emoji";color:#1f2328;margin:16px;max-width:860px;overflow-wrap:break-word;border:1px solid #d1d9e0;border-radius:6px;padding:16px}
table{border-collapse:collapse;margin:0 0 16px;display:block;width:max-content;max-width:100%;overflow:auto}th,td{border:1px solid #d1d9e0;padding:6px 13px}tr:nth-child(2n){background:#f6f8fa}
code{background:#eff1f3;padding:.2em .4em;border-radius:6px;font:85% ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;white-space:break-spaces}pre{background:#f6f8fa;padding:16px;overflow:auto}pre code{background:none;padding:0;white-space:pre}a{color:#0969da}
details{margin:0 0 16px}h2,h3{border-bottom:1px solid #d1d9e0;padding-bottom:4px}</style>${body}`;
}
