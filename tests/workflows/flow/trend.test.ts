import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { repository } from '../rules/files.ts';
import type { Context } from './expressions.ts';
import { isNightly } from './nightly.ts';
import { keepText } from './pictures.ts';
import { StepRunner, type Result } from './step-runner.ts';
import { Lab, type Speed } from './weekly.ts';

const labs: Lab[] = [];
const open = async (...how: Parameters<typeof Lab.open>): Promise<Lab> => {
  const lab = await Lab.open(...how);
  labs.push(lab);
  return lab;
};
afterAll(async () => { await Promise.all(labs.map(lab => lab.end())); }, 60_000);

const left = !isNightly;
if (left) process.stdout.write('a week that is measured for real, and eighteen weekly runs: left out, they take minutes (`./perf-lab test --all`)\n');

it.skipIf(left)('a schedule on one of GitHub\'s own machines is measured for real, kept on the data branch, told in the summary and shown on its pages', async () => {
  const lab = await open('github');
  lab.change();
  const { results, runner, story } = await lab.week({ pages: true, aa: true });
  expect(results, story).toEqual({ trend: 'success', pages: 'success' });
  expect(runner.labels['trend/weekly/measure']).toEqual(['ubuntu-22.04']);
  const journal = expect.stringMatching(/^[0-9]{4}\/[0-9]{8}-[0-9]{6}-[0-9a-f]{16}\.ndjson$/) as unknown;
  expect(lab.files).toEqual([journal, journal, 'README.md', 'issues.txt', 'trend.json']);
  expect(lab.summary.body).toMatch(/- False flags: [01] of 1 A\/A sessions flagged something/);
  expect(lab.summary.body).toContain('on `github`');
  expect(lab.summary.body).toContain('### 3 regressed, worst ');
  expect(lab.summary.body).not.toContain('did not succeed');
  expect(lab.issues).toEqual([]);
  expect(lab.fake.state.triggered).toEqual([]);
  const pages = [...lab.site!.keys()];
  expect(pages).toContain('index.html');
  expect(lab.site!.get('index.html')).toContain('primes');
  expect([...lab.site!.values()].some(page => page.includes(`https://github.com/example/library/commit/${lab.commits[1]!.slice(0, 12)}`)), pages.join(' ')).toBe(true);
}, 240_000);

it('publishes no page unless the variable says so, nor after a week that failed', async () => {
  const asked = async (vars: Context, publish: Result = 'success'): Promise<string[]> => {
    const folder = mkdtempSync(join(tmpdir(), 'perf-lab-pages-')), event = { schedule: 'x' };
    const runner = new StepRunner({
      source: { folder: repository, repository: 'example/library', commit: '0'.repeat(40) }, folder, archive: () => undefined, stubs: {}, eventPath: '', env: {}, vars: { PERF_LAB_TREND_ANCHOR: '1'.repeat(40), ...vars },
      github: { event, event_name: 'schedule', token: '' }, before: job => (job === 'trend' ? undefined : job === 'trend/publish' ? publish : 'success'),
    });
    await runner.run('.github/workflows/trend.yml');
    rmSync(folder, { recursive: true });
    return Object.keys(runner.labels).filter(job => /site|pages/.test(job));
  };
  expect(await asked({})).toEqual([]);
  expect(await asked({ PERF_LAB_PAGES: 'off' })).toEqual([]);
  expect(await asked({ PERF_LAB_PAGES: 'on' })).toEqual(['trend/site', 'pages']);
  expect(await asked({ PERF_LAB_PAGES: 'on' }, 'failure')).toEqual([]);
});

it('measures an anchor to come and head against itself when asked, and makes its experiment either way', async () => {
  const asked = async (chosen: Record<string, string>, ends: Record<string, Result> = {}): Promise<string[]> => {
    const jobs: string[] = [], outputs = { 'trend/start': chosen, 'trend/look': { confirm: 'planned' } } as Record<string, Record<string, string>>;
    const runner = new StepRunner({
      source: { folder: repository, repository: 'example/library', commit: '0'.repeat(40) }, folder: tmpdir(), archive: () => undefined, stubs: {}, eventPath: '', env: {}, vars: { PERF_LAB_TREND_ANCHOR: '1'.repeat(40) },
      github: { event: {}, event_name: 'schedule', token: '' },
      before: job => {
        if (job === 'trend') return undefined;
        jobs.push(job.replace('trend/', ''));
        return { result: ends[job] ?? 'success', outputs: outputs[job] ?? {} };
      },
    });
    await runner.run('.github/workflows/trend.yml');
    return jobs.filter(job => !['start', 'plan', 'look', 'publish', 'pages'].includes(job)).sort();
  };
  const always = ['bases', 'build-anchor', 'build-head', 'confirm', 'confirm-build-base', 'confirm-build-head', 'weekly'];
  expect(await asked({ aa: 'off' })).toEqual(always);
  expect(await asked({ aa: 'on' })).toEqual([...always, 'aa', 'aa-build-base', 'aa-build-head'].sort());
  expect(await asked({ 'aa': 'off', 'next-anchor': '2'.repeat(40) })).toEqual([...always, 'build-next-anchor'].sort());
  const broken = await asked({ 'aa': 'on', 'next-anchor': '2'.repeat(40) }, { 'trend/build-next-anchor': 'failure', 'trend/aa-build-head': 'failure', 'trend/confirm-build-base': 'failure' });
  expect(broken).not.toContain('weekly');
  expect(broken).not.toContain('aa');
  expect(broken).not.toContain('confirm');
});

/** Weeks after a quarter that was quiet. Commit 12 + n is week n's. Five weeks of a step and nine without it are the fewest that show it mended. */
const FIRST = 13;

it.skipIf(left)('eighteen weekly runs find, confirm, file and close what changed, and nothing else', async () => {
  const lab = await open();
  for (let i = 1; i < FIRST; i++) lab.commit();
  // limit 200 is 8 % slower from week 2 until week 7; limit 400 is 6 % slower from week 6 on.
  const speed: Speed = (limit, commit) => {
    const week = lab.indexOf(commit) - FIRST + 1;
    return limit === '200' && week >= 2 && week < 7 ? 0.92 : limit === '400' && week >= 6 ? 0.94 : 1;
  };
  lab.past(speed, new Date('2026-01-05T03:00:00Z'));
  const told: string[] = [], shown = new Map<number, string>();
  for (let week = 1; week <= 18; week++) {
    lab.commit();
    const started = new Date(Date.UTC(2026, 2, 30 + 7 * (week - 1), 3)).toISOString();
    const broken = (job: string): Result | undefined => (week === 10 && job.endsWith('/build-head/build') ? 'failure' : undefined);
    const { results, story } = await lab.week({ speed, started, before: broken });
    expect(results, `week ${week}: ${story}`).toEqual({ trend: week === 10 ? 'failure' : 'success', pages: 'skipped' });
    if (week === 1) {    // a schedule that ran twice: the same week once more
      await lab.week({ speed, started: started.replace('T03', 'T04'), twice: 'b' });
    }
    if (week === 12 && lab.issues.length > 1) lab.issues[1]!.state = 'closed';    // a person accepts it
    told.push(`week ${week}: ${lab.issues.map(issue => `#${issue.number} ${issue.state}`).join(', ') || 'no issue'}`);
    keepText('trend-issues', `summary-week-${String(week).padStart(2, '0')}`, lab.shown(lab.summary));
    for (const issue of lab.issues) {
      const stands = `${issue.state} ${lab.shown(issue)}`;
      if (shown.get(issue.number) !== stands) keepText('trend-issues', `issue-${issue.number}-week-${String(week).padStart(2, '0')}-${issue.state}`, `# ${issue.title}\n\n${lab.shown(issue)}`);
      shown.set(issue.number, stands);
    }
  }
  keepText('trend-issues', 'weeks', told.map(line => `- ${line}`).join('\n'));
  expect(lab.issues.map(({ title }) => title)).toEqual([expect.stringMatching(/^perf-lab: primes is [789]\.[0-9] % slower/), expect.stringMatching(/^perf-lab: primes is [567]\.[0-9] % slower/)]);
  expect(lab.issues.map(({ state }) => state), told.join('\n')).toEqual(['closed', 'closed']);
  expect(lab.issues[0]!.body).toContain('**Recovered.**');
  expect(lab.issues[1]!.body).not.toContain('**Recovered.**');
  expect(lab.fake.state.triggered).toEqual([]);
}, 1_200_000);

it.skipIf(left)('an anchor that is measured beside the old one for five weeks takes over, and the trend goes on', async () => {
  const lab = await open();
  for (let i = 1; i < FIRST; i++) lab.commit();
  // All since the first anchor is 20 % slower than it, also the anchor to come: nothing changed in these weeks, and the two anchors differ.
  const speed: Speed = (_, commit) => (lab.indexOf(commit) >= 1 ? 0.8 : 1);
  lab.past(speed, new Date('2026-01-05T03:00:00Z'));
  for (let week = 1; week <= 7; week++) {
    lab.commit();
    const isOver = week > 5, started = new Date(Date.UTC(2026, 2, 30 + 7 * (week - 1), 3)).toISOString();
    const { results, story } = await lab.week({ speed, started, aa: week === 1, ...(isOver ? { anchor: 8 } : { nextAnchor: 8 }) });
    expect(results, `week ${week}: ${story}`).toEqual({ trend: 'success', pages: 'skipped' });
    const told = lab.summary.body;
    expect(told).toContain(isOver ? `against the anchor [\`${lab.commits[8]!.slice(0, 12)}` : week === 5 ? 'can take over**: all 3 series' : `0 of 3 series measured both in 5 sessions or more (the fewest: ${week})`);
    expect(told).not.toContain('begins anew there');
  }
  const { series, sessions, warnings } = JSON.parse(lab.trend()) as { series: number; sessions: number; warnings: string[] };
  expect([series, sessions, warnings, lab.issues]).toEqual([3, FIRST - 1 + 7, [], []]);
}, 1_200_000);
