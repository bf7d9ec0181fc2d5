import { code } from './untrusted.ts';

/** GitHub's limit is 65,536 characters for a comment; what is above this may be said by others in the same comment. */
export const COMMENT_BUDGET = 60_000;

export interface Section {
  readonly title: string;
  readonly body: string;
}

/**
 * A report as parts that can be left out as a whole: what stands before the first heading, then each `###` heading or top-level fold.
 * Headings and folds inside fences don't count.
 */
export function splitSections(markdown: string): Section[] {
  const sections: { title: string; lines: string[] }[] = [{ title: 'Verdict', lines: [] }];
  let fence = '';
  let depth = 0;
  for (const line of markdown.replace(/\n+$/, '').split('\n')) {
    if (fence === '' && depth === 0) {
      const title = /^### (.*)$/.exec(line) ?? /^<details><summary>(.*?)<\/summary>/.exec(line);
      if (title !== null) sections.push({ title: title[1]!, lines: [] });
    }
    const mark = /^ {0,3}(`{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') fence = mark;
    else if (mark.length >= fence.length && /^[ `]*$/.test(line)) fence = '';
    if (fence === '') depth = Math.max(0, depth + count(line, '<details>') - count(line, '</details>'));
    sections.at(-1)!.lines.push(line);
  }
  return sections.map(({ title, lines }) => ({ title, body: lines.join('\n').trim() })).filter(({ body }) => body !== '');
}

const count = (line: string, part: string): number => line.replace(/`[^`]*`/g, '').split(part).length - 1;

/** As many sections as fit, from the top; what is missing is named. No table, fence or surrogate pair is ever cut. The first always stays. */
export function fit(sections: readonly Section[], budget: number): string {
  for (let kept = sections.length; kept > 1; kept--) {
    const text = render(sections.slice(0, kept), sections.slice(kept));
    if (text.length <= budget) return text;
  }
  const first = render(sections.slice(0, 1), sections.slice(1));
  return first.length <= budget ? first : 'The report is too long to be shown here. It is with the files of this run.';
}

const MOST_NAMED = 20;

function render(kept: readonly Section[], left: readonly Section[]): string {
  const named = left.slice(0, MOST_NAMED).map(({ title }) => code(title)).join(', ');
  const more = left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : '';
  const note = left.length === 0 ? [] : [`Left out, because it would not have fitted: ${named}${more}. The complete report is in the job summary and with the files of this run.`];
  return [...kept.map(({ body }) => body), ...note].join('\n\n');
}
