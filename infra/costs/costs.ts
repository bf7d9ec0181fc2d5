import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WATCH } from '../src/config/names';

interface Price { readonly per: string; readonly price: number; readonly from: string }
export interface Prices {
  readonly date: string; readonly region: string; readonly currency: string; readonly hoursPerMonth: number;
  readonly prices: Readonly<Record<string, Price>>;
  readonly request: { readonly minutes: number; readonly bootMinutes: number; readonly signatures: number; readonly hostedMinutes: number };
  readonly requestsPerMonth: number; readonly clusterHoursPerMonth: number;
  readonly reaper: { readonly minutesPerRun: number; readonly paces: Readonly<Record<string, number>> };
}

export const readPrices = (): Prices => JSON.parse(readFileSync(join(__dirname, 'prices.json'), 'utf8')) as Prices;

const money = (value: number): string => value.toFixed(2);
/** Of a look that finds a stopped cluster: the clock, the look, the question. */
const DAYS = 30, NODES = 2, WATCH_ACTIONS = 3;

/** What a lab costs, from one list of prices: each row is computed, none is written by hand. */
export function costs({ prices, request, requestsPerMonth, clusterHoursPerMonth, hoursPerMonth, reaper }: Prices) {
  const of = (name: string): number => prices[name]?.price ?? NaN;
  const hour = of('Standard_D4s_v5') + of('Premium SSD P6 (64 GiB)') + of('Standard public address');
  const machine = hour * (request.minutes + request.bootMinutes) / 60 + of('vault signature') * request.signatures / 10_000;
  const idle = of('state: storage account and key');
  const watchdog = of('Logic Apps action') / 1000 * WATCH_ACTIONS * hoursPerMonth / WATCH.everyHours;
  const stoppedCluster = (of('Standard load balancer') + of('Standard public address') + NODES * of('Premium SSD P6 (64 GiB)')) * hoursPerMonth + watchdog;
  const clusterHour = 2 * 3 * of('Standard_D4s_v5');
  const minutes = Object.fromEntries(Object.entries(reaper.paces).map(([pace, perDay]) => [pace, perDay * DAYS * reaper.minutesPerRun]));
  const hosted = (count: number): number => count * of('GitHub Actions minute, Linux');
  return { hour, machine, idle, month: idle + requestsPerMonth * machine, stoppedCluster, clusterHour, clusterMonth: stoppedCluster + clusterHoursPerMonth * clusterHour, minutes, hosted, requestHosted: hosted(request.hostedMinutes) };
}

/** How long after its lease a machine may live while GitHub works: one round of the reaper, and five minutes in which Azure accepts the deletion. */
export const promiseOf = (pace: string): number => (pace.endsWith('h') ? Number.parseInt(pace, 10) * 60 : Number.parseInt(pace, 10)) + 5;

/** docs/internals/costs.md. */
export function page(list: Prices): string {
  const it = costs(list), { request, requestsPerMonth, currency } = list, priceRows = Object.entries(list.prices).map(([name, { per, price, from }]) => `| ${name} | ${price} a ${per} | ${from} |`);
  return `# What a lab costs

Made by \`PERF_LAB_WRITE=1 npx vitest run test/costs.test.ts\` in \`infra\` from [prices.json](../../infra/costs/prices.json): prices in ${currency} for ${list.region}, written down on ${list.date}. **None was looked up**: the project's machines reach no price list. Azure's price calculator has
yours; put them into that file and make this page anew. Every figure of money in the other pages is one of this page (a test).

| what | ${currency} |
|---|---|
| idle, a month: state and its key; scale sets, network, roles, policy, budget and vault cost nothing | ${money(it.idle)} |
| a request of ${request.minutes} minutes on a Standard_D4s_v5, ${request.bootMinutes} minutes to boot, disk, address and ${request.signatures} signatures with it | ${money(it.machine)} |
| a month of ${requestsPerMonth} such requests | ${money(it.month)} |
| a cluster, stopped, a month: load balancer, address, disks of ${NODES} nodes, its watchdog | ${money(it.stoppedCluster)} |
| a cluster with all six nodes, an hour | ${money(it.clusterHour)} |
| a month of ${requestsPerMonth} requests with a cluster, full for ${list.clusterHoursPerMonth} hours | ${money(it.month + it.clusterMonth)} |

**The budget** in \`Pulumi.sample.yaml\` is ${budgetOf(list)}: twice a month of ${requestsPerMonth} requests, rounded up to 5.

## GitHub's minutes

Free in a public repository. In a private one each job is billed by the minute begun, within or beyond what the plan includes. The reaper's pace is a setting: the variable \`PERF_LAB_REAPER\`. What it promises follows from it: one round, and
five minutes in which Azure accepts a deletion.

| \`PERF_LAB_REAPER\` | rounds a day | minutes a month, ${list.reaper.minutesPerRun} a round assumed | at ${list.prices['GitHub Actions minute, Linux']?.price ?? 0} a minute | no machine outlives its lease by more than |
|---|---|---|---|---|
${Object.entries(list.reaper.paces).map(([pace, perDay]) => `| \`${pace}\`${pace === '30m' ? ', or not set' : ''} | ${perDay} | ${it.minutes[pace]} | ${money(it.hosted(it.minutes[pace] ?? NaN))} | ${promiseOf(pace)} min |`).join('\n')}

A request's hosted jobs (gate, plan, two builds, up, down, publish and the smaller ones) take about ${request.hostedMinutes} minutes, assumed: ${money(it.requestHosted)} in a private repository.

## Prices

| what | price | from |
|---|---|---|
${priceRows.join('\n')}
`;
}

/** Twice a month's requests, rounded up to five. */
export const budgetOf = (list: Prices): number => Math.ceil(2 * costs(list).month / 5) * 5;
