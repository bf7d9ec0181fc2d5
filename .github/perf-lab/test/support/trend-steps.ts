import fs from 'node:fs';
import type { Trend } from '../../src/history/trend-file.ts';
import type { FakeGitHub } from '../fake/server.ts';
import { Job } from './lab.ts';
import { FIND_OUT, sha256, summary } from './request.ts';

export const ANCHOR = '1'.repeat(40), BEFORE = '2'.repeat(40), AFTER = '3'.repeat(40), HEAD = '4'.repeat(40);

export const jobOf = (fake: FakeGitHub, env: Record<string, string> = {}): Job => new Job(fake, { GITHUB_SHA: HEAD, GITHUB_REF: 'refs/heads/main', PERF_LAB_ANCHOR: ANCHOR, ...env });

export const place = (commit: string | null) => ({ session: 's', started: '2026-03-02T03:00:00Z', commit });
export const change = (id: string, more: Partial<Trend['changes'][number]> = {}): Trend['changes'][number] => ({
  id: id.repeat(12), status: 'due', machine: 'm', cpu: 'c', executor: 'docker', before: place('2'.repeat(12)), after: place('3'.repeat(12)), confirm: './perf-lab run …', experiment: null, recoveredBy: null,
  members: [{ workload: 'primes', values: { limit: '300' }, metric: 't', unit: '1/s', change: 0.08, pValue: 0.004, series: 'f'.repeat(64) }], ...more,
});
export const trendOf = (...changes: Trend['changes']): Trend => ({ schema: 'perf-lab/trend/1', series: 1, sessions: 12, newest: place(HEAD), changes, environment: [], stopped: [], warnings: [] });

/** A runner that answers each command with a file, and keeps what it was called with. */
export function runnerOf(at: Job, answers: { plan?: number; trend?: Trend } = {}): string {
  at.write('trend.answer', JSON.stringify(answers.trend ?? trendOf()));
  at.write('comparison.answer', summary({ unchanged: 1 }));
  const file = at.write('runner', `#!/bin/sh
printf '%s\\n' "$*" >>'${at.path('called')}'
case $1 in
  plan) echo '{"plan":1}'; echo "nothing of that name" >&2; exit ${answers.plan ?? 0} ;;
  trend) cat '${at.path('trend.answer')}' ;;
  compare)
    ${FIND_OUT}
    echo '**no change found in 1**' >"$out/report.md"; : >"$out/report.html"
    cat '${at.path('comparison.answer')}' ;;
  *) echo done ;;
esac
`);
  fs.chmodSync(file, 0o755);
  return file;
}

/** As the job finds its folder: the history of `look`, plans, results. */
export function publishable(fake: FakeGitHub, more: Record<string, string> = {}, found = trendOf(change('a', { status: 'confirmed', confirm: null, experiment: { session: 'e', change: 0.08, low: 0.07, high: 0.09, pValue: 1e-8, rounds: 28, verdict: 'regressed' } }))): Job {
  const at = jobOf(fake, { PERF_LAB_HEAD: HEAD, PERF_LAB_SUITE: 'pr', PERF_LAB_MACHINE: 'azure-d4s', PERF_LAB_RESULT_MEASURE: 'success', ...more });
  fs.mkdirSync(at.path('trend/bundle/2026'), { recursive: true });
  fs.mkdirSync(at.path('trend/weekly'));
  at.write('trend/bundle/2026/20260302-030000-2d711642b726b044.ndjson', 'x');
  at.write('trend/bundle/trend.json', JSON.stringify(found));
  at.write('trend/weekly/samples.ndjson', 'y');
  Object.assign(at.env, { PERF_LAB_OUT: at.path('trend'), PERF_LAB_RUNNER: runnerOf(at, { trend: found }), PERF_LAB_PLAN: at.write('plan.json', '{}'), PERF_LAB_PLAN_DIGEST: sha256('{}'), ...more });
  return at;
}
