import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isNightly } from '../flow/nightly.ts';
import { repository } from '../rules/files.ts';
import { chromiumPath, expectAccessible, launch, open } from './browser.ts';
import { madeReport, madeSite } from './sample.ts';
import { terminalPage } from './terminal.ts';

const all = isNightly;
if (!all) console.log('pages: skipped without --all: half a minute with a browser');
else if (chromiumPath === undefined) console.log('pages: skipped: no Chromium is installed');

const pictures = join(repository, 'results/pages');

describe.skipIf(!all || chromiumPath === undefined)('what people look at', () => {
  const root = mkdtempSync(join(tmpdir(), 'perf-lab-pages-'));
  let browser: Browser, report: string, site: string;

  beforeAll(async () => {
    report = madeReport(join(root));
    site = madeSite(root);
    browser = await launch();
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    rmSync(root, { recursive: true, force: true });
  });

  it.each([['light', 1200], ['dark', 1200], ['light', 390], ['dark', 390]] as const)('reads well in %s colours, %i pixels wide, without a serious finding', async (colours, width) => {
    const places: [string, string][] = [['report', report], ['site-overview', site], ['site-series', seriesPage()], ['site-compare', new URL('compare.html', site).href]];
    for (const [name, url] of places) {
      const { page, faults } = await open(browser, url, { width, colours });
      if (name === 'site-compare') await choose(page);
      expect(faults, name).toEqual([]);
      // Nothing but tables and pictures, which scroll by themselves, is wider than the window.
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), name).toBeLessThanOrEqual(0);
      await expectAccessible(page);
      // On a phone, too, the verdict is in sight without scrolling sideways.
      if (name === 'report' || name === 'site-overview') expect(await page.locator('.scroll:visible:not(details *)').evaluateAll(areas => areas.map(area => area.scrollWidth - area.clientWidth).filter(beyond => beyond > 0)), name).toEqual([]);
      // Rounds and series are seen whole, in words of 6 pixels or more; other pictures scroll.
      if (width < 500 && name !== 'site-overview' && name !== 'site-compare') {
        const shapes = await page.locator('figure.fits').evaluateAll(figures => figures.map(figure => {
          const picture = figure.querySelector('svg')!;
          const words = [...picture.querySelectorAll('text')].map(text => parseFloat(getComputedStyle(text).fontSize) * picture.clientWidth / picture.viewBox.baseVal.width);
          return { beyond: figure.scrollWidth - figure.clientWidth, least: Math.min(...words) };
        }));
        expect(shapes.length, name).toBeGreaterThan(1);
        expect(shapes.filter(({ beyond, least }) => beyond > 0 || least < 6), name).toEqual([]);
      }
      // On a phone, what goes on beyond an edge shows a shadow there.
      if (width < 500) expect(await page.locator('.scroll:visible, figure:visible').evaluateAll(areas => areas.filter(area => area.scrollWidth > area.clientWidth && !/local.*scroll/.test(getComputedStyle(area).backgroundAttachment)).length), name).toBe(0);
      if (process.env['PERF_LAB_WRITE'] === '1' && name === 'report') await page.locator('article').first().screenshot({ path: join(pictures, `row-${width < 500 ? 'phone' : 'desktop'}-${colours}.png`) });
      if (process.env['PERF_LAB_WRITE'] === '1') await page.screenshot({ path: join(pictures, `${name}-${width < 500 ? 'phone' : 'desktop'}-${colours}.png`), clip: { x: 0, y: 0, width, height: width < 500 ? 844 : 1000 }, fullPage: true });
      await page.context().close();
    }
  }, 120_000);

  it.skipIf(process.env['PERF_LAB_WRITE'] !== '1')('draws the terminal of the demo', async () => {
    const page = await browser.newPage({ viewport: { width: 1000, height: 500 } });
    await page.setContent(terminalPage(join(pictures, 'demo.ansi')));
    await page.locator('body').screenshot({ path: join(pictures, 'demo.png') });
    await page.close();
  }, 60_000);

  it('has no serious finding when every fold is open', async () => {
    const { page } = await open(browser, report);
    await page.evaluate(() => { for (const fold of document.querySelectorAll('details')) fold.open = true; });
    await expectAccessible(page);
    await page.context().close();
  }, 60_000);

  it('can be walked with the keyboard alone: skip, filter, sort, open a row, unfold, copy', async () => {
    const { page, faults } = await open(browser, report);
    const focused = (): Promise<string> => page.evaluate(() => { const at = document.activeElement!; return `${at.tagName.toLowerCase()} ${(at.textContent ?? '').trim().slice(0, 40)}`.trim(); });
    const until = async (what: RegExp): Promise<void> => {
      for (let step = 0; step < 120; step++) {
        await page.keyboard.press('Tab');
        if (what.test(await focused())) return;
      }
      throw new Error(`no ${what} by Tab`);
    };
    await until(/^a Skip to the content/);
    await page.keyboard.press('Enter');
    await until(/^input/);
    await page.keyboard.type('large');
    expect(await page.locator('#cells tbody tr:visible').count()).toBe(1);
    expect(await page.locator('form.tools output').textContent()).toBe('1 of 12 rows');
    for (let letter = 0; letter < 5; letter++) await page.keyboard.press('Backspace');
    await until(/^select/);
    await page.keyboard.press('i');    // improved
    expect(await page.locator('#cells tbody tr:visible').evaluateAll(rows => rows.every(row => (row as HTMLElement).dataset['word'] === 'improved'))).toBe(true);
    await page.keyboard.press('a');    // all
    await until(/^button change/);
    await page.keyboard.press('Enter');
    const changes = (): Promise<number[]> => page.locator('#cells tbody tr').evaluateAll(rows => rows.map(row => Number((row as HTMLTableRowElement).cells[3]!.dataset['v'])));
    expect(await changes()).toEqual([...await changes()].sort((a, b) => a - b));
    await page.keyboard.press('Enter');
    expect(await changes()).toEqual([...await changes()].sort((a, b) => b - a));
    expect(await page.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending');
    await until(/^a json-round-trip/);
    await page.keyboard.press('Enter');
    expect(page.url()).toMatch(/#row-\d+$/);
    await until(/^summary The 13 rounds/);
    await page.keyboard.press('Enter');
    expect(await page.locator('details[open] table').count()).toBe(1);
    await until(/^button Copy/);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /Copied|Ctrl\+C/.test(document.activeElement?.textContent ?? ''));
    expect(faults).toEqual([]);
    await page.context().close();
  }, 60_000);

  it('shows tables and pictures without a script', async () => {
    for (const url of [report, site, seriesPage()]) {
      const { page } = await open(browser, url, { script: false });
      expect(await page.locator('table tbody tr:visible').count()).toBeGreaterThan(2);
      expect(await page.locator('svg:visible').count()).toBeGreaterThan(0);
      expect(await page.locator('form:visible').count()).toBe(0);
      await page.context().close();
    }
  }, 60_000);

  it('lets no name run, and no name pass for something else', async () => {
    const { page, faults } = await open(browser, report);
    expect(await page.locator('body').textContent()).toContain('<script>alert(1)</script>');
    expect(await page.locator('script').count()).toBe(1);
    expect(readFileSync(fileURLToPath(report), 'utf8')).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    // Were one let in all the same, the page's own policy refuses it.
    await page.evaluate(() => { const made = document.createElement('script'); made.textContent = 'document.title = "taken"'; document.body.append(made); });
    expect(await page.title()).not.toBe('taken');
    expect(faults.join()).toContain('Content Security Policy');
    await page.context().close();
  }, 60_000);

  it('tells a change that an experiment confirmed, with its commits', async () => {
    const { page } = await open(browser, site);
    expect(await page.locator('main p').first().textContent()).toContain('1 confirmed slowdown is open; 4 series in 41 sessions');
    expect(await page.locator('#changes tbody tr', { hasText: 'confirmed' }).count()).toBe(1);
    await page.locator('#changes tbody th a').first().click();
    expect(await page.locator('ol li').first().textContent()).toMatch(/confirmed:\s*6\.\d % slower, between[\s\S]*; the experiment measured \+6\.\d %/);
    await page.context().close();
  }, 60_000);

  it('compares two series from a plain folder', async () => {
    const { page, faults } = await open(browser, new URL('compare.html', site).href);
    await choose(page);
    expect(await page.locator('#answer').textContent()).toMatch(/Over what both were measured against, the second is \d+\.\d % faster or better than the first/);
    // What differs is said by the arms, what both share is set: the line measures these two and nothing else.
    expect(await page.locator('#answer pre').textContent()).toMatch(/^\.\/perf-lab run json-round-trip --base source=([0-9a-f]{12}),documents=large --head source=\1,documents=small --set limit=6 --set runtime=net10\.0 --rounds 0\+28$/);
    await page.locator('#answer button').click();
    await page.waitForFunction(() => /Copied|Ctrl\+C/.test(document.querySelector('#answer button')?.textContent ?? ''));
    // The same series and the same commit twice: there is nothing to measure, and no line that would.
    await page.fill('#b-filter', 'large');
    await page.selectOption('#b-series', { index: 0 });
    await page.waitForFunction(() => document.querySelector('#answer pre') === null);
    expect(await page.locator('#answer').textContent()).toContain('the second is 0.0 %');
    expect(faults).toEqual([]);
    await page.context().close();
  }, 60_000);

  it('compares two commits over every series of a workload', async () => {
    const { page, faults } = await open(browser, new URL('compare.html', site).href);
    await page.selectOption('#c-workload', 'json-round-trip');
    await page.waitForSelector('#commits-answer table');
    // The oldest week against the newest: large became slower between them, small did not.
    await page.selectOption('#c-first', 'week-00');
    await page.selectOption('#c-second', 'week-39');
    const rows = page.locator('#commits-answer tbody tr');
    expect(await rows.count()).toBe(2);
    expect(await rows.first().locator('th').textContent()).toContain('documents large');
    expect(await rows.first().locator('td').first().textContent()).toMatch(/^\+[5-7]\.\d % \[\+\d\.\d, \+\d\.\d\]$/);
    expect(await rows.first().locator('td').first().getAttribute('class')).toBe('regressed');
    expect(await page.locator('#commits-answer p').first().textContent()).toContain('2 series have a value in both; in ');
    await page.fill('#c-filter', 'large');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('#commits-answer tbody tr').length === 1);
    expect(await page.locator('#c-first').inputValue()).toBe('week-00');
    expect(await page.locator('#commits-answer pre').textContent()).toMatch(/--base source=[0-9a-f]{12} --head source=[0-9a-f]{12} --set documents=large --set limit=6 /);
    await page.fill('#c-filter', 'nothing is called so');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /No series has a value in both/.test(document.querySelector('#commits-answer')?.textContent ?? ''));
    expect(faults).toEqual([]);
    await expectAccessible(page);
    await page.context().close();
  }, 60_000);

  it('is printed with every fold open and with the count of rows that a filter left, and is as before afterwards', async () => {
    const { page } = await open(browser, report, { colours: 'dark' });
    await page.fill('form.tools input', 'large');
    const open_ = (): Promise<number> => page.locator('details[open]').count();
    const before = await open_();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    expect(await page.locator('details:not([open])').count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('form.tools output:visible').textContent()).toBe('1 of 12 rows');
    expect(await page.locator('form.tools input:visible').count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await open_()).toBe(before);
    await page.context().close();
  }, 60_000);

  it('tells a pointer what a mark is', async () => {
    const { page } = await open(browser, report, { script: false });
    expect(await page.locator('article').first().locator('circle title').first().textContent()).toMatch(/^round \d+: \d/);
    await page.goto(seriesPage());
    expect(await page.locator('svg circle title').first().textContent()).toMatch(/^2026-01-05 03:00, [0-9a-f]{12}: [+-]/);
    await page.context().close();
  }, 60_000);

  const choose = async (page: Page): Promise<void> => {
    await page.fill('#a-filter', 'large');
    await page.selectOption('#a-series', { index: 0 });
    await page.fill('#b-filter', 'small');
    await page.selectOption('#b-series', { index: 0 });
    await page.waitForSelector('#answer table');
  };

  const seriesPage = (): string => {
    const index = readFileSync(join(dirname(fileURLToPath(site)), 'index.html'), 'utf8');
    return new URL(/href="(series\/[^"]+)"/.exec(index)![1]!, site).href;
  };
});
