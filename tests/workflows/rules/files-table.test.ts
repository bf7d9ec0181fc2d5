import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { downloads } from './downloads.ts';
import { readAll, repository, steps } from './files.ts';

const files = readAll();
const page = readFileSync(join(repository, 'docs/internals/security-tables.md'), 'utf8');
const [, section = ''] = page.split('\n## Files from job to job\n');
const rows = section.split('\n## ')[0]!.split('\n').filter(line => line.startsWith('| ') && !/^\| (file|---)/.test(line)).map(line => line.slice(2, -2).split(' | '));
const listed = rows.flatMap(([names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));

/** "${{ inputs.prefix }}build-head" is `build-head`, and so is `confirm-build-head`; a name that is an expression holds the plan's. */
const plain = (name: string): string => name
  .replace(/^\$\{\{[^}]*\bplan\b[^}]*\}\}$/, 'plan').replace('${{ inputs.prefix }}', '').replace(/\$\{\{ inputs\.(arm|reference) \}\}/, 'ARM').replace(/\$\{\{[^}]*\}\}/, 'N')
  .replace(/^build-(base|head|anchor|next-anchor|ARM)$/, 'build-ARM').replace(/^benchmarks-(base|head)$/, 'benchmarks-ARM');

const uploaded = steps(files).filter(({ step: { uses = '' } }) => /\/actions\/upload$|^actions\/upload-artifact@/.test(uses)).map(({ step }) => String(step.with?.['name'])).filter(name => name !== '${{ inputs.name }}');

it('lists every file that a job downloads, uploads, or asks the API for', () => {
  const source = (folder: string): string[] => readdirSync(join(repository, folder), { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? source(`${folder}/${entry.name}`) : [readFileSync(join(repository, folder, entry.name), 'utf8')]));
  const code = source('.github/perf-lab/src');
  const asked = code.flatMap(text => [...text.matchAll(/\bname: (?:'([a-z-]+)'|`([^`]+)`), id\b/g)].map(([, word, pattern]) => word ?? pattern!.replace(/\$\{PREFIX\[name\]\}/, '').replace(/\$\{side\}/, 'ARM').replace(/\$\{number\}/, 'N')));
  expect(asked.sort()).toEqual(['build-log-ARM', 'explanation', 'samples', 'samples', 'samples-shard-N']);
  expect(code.filter(text => /artifacts\b.*\{(run_id|artifact_id)\}|[aA]rtifact(s)?\(\{ owner/.test(text))).toHaveLength(1);    // artifact/download.ts alone asks for any
  const all = [...downloads(files).map(({ name }) => name), ...uploaded, ...asked].map(plain);
  expect([...new Set(all)].filter(name => !listed.includes(name))).toEqual([]);
  expect(listed.filter(name => !all.includes(name) && name !== 'github-pages' && name !== 'the request')).toEqual([]);
});

it('names a test for each, and it is there', () => {
  const tests = ['tests/workflows/faults/forger.test.ts', '.github/perf-lab/test/fleet.test.ts'].map(path => readFileSync(join(repository, path), 'utf8').replaceAll('\\\'', '\'')).join('\n');
  expect(rows.length).toBeGreaterThan(10);
  for (const [names, , , named = ''] of rows) {
    const found = [...named.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    expect([names, found.length > 0 || named.startsWith('none: '), found.filter(name => !tests.includes(name))]).toEqual([names, true, []]);
  }
});

it('calls GitHub\'s own downloads nowhere but in workflows, and publishes pages by a name that nobody else can have taken', () => {
  expect(steps(files).filter(({ step: { uses = '' } }) => uses.startsWith('actions/deploy-pages@')).map(({ path }) => path)).toEqual(['.github/workflows/trend.yml']);
});
