import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { repository } from '../rules/files.ts';

const folder = join(repository, 'docs/results/comments');

// What differs between two runs of a test, in place of paths and commits of this machine.
const steady = (text: string, names: { base: string; head: string }): string =>
  text.replaceAll(names.base, 'b'.repeat(40)).replaceAll(names.head, 'a'.repeat(40)).replaceAll(names.base.slice(0, 12), 'b'.repeat(12)).replaceAll(names.head.slice(0, 12), 'a'.repeat(12));

/** With PERF_LAB_WRITE=1 the comment is kept under docs/, as text and as a page that shows it like GitHub does. */
export function keep(name: string, comment: string, names: { base: string; head: string }): void {
  if (process.env['PERF_LAB_WRITE'] !== '1') return;
  mkdirSync(folder, { recursive: true });
  const text = steady(comment, names);
  writeFileSync(join(folder, `${name}.md`), `${text}\n`);
  writeFileSync(join(process.env['PERF_LAB_PAGES'] ?? folder, `${name}.html`), page(text));
}

function page(markdown: string): string {
  const body = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
  return `<!doctype html><meta charset="utf-8"><style>
body{font:14px/1.5 -apple-system,"Segoe UI","DejaVu Sans",sans-serif;color:#1f2328;margin:16px;width:860px;border:1px solid #d1d9e0;border-radius:6px;padding:16px}
table{border-collapse:collapse;margin:0 0 16px;display:block;overflow:auto}th,td{border:1px solid #d1d9e0;padding:4px 10px}tr:nth-child(2n){background:#f6f8fa}
code{background:#eff1f3;padding:.15em .35em;border-radius:4px;font:85% "DejaVu Sans Mono",monospace}pre{background:#f6f8fa;padding:12px;overflow:auto}pre code{background:none;padding:0}a{color:#0969da}
h2,h3{border-bottom:1px solid #d1d9e0;padding-bottom:4px}</style>${body}`;
}
