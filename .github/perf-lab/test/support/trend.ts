import type { Change, Trend } from '../../src/history/trend-file.ts';

export const at = { owner: 'example', repo: 'library', runId: 900, runAttempt: 1, apiUrl: '', serverUrl: 'https://github.com' };

/** The session of a week, Mondays at three, 2026. */
export const place = (week: number): Change['before'] => ({ session: `s${week}`, started: new Date(Date.UTC(2026, 0, 5 + 7 * week, 3)).toISOString(), commit: String(week).padStart(12, '0') });

/** A confirmed change for the worse. */
export const change = (id: string, { status = 'confirmed' as Change['status'], week = 6, series = 'f', ...more }: Partial<Change> & { week?: number; series?: string } = {}): Change => ({
  id, status, machine: 'm', cpu: 'AMD EPYC', executor: 'docker', before: place(week - 2), after: place(week), confirm: null, recoveredBy: null,
  members: [{ workload: 'primes', values: { limit: '300' }, metric: 'throughput', unit: '1/s', change: 0.08, pValue: 0.002, series: series.repeat(64) }],
  experiment: { session: 'e', change: 0.081, low: 0.07, high: 0.09, pValue: 1e-8, rounds: 28, verdict: 'regressed' }, ...more,
});

export const trendOf = (...changes: Change[]): Trend => ({ schema: 'perf-lab/trend/1', series: 3, sessions: 20, newest: place(12), changes, environment: [], stopped: [], warnings: [] });
