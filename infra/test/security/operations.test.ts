import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENTS } from '../../src/config/names';
import { ROOT, everything } from '../support/sample';
import { bare, table } from './tables';
import { workflows } from './workflows';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const page = read('docs/operations.md');
const unique = (texts: readonly string[]): string[] => [...new Set(texts)].sort();
const matches = (text: string, pattern: RegExp): string[] => unique([...text.matchAll(pattern)].map(([, found]) => found!));

describe('docs/operations.md', () => {
  it('names every variable that a workflow reads, with the workflow, and no other', () => {
    const said = table(page, 'variable', 'value', 'read by').map(row => `${bare(row['variable']!)} ${/`([\w-]+)\.yml`/.exec(row['read by']!)?.[1]}`);
    const files = readdirSync(join(ROOT, '.github/workflows'));
    expect(unique(said)).toEqual(unique(files.flatMap(file => matches(read(`.github/workflows/${file}`), /\bvars\.([A-Z_]+)/g).map(name => `${name} ${file.replace('.yml', '')}`))));
  });

  it('names every environment that a job enters, and the program knows them', () => {
    const used = unique(Object.values(workflows()).flatMap(({ jobs }) => Object.values(jobs).flatMap(job => job.environment ?? [])));
    expect(matches(page, /environment `([\w-]+)`/g)).toEqual(used);
    // GitHub makes `github-pages` itself, when somebody switches Pages on.
    expect(used.filter(name => name !== 'github-pages')).toEqual(unique(Object.values(ENVIRONMENTS)));
  });

  it('says what each step costs and how to undo it', () => {
    const steps = table(page, 'step', 'do', 'costs', 'undo');
    expect(steps.map(row => row['step'])).toEqual(steps.map((_, i) => String(i + 1)));
    for (const row of steps) expect([row['step'], row['costs'] !== '', row['undo'] !== '']).toEqual([row['step'], true, true]);
  });

  it('points only at sections, steps and pages that are there', () => {
    const heads = (text: string): string[] => [...text.matchAll(/^#+ (.*)$/gm)].map(([, head]) => head!.toLowerCase().replace(/[^\w\- ]/g, '').replace(/ /g, '-'));
    for (const [, file, anchor] of page.matchAll(/\]\(([\w./-]+\.md)(?:#([\w-]+))?\)/g)) {
      const target = read(join('docs', file!));
      if (anchor) expect([file, heads(target)]).toEqual([file, expect.arrayContaining([anchor])]);
    }
    const steps = table(page, 'step', 'do', 'costs', 'undo').length;
    for (const [, step] of page.matchAll(/\(steps? (\d+)/g)) expect(Number(step)).toBeLessThanOrEqual(steps);
  });

  it('calls settings of the stack file by their names', () => {
    const all = everything(), named = matches(page, /`perf-lab:(\w+)`/g).filter(name => !['lease', 'started', 'orphan', 'used'].includes(name));
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter(name => !(name in all))).toEqual([]);
    for (const secret of matches(page, /--secret (\w+)/g)) expect(Object.keys(all)).toContain(secret);
  });

  it('takes the stack that the setup workflow offers', () => {
    const { inputs } = (workflows()['lab-setup']!.on as { workflow_dispatch: { inputs: { stack: { options: string[] } } } }).workflow_dispatch;
    expect(matches(page, /Pulumi\.(?!sample)(\w+)\.yaml/g)).toEqual(inputs.stack.options);
  });

  it('calls commands of the runner that are there', () => {
    const known = /`lab ([\w\\|]+)`/.exec(read('docs/cli.md'))![1]!.split('\\|');
    expect(matches(page, /(?:perf-lab|`)\s?lab (\w+)/g).filter(name => !known.includes(name))).toEqual([]);
  });
});
