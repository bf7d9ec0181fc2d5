import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { NEWEST } from '../src/history/kept-history.ts';
import { BRANCH } from '../src/history/branch.ts';
import { pushCommit, putBlob } from './fake/git-routes.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { CONFIG, Job } from './support/lab.ts';
import { Journey, summary } from './support/request.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
const roots: string[] = [];
afterAll(async () => { roots.forEach(root => { fs.rmSync(`${root}/..`, { recursive: true, force: true }); }); Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

/** Sessions of so many days on the data branch. */
function kept(days: number): void {
  const named = Array.from({ length: days }, (_, day) => {
    const text = `session of day ${day}`, date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10).replaceAll('-', '');
    return [`2026/${date}-030000-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.ndjson`, { sha: putBlob(fake.state, Buffer.from(text)), mode: '100644' }] as const;
  });
  pushCommit(fake.state, BRANCH, new Map(named), { parent: null });
}

async function ready(config: string, counts: Record<string, number> = { unchanged: 1 }): Promise<Journey> {
  const journey = (await Journey.accepted(fake)).journal().runner({ comparison: summary(counts) });
  journey.job.write('perf-lab.yaml', config);
  return journey;
}
const budget = `${CONFIG}budget: 0.05\n`;
function rootOf(journey: Journey): string | undefined {
  const root = /^PERF_LAB_ROOT=(.*)$/m.exec(journey.job.read('called-env'))?.[1];
  if (root !== undefined) roots.push(root);
  return root;
}

it('compares_in_a_lab_that_knows_the_newest_sessions_and_the_budget', async () => {
  kept(NEWEST + 3);
  const journey = await ready(budget);
  expect(await journey.publish()).toBe(0);
  const called = journey.job.read('called'), root = rootOf(journey)!;
  expect(called).toMatch(/^history\nimport\n(.*)\/bundle\ncompare\n/);
  expect(fake.state.comments.at(-1)!.body).not.toContain('is not told');
  expect([...journey.job.read('called-env').matchAll(/^PERF_LAB_ROOT=(.*)$/gm)].map(([, one]) => one)).toEqual([root, root]);
  expect(fs.readFileSync(`${root}/perf-lab.yaml`, 'utf8')).toBe('schema: perf-lab/config/1\nbudget: 0.05\n');
  const files = fs.readdirSync(`${root}/../bundle/2026`).sort();
  expect([files.length, files[0]!.slice(0, 8)]).toEqual([NEWEST, '20260104']);
});

it.each([['without a budget', CONFIG, 3], ['without a history', budget, 0]])('asks_for_no_history_%s', async (_, config, days) => {
  if (days > 0) kept(days);
  const journey = await ready(config);
  await journey.publish();
  expect(journey.job.read('called')).not.toContain('history');
  expect(rootOf(journey)).toBeUndefined();
  expect(fake.state.comments.at(-1)!.body).not.toContain('budget');
});

it.each([['without a budget', CONFIG, 3, 'sets no `budget`'], ['without a history', budget, 0, 'has kept no session yet']])('a_check_that_fails_for_the_budget_is_not_green_%s', async (_, config, days, why) => {
  if (days > 0) kept(days);
  const journey = await ready(config);
  journey.job.env['PERF_LAB_FAIL_ON'] = 'budget';
  await journey.publish();
  expect(fake.state.checks[0]!.conclusion).toBe('neutral');
  expect(fake.state.checks[0]!.output!.summary).toContain('Neutral: Whether the budget is overspent can\'t be told: ');
  expect(fake.state.checks[0]!.output!.summary).toContain(why);
});

it.each([['regressions', 'failure'], ['regression, Allocations', 'failure'], ['regression,, allocations ,', 'success']])('fail_on_%s_is_read_whole: %s', async (gates, conclusion) => {
  const journey = await ready(CONFIG);
  journey.job.env['PERF_LAB_FAIL_ON'] = gates;
  await journey.publish();
  expect(fake.state.checks[0]!.conclusion).toBe(conclusion);
  expect(fake.state.comments.at(-1)!.body.includes('**The check fails because of its own setting**')).toBe(conclusion === 'failure');
});

it.each([[1, false], [2, true]])('gives_the_answer_where_the_import_ends_with_%i_and_says_that_it_could_not_be_read: %s', async (exit, isTold) => {
  kept(1);
  const journey = await ready(budget);
  const script = journey.job.read('runner').replace('#!/bin/sh\n', `#!/bin/sh\nif [ "$1" = history ]; then exit ${exit}; fi\n`);
  fs.writeFileSync(journey.job.path('runner'), script);
  expect(await journey.publish()).toBe(0);
  expect(fake.state.comments.at(-1)!.body.includes('The budget since the anchor is not told: the history could not be read')).toBe(isTold);
  expect(fake.state.checks[0]!.conclusion).toBe('success');
  rootOf(journey);
});

it.each([['budget', 'failure'], ['regression', 'neutral']])('a_change_that_overspends_ends_with_fail_on_%s_as_%s', async (gate, conclusion) => {
  kept(1);
  const journey = await ready(budget, { unchanged: 3, overBudget: 1 });
  journey.job.env['PERF_LAB_FAIL_ON'] = gate;
  await journey.publish();
  expect(fake.state.checks[0]!.conclusion).toBe(conclusion);
});
