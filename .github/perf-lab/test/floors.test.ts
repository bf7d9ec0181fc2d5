import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

// A folder imports only from floors below its own, so any of them can be read, tested or taken away without those above. The C# side has the same test.
const GITHUB_SIDE = [['text'], ['github', 'snippet'], ['process'], ['artifact', 'runner'], ['request'], ['thread'], ['fleet', 'history'], ['gate', 'publish'], ['trend'], ['.']];
const STACK = [['src/config', 'policy/rules'], ['costs', 'policy'], ['src'], ['.']];

const repository = fileURLToPath(new URL('../../..', import.meta.url));

const sources = (folder: string): string[] => readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
  const path = join(folder, entry.name);
  if (entry.isDirectory()) return ['node_modules', 'test'].includes(entry.name) ? [] : sources(path);
  return /\.ts$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
});

/** What each file of a tree imports of the tree itself: "from imports to", where that is not a floor below; and folders that no floor names. */
function wrongIn(root: string, floors: readonly (readonly string[])[], read: (path: string) => string = path => readFileSync(path, 'utf8')): string[] {
  const floorOf = (path: string): number => floors.findIndex(names => names.includes(relative(root, dirname(path)) || '.'));
  return sources(root).flatMap(from => {
    const own = floorOf(from), name = relative(root, from);
    if (own < 0) return [`${name} is on no floor`];
    const imported = ts.preProcessFile(read(from)).importedFiles.map(({ fileName }) => fileName).filter(path => path.startsWith('.')).map(path => join(dirname(from), path));
    return imported.filter(to => dirname(to) !== dirname(from) && floorOf(to) >= own).map(to => `${name} imports ${relative(root, to)}`);
  });
}

describe.each([
  ['.github/perf-lab/src', GITHUB_SIDE, 'text/file.ts', '../publish/judge.ts'],
  ['infra', STACK, 'src/config/read.ts', '../lab'],
] as const)('the floors of %s', (tree, floors, low, high) => {
  const root = join(repository, tree);

  it('hold: nothing imports from its own height or above', () => expect(wrongIn(root, floors)).toEqual([]));

  it('have no name without a folder', () => {
    const folders = new Set(sources(root).map(path => relative(root, dirname(path)) || '.'));
    expect(floors.flat().filter(name => !folders.has(name))).toEqual([]);
  });

  it('see an import upwards', () => {
    const read = (path: string): string => `${path === join(root, low) ? `import type {} from '${high}';\n` : ''}${readFileSync(path, 'utf8')}`;
    expect(wrongIn(root, floors, read)).toEqual([`${low} imports ${join(dirname(low), high)}`]);
  });
});
