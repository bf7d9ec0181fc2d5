/**
 * What tells our issues apart: a hidden first line, as in our comments, of our own user. The second line is what a later run needs to know.
 * Whoever may edit the issue may edit it; nothing here grants anything, and every number is looked up again.
 */
export type Kind = { readonly changes: readonly string[] } | 'summary';

/** A text that stands under our part is somebody's: it is kept as it is. */
export const END = '<!-- perf-lab:end -->';

export const markerLine = (kind: Kind): string => (kind === 'summary' ? '<!-- perf-lab:trend v1 summary -->' : `<!-- perf-lab:trend v1 changes=${kind.changes.join(',')} -->`);

const LINE = /^<!-- perf-lab:trend v1 (?:(summary)|changes=([0-9a-f]{12}(?:,[0-9a-f]{12}){0,49})) -->(?:\r?\n|$)/;

export function readMarker(body: string): Kind | null {
  const found = LINE.exec(body);
  return found === null ? null : found[1] === 'summary' ? 'summary' : { changes: found[2]!.split(',') };
}

/** What we said last: `recovered` means that we closed it. */
export type Said = 'confirmed' | 'recovered';

export const saidLine = (said: Said): string => `<!-- perf-lab:trend-said ${said} -->`;

export const readSaid = (body: string): Said => (/^<!-- perf-lab:trend-said recovered( |$)/.test(body.split(/\r?\n/, 2)[1] ?? '') ? 'recovered' : 'confirmed');

/** Of the summary: where we left the data branch, the day of the last success, the issue of each change. */
export interface Memory {
  readonly data: string | null;
  readonly success: string | null;
  readonly issues: ReadonlyMap<string, number>;
}

export const NOTHING_KNOWN: Memory = { data: null, success: null, issues: new Map() };

/** Newest last; the oldest are forgotten first, because an issue's body has room for so much. */
export const MOST_ISSUES = 1000;

export const memoryLine = ({ data, success, issues }: Memory): string =>
  `<!-- perf-lab:trend-memory data=${data ?? '-'} success=${success ?? '-'} issues=${[...issues].slice(-MOST_ISSUES).map(([id, number]) => `${id}:${number}`).join(',') || '-'} -->`;

const MEMORY = /^<!-- perf-lab:trend-memory data=([0-9a-f]{40}|-) success=([0-9]{4}-[0-9]{2}-[0-9]{2}|-) issues=((?:[0-9a-f]{12}:[1-9][0-9]{0,9})(?:,[0-9a-f]{12}:[1-9][0-9]{0,9})*|-) -->$/;

export function readMemory(body: string): Memory {
  const found = MEMORY.exec(body.split(/\r?\n/, 2)[1] ?? '');
  if (found === null) return NOTHING_KNOWN;
  const issues = found[3] === '-' ? [] : found[3]!.split(',').map(pair => pair.split(':')).map(([id, number]) => [id!, Number(number)] as const);
  return { data: found[1] === '-' ? null : found[1]!, success: found[2] === '-' ? null : found[2]!, issues: new Map(issues) };
}
