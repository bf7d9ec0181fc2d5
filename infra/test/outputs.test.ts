import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import { expect, it } from 'vitest';
import { deploy } from './support/deploy';
import { ROOT, everything, sample, withCluster, withMetal } from './support/sample';

const schema = JSON.parse(readFileSync(join(ROOT, 'schemas/lab.schema.json'), 'utf8')) as { $schema?: string };
const validate = new (schema.$schema?.includes('draft-07') ? Ajv : Ajv2020)({ strict: false, allErrors: true }).compile(schema);
const mistakes = (outputs: unknown): string[] => (validate(outputs) ? [] : (validate.errors ?? []).map(error => `${error.instancePath} ${error.message}`));

it.each([['sample', sample], ['with a metal agent', withMetal], ['with a cluster', withCluster], ['with everything', everything]])('the_outputs_of_the_stack_%s_are_a_lab_json', async (_, values) => {
  const { outputs, secretOutputs } = await deploy(values());
  expect(mistakes(outputs)).toEqual([]);
  expect(secretOutputs).toEqual([]);
});

const EXAMPLE = join(ROOT, 'tests/fixtures/formats/lab.json');
const example = (): object => JSON.parse(readFileSync(EXAMPLE, 'utf8')) as object;

// The runner's tests read this file with the runner's own reader: both sides meet in it.
it('the_example_of_the_format_is_what_the_program_puts_out', async () => {
  const written = `${JSON.stringify((await deploy({ ...withMetal(), ...withCluster() })).outputs, null, 2)}\n`;
  if (process.env['PERF_LAB_WRITE'] === '1') writeFileSync(EXAMPLE, written);
  expect(readFileSync(EXAMPLE, 'utf8')).toBe(written);
});

it('no_output_holds_a_secret_of_the_stack', async () => {
  const text = JSON.stringify((await deploy(everything())).outputs);
  expect(text).not.toMatch(/PRIVATE KEY|AAAAABBBBB/);
});

it.each([
  ['schema', 'perf-lab/lab/2'], ['tenantId', ''], ['resourceGroup', undefined], ['shutdown', { time: '2500', timeZone: 'UTC' }], ['identities', {}],
  ['githubApp', { id: 1, installation: 2, key: 'https://elsewhere.example/keys/github-app' }], ['machines', []], ['machines', [{ name: 'a', kind: 'azure', size: 'Standard_D4s_v5' }]],
  ['machines', [{ name: 'a', kind: 'metal', host: 'h', port: 22, user: 'lab', hostKey: '' }]], ['cluster', undefined], ['more', 1],
])('the_schema_finds_a_wrong_%s', (key, value) => {
  expect(mistakes(JSON.parse(JSON.stringify({ ...example(), [key]: value })))).not.toEqual([]);
});
