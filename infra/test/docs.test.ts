import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { SIZES } from '../src/config/sizes';
import { ENVIRONMENTS } from '../src/config/names';
import { deploy } from './support/deploy';
import { ROOT, everything, sample, type Values } from './support/sample';
import { refused } from './support/refused';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const page = read('docs/internals/infrastructure.md');
const settings = /## Settings\n([\s\S]*?)\n## /.exec(page)?.[1] ?? '';
let known: string[] = [];

/** What the reader of the settings itself calls known, when it meets what it does not know. */
beforeAll(async () => {
  const all = everything(), more = (value: unknown): Values => ({ ...value as Values, unheardOf: 1 });
  const objects = ['network', 'shutdown', 'budget', 'github', 'githubApp', 'metal', 'cluster'];
  const told = await refused({ ...all, ...Object.fromEntries(objects.map(key => [key, more(all[key])])), machines: [more((all['machines'] as Values[])[0])], unheardOf: 1 });
  const found = told.map(line => /^(?:(.*)\.)?unheardOf: unknown; known are (.*)$/.exec(line) ?? []);
  known = found.flatMap(([, path, keys = '']) => keys.split(', ').map(key => (path ? `${path.replace('[0]', '[]')}.${key}` : key))).filter(key => !objects.includes(key)).sort();
});

it('the_page_has_every_setting_and_no_other', () => {
  const first = settings.split('\n').filter(line => line.startsWith('| `')).map(line => line.split('|')[1] ?? '');
  expect(first.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, key]) => key)).sort()).toEqual(known);
});

it('the_sample_stack_file_has_every_setting', () => {
  const all = everything(), has = (key: string): boolean => {
    const [top = '', member] = key.replace('[]', '').split('.'), value = all[top];
    return member === undefined ? value !== undefined : [value].flat().some(it => (it as Values)?.[member] !== undefined);
  };
  expect(known.filter(key => !has(key))).toEqual([]);
});

it('the_sample_without_its_optional_parts_is_the_least_that_is_accepted', async () => {
  for (const key of Object.keys(sample())) {
    const { [key]: _, ...rest } = sample();
    expect([key, (await refused(rest)).length > 0]).toEqual([key, true]);
  }
});

it('the_page_names_every_component_every_size_and_every_environment', () => {
  const makesResources = /ComponentResource \{|export function allowProvisioning|\bnew (?!pulumi\.)[a-z]+\.[A-Z]\w*\(/;
  const files = readdirSync(join(ROOT, 'infra/src')).filter(file => file.endsWith('.ts') && makesResources.test(read(`infra/src/${file}`)));
  expect([...page.matchAll(/^\| `([a-z-]+\.ts)` \|/gm)].map(([, file]) => file).sort()).toEqual(files.sort());
  for (const word of [...Object.keys(SIZES), ...Object.values(ENVIRONMENTS)]) expect(page).toContain(word);
});

it('the_page_says_what_keeps_others_off_the_pool_under_test', async () => {
  const { resources } = await deploy(everything()), pools = resources.find(one => one.type.endsWith(':ManagedCluster'))!.inputs['agentPoolProfiles'] as Values[];
  const sut = pools.find(pool => pool['name'] === 'sut')!, [[label, value]] = Object.entries(sut['nodeLabels'] as Values) as [[string, unknown]];
  expect(page).toContain(`\`sut\` is tainted \`${(sut['nodeTaints'] as string[]).join()}\` and labelled \`${label}=${String(value)}\``);
});

it('no_lock_file_names_a_registry', () => {
  expect(read('infra/package-lock.json')).not.toContain('"resolved"');
});
