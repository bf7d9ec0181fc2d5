import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** The commands that actions start, by the name of their file in `src`. */
export const COMMANDS = ['cancel', 'gate', 'publish', 'runner', 'status', 'trend'] as const;

const HERE = join(import.meta.dirname, '..');
/** Where the bundles lie, in the repository. */
export const FOLDER = join(HERE, 'dist');

/** What bundled packages may be licensed by: a new licence is a decision. */
const LICENCES = ['MIT', 'ISC', 'Apache-2.0'];

/** File in `dist` -> its text: a bundle for each command, and the licences of what is in them. The same on every machine. */
export function bundles(): Record<string, string> {
  const made = COMMANDS.map(name => [name, bundle(name)] as const);
  const packages = [...new Set(made.flatMap(([, { packages }]) => packages))].sort();
  return { ...Object.fromEntries(made.map(([name, { text }]) => [`${name}.mjs`, text])), 'THIRD-PARTY.txt': thirdParty(packages) };
}

function bundle(name: string): { text: string; packages: string[] } {
  const { outputFiles: [file], metafile: { inputs } } = buildSync({
    absWorkingDir: HERE, entryPoints: [`src/${name}.ts`], outdir: 'dist', outExtension: { '.js': '.mjs' }, write: false, metafile: true,
    bundle: true, platform: 'node', target: 'node20', format: 'esm', charset: 'utf8', preserveSymlinks: true,
    // Readable, as a reviewer finds it; no map, which would name the folders of whoever made it.
    minify: false, sourcemap: false, legalComments: 'none', logLevel: 'warning',
    // Packages that are no ES modules ask for Node's own by `require`.
    banner: { js: `// Made of src/${name}.ts by \`npm run bundle\`. Licences: THIRD-PARTY.txt.\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);` },
  });
  const packages = Object.keys(inputs).flatMap(path => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return { text: file!.text, packages: [...new Set(packages)] };
}

function thirdParty(packages: readonly string[]): string {
  const sections = packages.map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(join(HERE, folder, 'package.json'), 'utf8')) as { name: string; version: string; license: string };
    if (!LICENCES.includes(license)) throw new Error(`${name} is licensed by ${license}, which nobody looked at yet`);
    const files = readdirSync(join(HERE, folder)).filter(file => /^(licen[cs]e|notice)/i.test(file)).sort();
    if (files.length === 0) throw new Error(`${name} brings no text of its licence`);
    const texts = files.map(file => readFileSync(join(HERE, folder, file), 'utf8').replaceAll('\r', '').split('\n').map(line => line.trimEnd()).join('\n').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  return `The files beside this one are made of perf-lab's own source (../../../LICENSE) and of these packages.\n\n${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
