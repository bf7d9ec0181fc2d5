import { readFileSync } from 'node:fs';

const styles: Readonly<Record<string, string>> = { 0: '', 1: 'font-weight:bold', 31: 'color:#ff8a80', 32: 'color:#4fd1a1', 33: 'color:#e8c15a', 91: 'color:#ff8a80' };

/** What a terminal printed, as a page that looks like one. */
export function terminalPage(file: string): string {
  const text = readFileSync(file, 'utf8').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const [first, ...rest] = text.split('\u001b[');
  const spans = rest.map(part => {
    const [, code, shown] = /^([\d;]*)m([\s\S]*)$/.exec(part)!;
    return `<span style="${styles[code!] ?? ''}">${shown}</span>`;
  });
  return `<!doctype html><meta charset="utf-8"><style>body{margin:0;background:#0d1117;display:inline-block}pre{margin:0;padding:18px;color:#e6edf3;font:15px/1.3 "DejaVu Sans Mono",monospace}</style><pre>${first}${spans.join('')}</pre>`;
}
