import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { deploy } from './support/deploy';
import { ROOT, sample, withCluster, withGitHub, withMetal } from './support/sample';
import { stackTable } from './support/stack-table';

it.each([
  ['default', 'The default stack: one machine', sample],
  ['metal', 'A stack with a metal agent and the repository\'s settings', () => ({ ...withMetal(), ...withGitHub() })],
  ['aks', 'A stack with a cluster', withCluster],
] as const)('the_page_of_the_stack_%s_lists_what_the_program_asks_for', async (name, title, values) => {
  const file = join(ROOT, 'results/stacks', `${name}.md`), page = stackTable(title, (await deploy(values())).resources);
  expect(page).not.toMatch(/\|  \||undefined|\[object/);    // a type whose settings nobody describes
  if (process.env['PERF_LAB_WRITE'] === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, page);
  }
  expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(page);
});
