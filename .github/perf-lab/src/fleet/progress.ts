import type { RunJob } from '../github/jobs.ts';

/** How far the machines of a request are, by GitHub's own list of jobs and its clock: no machine's clock counts. */
export function machinesDone(jobs: readonly RunJob[], machines: number, mostSeconds: number, now: number): string {
  const measuring = new Map<number, RunJob>();
  for (const job of jobs) {
    const number = Number(/(?:^| \/ )shard-([1-8]) \/ measure$/.exec(job.name)?.[1] ?? 0);
    // Which of the eight there are depends on which came; what was skipped is none of them.
    if (number >= 1 && job.conclusion !== 'skipped') measuring.set(number, job);
  }
  const done = [...measuring.values()].filter(job => job.conclusion !== null);
  const told = `${done.length} of ${machines} machines done`;
  if (done.length >= machines) return told;
  // Machines have about equally much to do. What those that are done took of the longest time that was planned says how much was confirmed.
  const taken = done.filter(job => job.conclusion === 'success').map(job => (Date.parse(job.completed_at ?? '') - Date.parse(job.started_at ?? '')) / 1000).filter(Number.isFinite);
  if (taken.length === 0) return told;
  const usual = Math.min(mostSeconds, taken.reduce((sum, one) => sum + one, 0) / taken.length);
  const waiting = Array.from({ length: Math.max(0, machines - measuring.size) }, () => undefined);
  const left = [...waiting, ...[...measuring.values()].filter(job => job.conclusion === null)]
    .map(job => { const since = (now - Date.parse(job?.started_at ?? '')) / 1000; return Number.isFinite(since) ? usual - Math.max(0, since) : usual; });
  const minutes = Math.ceil(Math.max(...left) / 60);
  return minutes < 1 ? `${told}, the rest soon` : `${told}, about ${minutes} min left`;
}
