import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { budgetOf, costs, page, promiseOf, readPrices } from '../costs/costs';
import { PACES as REAPER_PACES } from '../src/config/settings';
import { ROOT, sample } from './support/sample';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const list = readPrices(), file = join(ROOT, 'docs/internals/costs.md');

it('the_page_of_costs_is_computed_from_the_prices', () => {
  const made = page(list);
  expect(made).not.toMatch(/NaN|undefined/);
  if (process.env['PERF_LAB_WRITE'] === '1') writeFileSync(file, made);
  expect(readFileSync(file, 'utf8')).toBe(made);
});

/** Figures of money in a text: those with a currency behind them, or an hour, a month, a request. */
const PAGES = ['README.md', ...['docs', 'docs/internals'].flatMap(folder => readdirSync(join(ROOT, folder)).filter(name => name.endsWith('.md')).map(name => `${folder}/${name}`))];
const FIGURES = /(?<![\w.])(\d+(?:\.\d+)?) (?:USD\b|(?:USD )?an hour\b|(?:USD )?a month\b)/g;

it('every_figure_of_money_in_the_docs_is_one_of_the_page', () => {
  const known = new Set([...read('docs/internals/costs.md').matchAll(/\d+(?:\.\d+)?/g)].map(([figure]) => Number(figure)));
  const pages = PAGES.filter(name => !name.endsWith('/costs.md'));
  const strangers = pages.flatMap(name => [...read(name).matchAll(FIGURES)].filter(([, figure]) => !known.has(Number(figure))).map(([text]) => `${name}: ${text}`));
  expect(strangers).toEqual([]);
  expect(pages.flatMap(name => [...read(name).matchAll(FIGURES)]).length).toBeGreaterThan(1);
});

it('a_figure_that_is_on_no_page_would_be_found', () => { expect([...'it costs 47.11 USD, or 36 a month'.matchAll(FIGURES)].map(([, figure]) => figure)).toEqual(['47.11', '36']); });

it('the_sample_s_budget_follows_from_the_table', () => { expect((sample()['budget'] as { amount: number }).amount).toBe(budgetOf(list)); });

it('the_price_of_the_machine_is_the_one_that_status_shows_money_by', () => {
  const machines = (parse(read('perf-lab.yaml')) as { machines: Record<string, { 'size'?: string; 'price-per-hour'?: number }> }).machines;
  for (const one of Object.values(machines)) if (one['price-per-hour'] !== undefined) expect(one['price-per-hour']).toBe(list.prices[one.size ?? '']?.price);
});

it('another_price_changes_every_row_that_it_is_in', () => {
  const dearer = { ...list, prices: { ...list.prices, Standard_D4s_v5: { ...list.prices['Standard_D4s_v5']!, price: 1 } } }, before = costs(list), after = costs(dearer);
  for (const row of ['hour', 'machine', 'month', 'clusterHour', 'clusterMonth'] as const) expect(after[row]).toBeGreaterThan(before[row]);
  expect([after.idle, after.stoppedCluster]).toEqual([before.idle, before.stoppedCluster]);
});

type Reaper = { on: { schedule: { cron: string }[] }; jobs: { reaper: { if: string } } };
const PACES = Object.entries(list.reaper.paces);

it.each(['.github/workflows/reaper.yml', 'examples/library/.github/workflows/reaper.yml'])('%s_offers_the_paces_of_the_table', name => {
  const { on, jobs } = parse(read(name)) as Reaper;
  const perDay = ({ cron }: { cron: string }): number => { const [minutes = '', hours = ''] = cron.split(' '); return minutes.split(',').length * (hours === '*' ? 24 : 24 / Number(hours.replace('*/', ''))); };
  expect(on.schedule.map(perDay)).toEqual(PACES.map(([, rounds]) => rounds));
  for (const { cron } of on.schedule) expect(jobs.reaper.if).toContain(`'${cron}'`);
  for (const [pace] of PACES.slice(1)) expect(jobs.reaper.if).toContain(`vars.PERF_LAB_REAPER == '${pace}'`);
});

it('the_settings_know_the_same_paces', () => { expect(PACES.map(([pace]) => pace)).toEqual([...REAPER_PACES]); });

/** Sentences that promise: the minutes are those of the pace that is not set, or the page says which pace it means. */
it('every_promise_in_the_docs_follows_from_the_pace', () => {
  const said = PAGES.flatMap(name => [...read(name).matchAll(/outlives its lease by more than (\d+) min/g)].map(([, minutes]) => [name, Number(minutes)] as const));
  expect(said.map(([name]) => name)).toContain('docs/operations.md');
  for (const [name, minutes] of said) expect([name, minutes]).toEqual([name, promiseOf('30m')]);
});
