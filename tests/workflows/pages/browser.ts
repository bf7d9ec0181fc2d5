import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type Page, chromium } from 'playwright-core';
import { expect } from 'vitest';

/** Debian's Chromium; a test that has none says so and is skipped. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

export const launch = (): Promise<Browser> => chromium.launch({ executablePath: chromiumPath!, args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb', '--font-render-hinting=none'] });

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding { readonly id: string; readonly impact: string; readonly nodes: readonly { readonly html: string }[] }

/** What axe finds that is serious or worse: none. The page's own policy lets no script in, so axe comes by the debugger. */
export async function expectAccessible(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe });
  const { result } = await session.send('Runtime.evaluate', { expression: 'axe.run().then(found => JSON.stringify(found.violations))', awaitPromise: true });
  const found = (JSON.parse(String(result.value)) as Finding[]).filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

/** A page in which every fault is one of the test: nothing is refused by its policy, nothing throws, nothing is asked of a network. */
export async function open(browser: Browser, url: string, options: { width?: number; colours?: 'light' | 'dark'; script?: boolean } = {}): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ viewport: { width: options.width ?? 1200, height: 900 }, colorScheme: options.colours ?? 'light', javaScriptEnabled: options.script ?? true });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', error => faults.push(error.message));
  page.on('console', message => { if (message.type() === 'error') faults.push(message.text()); });
  page.on('dialog', dialog => { faults.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
  page.on('request', request => { if (!/^(file|data|blob):/.test(request.url())) faults.push(`asked for ${request.url()}`); });
  await page.goto(url);
  return { page, faults };
}
