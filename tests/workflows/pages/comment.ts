import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { commentPage } from '../flow/pictures.ts';
import { launch, open } from './browser.ts';

// npx tsx pages/comment.ts FOLDER FILE.md…: a picture of each comment, as wide as a desktop and as a phone, and by how much what stands open is too wide.
const [folder, ...files] = process.argv.slice(2) as [string, ...string[]];
mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const file of files) {
  const name = basename(file, '.md'), html = join(folder, `${name}.html`);
  writeFileSync(html, commentPage(readFileSync(file, 'utf8')));
  for (const [kind, width] of [['desktop', 924], ['phone', 390]] as const) {
    const { page } = await open(browser, pathToFileURL(html).href, { width });
    const beyond = await page.locator('table:not(details *)').evaluateAll(tables => tables.map(table => table.scrollWidth - table.clientWidth));
    console.log(`${name}, ${width} pixels: open tables go ${beyond.join(', ') || 'nowhere'} pixels beyond the edge`);
    const picture = kind === 'desktop' ? `${name}.png` : `${name}-phone.png`;
    const height = Math.min(2600, await page.evaluate(() => document.documentElement.scrollHeight));
    await page.screenshot({ path: join(folder, picture), clip: { x: 0, y: 0, width, height }, fullPage: true });
    await page.context().close();
  }
}
await browser.close();
