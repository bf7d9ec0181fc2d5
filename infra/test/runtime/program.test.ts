import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { byUrn, places, type Recorded } from './recorded';
import { runProgram } from './run-program';
import { run } from './runs';
import { ROOT, SECRETS } from '../support/sample';
import { STACKS, type StackKind } from './stacks';
import { isUnknown, leaves, plain } from './values';

const KINDS = Object.keys(STACKS) as StackKind[];
const KEY = String(SECRETS['metalPrivateKey']), TOKEN = String(SECRETS['metalRunnerToken']);
const azureOnes = ({ registrations }: Recorded) => registrations.filter(one => one.type.startsWith('azure-native:'));
const the = (recorded: Recorded, type: string, name: string) => {
  const found = recorded.registrations.filter(one => one.type.endsWith(`:${type}`) && one.name === name);
  if (found.length !== 1) throw new Error(`${found.length} resources ${type} ${name}`);
  return found[0]!;
};

describe.each(KINDS)('the %s stack', kind => {
  it('goes up without a complaint', async () => {
    const { exitCode, text, logs, registrations } = await run(kind);
    expect({ exitCode, text, logs }).toEqual({ exitCode: 0, text: '', logs: [] });
    expect(registrations.length).toBeGreaterThan(25);
  });

  // The default one as `pulumi up` starts it, with its TypeScript checked on the way.
  it('asks for the same when it is run again', async () => {
    const again = await runProgram(STACKS[kind], kind === 'default' ? { environment: { PULUMI_NODEJS_TRANSPILE_ONLY: 'false' } } : {});
    expect({ exitCode: again.exitCode, logs: again.logs }).toEqual({ exitCode: 0, logs: [] });
    expect(byUrn(again)).toEqual(byUrn(await run(kind)));
  });

  it('previews what an update then asks for, with nothing missing and nothing else', async () => {
    const preview = await run(kind, 'preview'), update = byUrn(await run(kind));
    expect({ exitCode: preview.exitCode, text: preview.text, logs: preview.logs }).toEqual({ exitCode: 0, text: '', logs: [] });
    expect([...byUrn(preview).keys()].sort()).toEqual([...update.keys()].sort());
    for (const { urn, inputs } of preview.registrations) {
      const later = new Map(leaves(update.get(urn)!.inputs).map(leaf => [leaf.path, leaf.value]));
      const known = leaves(inputs).filter(leaf => !isUnknown(leaf.value));
      expect(Object.keys(inputs).sort(), urn).toEqual(Object.keys(update.get(urn)!.inputs).sort());
      expect(known.map(({ path, value }) => [path, value]), urn).toEqual(known.map(({ path }) => [path, later.get(path)]));
    }
  });

  it('shows most of itself in a preview: only what Azure gives out is unknown', async () => {
    const { registrations } = await run(kind, 'preview');
    const unknown = registrations.flatMap(one => leaves(one.inputs).filter(leaf => isUnknown(leaf.value)).map(leaf => leaf.path.replace(/\[\d+\]/g, '')));
    expect([...new Set(unknown)].sort().filter(path => !/(^|\.)(id|scope|assignableScopes|principalId|roleDefinitionId|resourceGroupName|resourceName|environment|value|vaultName|targetResourceId|vnetSubnetID|userAssignedIdentities)$/.test(path))).toEqual([]);
  });

  it('puts no half-made text into a resource', async () => {
    for (const mode of ['update', 'preview'] as const) {
      const { registrations, outputs } = await run(kind, mode);
      const texts = [{ name: 'outputs', inputs: outputs }, ...registrations].flatMap(one => leaves(one.inputs).map(leaf => `${one.name}: ${leaf.path} = ${String(leaf.value)}`));
      expect(texts.filter(text => /undefined|\[object |Calling \[?to(String|JSON)|NaN/.test(text))).toEqual([]);
    }
  });

  it('makes everything in the one subscription that the configuration names, with a pinned provider', async () => {
    const recorded = await run(kind), provider = the(recorded, 'azure-native', 'azure');
    expect(plain(provider.inputs)).toMatchObject({ subscriptionId: STACKS[kind].values['subscriptionId'], tenantId: STACKS[kind].values['tenantId'] });
    for (const one of azureOnes(recorded)) expect([one.urn, one.provider.startsWith(provider.urn), one.version]).toEqual([one.urn, true, '3.28.0']);
  });

  it('gives out the same names in a preview, and no secret', async () => {
    const update = (await run(kind)).outputs, preview = (await run(kind, 'preview')).outputs;
    expect(leaves(preview).map(leaf => leaf.path)).toEqual(leaves(update).map(leaf => leaf.path));
    expect(leaves(update).filter(leaf => leaf.secret || isUnknown(leaf.value))).toEqual([]);
  });
});

describe('secrets', () => {
  it.each(['update', 'preview'] as const)('are sealed wherever they go in an %s run', async mode => {
    const recorded = await run('metal', mode);
    const key = places(recorded, KEY), token = places(recorded, TOKEN);
    expect([...key, ...token].filter(place => !place.secret)).toEqual([]);
    expect(key.map(place => place.at).sort()).toEqual(['metal: connection.privateKey', 'metal: connection.privateKey']);
    expect(token.map(place => place.at)).toEqual(['metal: stdin']);
  });

  // The removal on the old host or of the old name comes first: after an installation it would take away what was just installed.
  it('an agent of another name or host is removed before it is installed anew', async () => {
    const { deleteBeforeReplace, replaceOnChanges } = the(await run('metal'), 'Command', 'metal');
    expect([deleteBeforeReplace, replaceOnChanges.includes('triggers')]).toEqual([true, true]);
  });

  it('may come back from the agent only sealed', async () => {
    const command = the(await run('metal'), 'Command', 'metal');
    expect(command.secretOutputs).toEqual(expect.arrayContaining(['stdout', 'stderr', 'connection']));
    expect(command.acceptsSecrets).toBe(true);
  });

  // pulumi/pulumi-github#613: a provider that the program makes would remember it.
  it('of GitHub\'s come from the environment and go nowhere', async () => {
    const recorded = await runProgram(STACKS.metal, { environment: { GITHUB_TOKEN: 'github_pat_11AAAAAAA0notreal' } });
    expect(recorded.exitCode).toBe(0);
    expect(places(recorded, 'github_pat_')).toEqual([]);
    expect(recorded.registrations.filter(one => one.type === 'pulumi:providers:github')).toEqual([]);
    expect(recorded.registrations.filter(one => one.type.startsWith('github:')).map(one => one.provider)).toEqual(Array(11).fill(''));
  });

  it('are not in what a wrong configuration prints', async () => {
    const clear = { ...STACKS.metal, values: { ...STACKS.metal.values, metalPrivateKey: KEY, location: 7 }, secrets: { metalRunnerToken: TOKEN } };
    const recorded = await runProgram(clear);
    expect(recorded.logs.map(log => log.message).join()).toMatch(/metalPrivateKey: stored in the clear[^]*nothing was made/i);
    expect([...places(recorded, KEY), ...places(recorded, TOKEN), ...places(recorded, 'BEGIN OPENSSH')]).toEqual([]);
  });
});

describe('a wrong configuration', () => {
  it('is refused whole, with every problem at once, before any resource', async () => {
    const { exitCode, registrations, logs } = await runProgram({ stack: 'main', values: {} });
    expect(exitCode).toBe(32);
    expect(registrations.filter(one => one.type !== 'pulumi:pulumi:Stack')).toEqual([]);
    expect(logs).toHaveLength(1);
    for (const key of ['tenantId', 'subscriptionId', 'location', 'githubSubject', 'sshPublicKey', 'image', 'machines', 'budget.amount']) expect(logs[0]!.message).toContain(`  ${key}: missing`);
  });
});

describe('what others rely on', () => {
  it('an update leaves the tags alone that the lab writes while it works', async () => {
    const written = [...readFileSync(join(ROOT, 'runner/PerfLab.Lab/Azure/MachineTags.cs'), 'utf8').matchAll(/const string \w+Name = "(perf-lab:\w+)"/g)].map(([, tag]) => tag!);
    expect(written.length).toBeGreaterThan(2);
    const left = written.map(tag => `tags["${tag}"]`);
    expect(the(await run('default'), 'VirtualMachineScaleSet', 'azure-d4s').ignoreChanges).toEqual(expect.arrayContaining(['sku.capacity', 'virtualMachineProfile.osProfile.customData', ...left]));
    expect(the(await run('cluster'), 'ManagedCluster', 'cluster').ignoreChanges).toEqual(expect.arrayContaining(left));
  });

  it('things come after what they need', async () => {
    const metal = await run('metal'), cluster = await run('cluster');
    expect(the(metal, 'Command', 'metal').dependencies).toContain(the(metal, 'CopyToRemote', 'metal').urn);
    expect(the(cluster, 'ManagedCluster', 'cluster').dependencies).toContain(the(cluster, 'RoleAssignment', 'cluster-network').urn);
    expect(the(metal, 'RoleAssignment', 'azure-d4s-power').dependencies).toContain(the(metal, 'VirtualMachineScaleSet', 'azure-d4s').urn);
    expect(the(metal, 'VirtualMachineScaleSet', 'azure-d4s').dependencies).toContain(the(metal, 'UserAssignedIdentity', 'machine').urn);
  });
});
