import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SIZES } from '../../src/config/sizes';
import { ROLES } from '../../src/roles';
import type { Registration } from '../runtime/recorded';
import { run } from '../runtime/runs';
import { STACKS, type StackKind } from '../runtime/stacks';
import { parse } from 'yaml';
import { ROOT } from '../support/sample';
import { asAsked, asAzureAnswers } from './answers';
import { BROKEN } from './broken';
import { PACK, RunningPack, type PolicyAbout, type Violation } from './pack';

const KINDS = Object.keys(STACKS) as StackKind[];
let pack: RunningPack, policies: readonly PolicyAbout[];
beforeAll(async () => { pack = await RunningPack.start(); policies = await pack.policies(); }, 60_000);
afterAll(() => { pack.stop(); });

const judge = async (registrations: readonly Registration[], answers = asAzureAnswers): Promise<Violation[]> =>
  [...await pack.resources(registrations), ...await pack.together(registrations, answers)];

describe.each(KINDS)('the %s stack', kind => {
  it('breaks no rule', async () => { expect(await judge((await run(kind)).registrations)).toEqual([]); });
  it('breaks no rule when its provider answers with nothing but what it was asked', async () => { expect(await pack.together((await run(kind)).registrations, asAsked)).toEqual([]); });
  it('breaks no rule in a preview: what is not known yet is said, not guessed', async () => {
    expect((await pack.resources((await run(kind, 'preview')).registrations)).filter(one => one.mandatory)).toEqual([]);
  });
});

describe.each(Object.entries(BROKEN))('%s', (rule, mistakes) => {
  it.each(mistakes)('finds $what', async ({ kind = 'default', make, message }) => {
    const before = (await run(kind)).registrations, after = make(before);
    const found = (await judge(after)).filter(one => one.policy === rule);
    expect(found).not.toEqual([]);
    expect(found.map(one => one.message).join('\n')).toMatch(message);
    expect(found.every(one => one.mandatory)).toBe(true);
  });
});

it('stands before everything that the setup workflow asks of Pulumi', () => {
  const { jobs } = parse(readFileSync(join(ROOT, '.github/workflows/lab-setup.yml'), 'utf8')) as { jobs: Record<string, { steps: { uses?: string; with?: Record<string, unknown> }[] }> };
  const asked = Object.values(jobs).flatMap(job => job.steps).filter(step => step.uses?.startsWith('pulumi/actions@')).map(step => step.with ?? {});
  expect(asked.map(one => one['command'])).toEqual(['preview', 'up', 'preview']);
  for (const one of asked) expect(join(ROOT, String(one['policyPacks']))).toBe(PACK);
});

describe('the pack', () => {
  it('was shown a mistake for every rule', () => { expect(policies.map(one => one.name).sort()).toEqual(Object.keys(BROKEN).sort()); });

  it('is described rule by rule in its README', () => {
    const rows = [...readFileSync(join(PACK, 'README.md'), 'utf8').matchAll(/^\| `([\w-]+)` \| (.*) \|$/gm)].map(([, name, why]) => ({ name, why }));
    expect(rows).toEqual(policies);
  });

  it('lets an organisation narrow a list, and soften or switch off a rule', async () => {
    const configured = await RunningPack.start();
    try {
      await configured.configure({ 'listed-size': { settings: { sizes: ['Standard_D16s_v5'] } }, 'not-spot': { level: 'advisory' }, 'keys-only': { level: 'disabled' } });
      const { registrations } = await run('default'), machine = registrations.filter(one => one.type.endsWith(':VirtualMachineScaleSet'));
      const changed = machine.map(one => ({ ...one, inputs: { ...one.inputs, virtualMachineProfile: { ...one.inputs['virtualMachineProfile'] as object, priority: 'Spot', osProfile: { allowExtensionOperations: false } } } }));
      expect((await configured.resources(changed)).map(({ policy, mandatory }) => ({ policy, mandatory })))
        .toEqual([{ policy: 'listed-size', mandatory: true }, { policy: 'not-spot', mandatory: false }]);
    } finally {
      configured.stop();
    }
  });

  it('allows the program\'s own rights and sizes, word for word: who widens one list is told by the other', () => {
    const rules = (file: string): string => readFileSync(join(PACK, 'rules', file), 'utf8');
    const listed = (text: string, name: string): string[] => [...(new RegExp(`const ${name} = \\[([^\\]]*)\\]`).exec(text)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, one]) => one!);
    const rights = Object.values(ROLES).flatMap(role => [...role.actions, ...('dataActions' in role ? role.dataActions : [])]);
    expect(listed(rules('identities.ts'), 'RIGHTS').sort()).toEqual([...new Set(rights)].sort());
    expect(listed(rules('machines.ts'), 'SIZES')).toEqual(Object.keys(SIZES));
  });
});
