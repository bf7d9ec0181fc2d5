import { runUrl, type Workplace } from '../process/environment.ts';
import type { BenchmarkRequest } from '../request/request.ts';
import { commandLine } from '../request/words.ts';
import { digestOf } from '../snippet/snippet.ts';
import { fenceOfCSharp } from '../text/untrusted.ts';
import { linkToBoth } from './links.ts';
import { stateLine, type Stage, type State } from './state.ts';

const PATH: readonly Stage[] = ['accepted', 'building', 'waiting', 'measuring'];

/** Markdown of our comments. Only our own words, numbers, commits and names from closed lists; the rest came through text/untrusted.ts. */
export interface Progress {
  readonly request: BenchmarkRequest;
  readonly at: Workplace;
  readonly machine: string;
  readonly now: number;
  /** Sentences about this stage: queue, estimate, expected end. */
  readonly notes: readonly string[];
}

type Of = Pick<Progress, 'request' | 'at' | 'machine'>;

export function stateOf(stage: Stage, { request, at, machine }: Of): State {
  return {
    stage, run: at.runId, attempt: at.runAttempt, requester: request.requesterId, base: request.base, head: request.head, machine,
    command: commandLine(request.words),
    ...(request.snippet === null ? {} : { snippet: { comment: request.snippet.comment, digest: digestOf(request.snippet) } }),
  };
}

/** The comment while the request is under way. It mentions nobody: the mention in the last word is then a new one, and new ones notify. */
export function progressBody(stage: Stage, progress: Progress): string {
  const { request, at, machine, now, notes } = progress;
  const way = [...PATH, 'verdict'].map(step => (step === stage ? `**${step}**` : step)).join(' → ');
  return [
    stateLine(stateOf(stage, progress)),
    `### perf-lab: ${stage}`,
    '',
    way,
    '',
    `- command: \`${commandLine(request.words)}\``,
    `- ${linkToBoth(at, request)}`,
    `- machine \`${machine}\``,
    ...notes.map(note => `- ${note}`),
    `- [live log](${runUrl(at)}), ${stage} since ${clock(now)}`,
    '',
    '`/benchmark cancel` stops it.',
    ...snippetFold(request),
  ].join('\n');
}

/** Begins the fold below: nothing that a snippet holds is read as ours again. */
export const SNIPPET_FOLD = '<details><summary>The benchmarks in C#, SHA-256 ';

/** What is measured in place of the lab's own benchmarks, as it was written; no lines where nothing is. */
export function snippetFold({ snippet }: Pick<BenchmarkRequest, 'snippet'>): string[] {
  return snippet === null ? [] : ['', `${SNIPPET_FOLD}<code>${digestOf(snippet)}</code></summary>`, '', fenceOfCSharp(snippet.text), '', '</details>'];
}

/** The comment when nothing more will come: a headline, then sections. */
export function endBody(stage: Stage, progress: Of, lines: readonly string[]): string {
  return [stateLine(stateOf(stage, progress)), ...lines].join('\n');
}

/** Hour and minute, UTC: 14:05 UTC. */
export const clock = (now: number): string => `${new Date(now).toISOString().slice(11, 16)} UTC`;
