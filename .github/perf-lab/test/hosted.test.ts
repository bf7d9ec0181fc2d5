import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { CONFIG, comment, ownComments, runGate } from './support/lab.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

const config = (hosted: string): string => CONFIG.replace('ryzen: { kind: metal }', `hosted: ${hosted}`);

it.each([['{ kind: hosted, runs-on: ubuntu-22.04 }', 'ubuntu-22.04'], ['{ kind: hosted }', 'ubuntu-24.04'], ['{ kind: hosted, price-per-hour: 0.5 }', 'ubuntu-24.04']])('a_request_for_%s_names_the_image_%s', async (hosted, image) => {
  const { code, outputs } = await runGate(fake, comment(fake, '/benchmark --machine hosted'), { config: config(hosted) });
  expect([code, outputs['machine'], outputs['machine-kind'], outputs['machine-runs-on']]).toEqual([0, 'hosted', 'hosted', image]);
});

it('a_machine_of_ones_own_has_no_image', async () => {
  const { outputs } = await runGate(fake, comment(fake, '/benchmark'), { config: config('{ kind: hosted }') });
  expect([outputs['machine-kind'], outputs['machine-runs-on']]).toEqual(['azure', undefined]);
});

it('a_request_for_an_image_that_is_none_of_githubs_starts_nothing', async () => {
  const { outputs } = await runGate(fake, comment(fake, '/benchmark --machine hosted'), { config: config('{ kind: hosted, runs-on: my-own-runner }') });
  expect([outputs['decision'], outputs['code'], outputs['machine-runs-on']]).toEqual(['refused', 'lab-config', undefined]);
});

it('a_request_for_one_of_GitHubs_own_machines_says_nothing_of_a_line', async () => {
  await runGate(fake, comment(fake, '/benchmark --machine hosted'), { config: config('{ kind: hosted }') });
  expect(ownComments(fake)).toEqual([expect.not.stringContaining('waits for it')]);
});

it.each([['bench', 'azure'], ['ryzen', 'metal']])('a_request_for_a_machine_of_ones_own_is_refused_where_no_login_is_granted: %s', async (machine, kind) => {
  const own = CONFIG.replace('  ryzen:', '  hosted: { kind: hosted }\n  bench: { kind: azure, size: Standard_D4s_v5, price-per-hour: 0.19 }\n  ryzen:');
  const { code, outputs } = await runGate(fake, comment(fake, `/benchmark --machine ${machine}`), { config: own, env: { PERF_LAB_HOSTED_ONLY: 'true' } });
  expect([code, outputs['decision'], outputs['code'], outputs['machine']]).toEqual([49, 'refused', 'hosted-only', undefined]);
  expect(ownComments(fake)).toEqual([expect.stringMatching(new RegExp(`${machine}.*kind: ${kind}[^]*benchmark-run\\.yml[^]*id-token: write`))]);
  const github = await runGate(fake, comment(fake, '/benchmark --machine hosted'), { config: own, env: { PERF_LAB_HOSTED_ONLY: 'true' } });
  expect([github.code, github.outputs['machine-kind']]).toEqual([0, 'hosted']);
});
