import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { asAzureAnswers } from './policy/answers';
import { RunningPack } from './policy/pack';
import { CLUSTER_RULES } from './rules/cluster';
import { MACHINE_RULES } from './rules/machines';
import { NETWORK_RULES } from './rules/network';
import { RIGHTS_RULES } from './rules/rights';
import { refusalOf } from './runtime/azure-refusals';
import type { Registration } from './runtime/recorded';
import { run } from './runtime/runs';
import { plainObject } from './runtime/values';
import { change, type Spot } from './schema/change';
import { check } from './schema/check';
import { SOURCE_MUTANTS } from './source-mutants';
import { ROOT } from './support/sample';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

type All = readonly Registration[];
const at = (type: string, name: string) => (...path: (string | number)[]): Spot => ({ type, name, path });
const SET = at('VirtualMachineScaleSet', 'azure-d4s'), CARD = (...path: (string | number)[]): Spot => SET('virtualMachineProfile', 'networkProfile', 'networkInterfaceConfigurations', 0, ...path);
const VAULT = at('Vault', 'github-app'), GROUP = at('NetworkSecurityGroup', 'machines');
const to = (spot: Spot, value: unknown) => (all: All): All => change(all, spot, () => value);

/** What somebody could do to the program without noticing; seen where the program hands the resource to the engine. */
const MUTATIONS: Readonly<Record<string, (all: All) => All>> = {
  'a vault without public access and without a private endpoint': to(VAULT('properties', 'publicNetworkAccess'), 'disabled'),
  'custom data that is not base 64': to(SET('virtualMachineProfile', 'osProfile', 'customData'), '#cloud-config\n'),
  'principalType User for an identity': to(at('RoleAssignment', 'sign')('principalType'), 'User'),
  'a role action that does not exist': to(at('RoleDefinition', 'power')('permissions', 0, 'actions', 1), 'Microsoft.Compute/virtualMachineScaleSets/update'),
  'a network card without deleteOption': to(CARD('deleteOption'), undefined),
  'an address without deleteOption': to(CARD('ipConfigurations', 0, 'publicIPAddressConfiguration', 'deleteOption'), undefined),
  'a disk that stays': to(SET('virtualMachineProfile', 'storageProfile', 'osDisk', 'deleteOption'), 'Detach'),
  'a machine that stands by': to(SET('sku', 'capacity'), 1),
  'the latest image': to(SET('virtualMachineProfile', 'storageProfile', 'imageReference', 'version'), 'latest'),
  'Uniform orchestration': to(SET('orchestrationMode'), 'Uniform'),
  'no networkApiVersion': to(SET('virtualMachineProfile', 'networkProfile', 'networkApiVersion'), undefined),
  'an address that is open unless a rule closes it': to(CARD('ipConfigurations', 0, 'publicIPAddressConfiguration', 'sku', 'name'), 'Basic'),
  'a card without its security group': to(CARD('networkSecurityGroup'), undefined),
  'a size that is not on the list': to(SET('sku', 'name'), 'Standard_D64s_v5'),
  'a misspelt property': to(SET('virtualMachineProfile', 'storageProfile', 'osDisk', 'deletOption'), 'Delete'),
  'a wrong enum value': to(CARD('deleteOption'), 'Never'),
  'a required property left out': to(GROUP('securityRules', 0, 'direction'), undefined),
  'a way in': to(GROUP('securityRules', 0, 'direction'), 'Inbound'),
  'a way out on every port': to(GROUP('securityRules', 0, 'destinationPortRange'), '*'),
  'a policy that only looks': to(at('PolicyAssignment', 'sizes')('enforcementMode'), 'DoNotEnforce'),
  'an update that writes the capacity back': all => all.map(one => one.type.endsWith(':VirtualMachineScaleSet') ? { ...one, ignoreChanges: one.ignoreChanges.filter(path => path !== 'sku.capacity') } : one),
  'machines with the identity of the workflows': all => change(all, SET('identity', 'userAssignedIdentities', 0), id => String(id).replace(/[^/]+$/, 'lab-power')),
  'a role on the subscription': to(at('RoleAssignment', 'instances')('scope'), '/subscriptions/22222222-2222-4222-8222-222222222222'),
  'a budget that tells nobody': to(at('Budget', 'budget')('notifications'), {}),
  'a login from pull requests': to(at('FederatedIdentityCredential', 'lab-power')('subject'), 'repo:o@1/r@2:pull_request'),
  'a vault that can be purged': to(VAULT('properties', 'enablePurgeProtection'), undefined),
  'a key that decrypts': to(at('Key', 'github-app')('properties', 'keyOps', 0), 'decrypt'),
};

it.each(SOURCE_MUTANTS)('$what: text and test are there', ({ file, right, by: [test, name] }) => {
  expect(readFileSync(join(ROOT, file), 'utf8').split(right).length).toBe(2);
  expect(readFileSync(join(ROOT, test), 'utf8')).toContain(name);
});

const RULES = [...NETWORK_RULES, ...MACHINE_RULES, ...RIGHTS_RULES, ...CLUSTER_RULES];
let pack: RunningPack;
beforeAll(async () => { pack = await RunningPack.start(); });
afterAll(() => { pack.stop(); });

async function caughtBy(all: All): Promise<string[]> {
  const inputs = all.map(({ type, name, inputs }) => ({ type, name, inputs: plainObject(inputs) as Record<string, any>, secrets: [] }));
  const policies = [...await pack.resources(all), ...await pack.together(all, asAzureAnswers)].map(one => one.policy);
  return [
    ...check(all).slice(0, 1).map(() => 'the provider\'s types'), ...all.flatMap(one => refusalOf(one, { month: '2026-11' }, []) ?? []).slice(0, 1).map(() => 'the fake Azure'),
    ...RULES.filter(rule => rule.check(inputs).length > 0).map(rule => `rule \`${rule.name}\``), ...[...new Set(policies)].sort().map(policy => `policy \`${policy}\``),
  ];
}

it('every mutation of the program is caught, and test/mutations.md says by what', async () => {
  const { registrations } = await run('default');
  expect(await caughtBy(registrations)).toEqual([]);
  const rows: string[] = [], missed: string[] = [];
  for (const [what, mutate] of Object.entries(MUTATIONS)) {
    const by = await caughtBy(mutate(registrations));
    if (by.length === 0) missed.push(what);
    rows.push(`| ${what} | ${by.join(', ')} |`);
  }
  expect(missed).toEqual([]);
  const page = `# Mutations of the Pulumi program: ${rows.length} of ${Object.keys(MUTATIONS).length} caught

Made by \`PERF_LAB_WRITE=1 npx vitest run test/mutations.test.ts\` in \`infra\`, which fails when one is caught by nothing, or this page is not what comes out. Each is one change of what the program of the
[default stack](../../results/stacks/default.md) asks for. *The fake Azure* refuses with recorded answers ([its list](runtime/azure-refusals.ts)); rules are the tests', policies are those that guard a real \`pulumi up\`.

| mutation | caught by |
|---|---|
${rows.join('\n')}

## Changes of source files: ${SOURCE_MUTANTS.length} of ${SOURCE_MUTANTS.length} caught

By hand on 2026-11-25: one edit, then the named test, which fails. The list is [source-mutants.ts](source-mutants.ts); a test holds that each text and each named test is still there. Of units and firewall rules
more are tried each time, by [units.test.ts](machine/units.test.ts) (10) and [firewall.test.ts](machine/firewall.test.ts) (7).

| mutation | in | caught by |
|---|---|---|
${SOURCE_MUTANTS.map(({ what, file, by: [test, name] }) => `| ${what} | \`${file.split('/').at(-1)}\` | \`${test.split('/').at(-1)}\`: ${name.replaceAll('_', ' ')} |`).join('\n')}
`;
  const file = join(ROOT, 'infra/test/mutations.md');
  if (process.env['PERF_LAB_WRITE'] === '1') writeFileSync(file, page);
  expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(page);
});
