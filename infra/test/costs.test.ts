import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { budgetOf, costs, page, promiseOf, readPrices } from '../costs/costs';
import { ROOT, sample } from './support/sample';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const list = readPrices(), file = join(ROOT, 'docs/costs.md');

it('the_page_of_costs_is_computed_from_the_prices', () => {
  const made = page(list);
  expect(made).not.toMatch(/NaN|undefined/);
  if (process.env['PERF_LAB_WRITE'] === '1') writeFileSync(file, made);
  expect(readFileSync(file, 'utf8')).toBe(made);
});

/** Figures of money in a text: those with a currency behind them, or an hour, a month, a request. */
const FIGURES = /(?<![\w.])(\d+(?:\.\d+)?) (?:USD\b|(?:USD )?an hour\b|(?:USD )?a month\b)/g;

it('every_figure_of_money_in_the_docs_is_one_of_the_page', () => {
  const known = new Set([...read('docs/costs.md').matchAll(/\d+(?:\.\d+)?/g)].map(([figure]) => Number(figure)));
  const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).filter(name => name.endsWith('.md') && name !== 'costs.md').map(name => `docs/${name}`)];
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

it('the_reaper_offers_the_paces_of_the_table_and_the_promise_follows_from_the_one_that_is_not_set', () => {
  const text = read('.github/workflows/reaper.yml'), { on, jobs } = parse(text) as { on: { schedule: { cron: string }[] }; jobs: { reaper: { if: string } } };
  const perDay = ({ cron }: { cron: string }): number => { const [minutes = '', hours = ''] = cron.split(' '); return minutes.split(',').length * (hours === '*' ? 24 : 24 / Number(hours.replace('*/', ''))); };
  expect(on.schedule.map(perDay)).toEqual(Object.values(list.reaper.paces));
  for (const { cron } of on.schedule) expect(jobs.reaper.if).toContain(`'${cron}'`);
  for (const pace of Object.keys(list.reaper.paces).slice(1)) expect(jobs.reaper.if).toContain(`vars.PERF_LAB_REAPER == '${pace}'`);
  expect(read('docs/operations.md')).toContain(`outlives its lease by more than ${promiseOf('30m')} min`);
});
