import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readdirSync } from 'node:fs';
import { launch, open } from './browser.ts';

// npx tsx pages/load.ts SITE: how long Chromium takes from the address to the first paint, and to the end of loading, each page 11 times anew.
const site = process.argv[2]!;
const first = readdirSync(join(site, 'series'))[0]!;
const pages = {
  overview: 'index.html', workload: join('workload', readdirSync(join(site, 'workload'))[0]!), series: join('series', first, readdirSync(join(site, 'series', first))[0]!),
  session: join('session', readdirSync(join(site, 'session'))[0]!), compare: 'compare.html',
};
const browser = await launch();
console.log('| page | first paint, median (slowest) | loaded, median (slowest) |\n|---|---|---|');
for (const [name, path] of Object.entries(pages)) {
  const times: { paint: number; load: number }[] = [];
  for (let turn = 0; turn < 11; turn++) {
    const { page } = await open(browser, pathToFileURL(join(site, path)).href);
    times.push(await page.evaluate(async () => {
      await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 50)));
      const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
      return { paint, load: (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).loadEventEnd };
    }));
    await page.context().close();
  }
  const shown = (of: 'paint' | 'load'): string => { const sorted = times.map(time => time[of]).sort((a, b) => a - b); return `${sorted[5]!.toFixed(0)} ms (${sorted[10]!.toFixed(0)} ms)`; };
  console.log(`| ${name} | ${shown('paint')} | ${shown('load')} |`);
}
await browser.close();
