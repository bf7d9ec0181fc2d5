import { describe, expect, it } from 'vitest';
import type { Registration } from '../runtime/recorded';
import { run } from '../runtime/runs';
import { STACKS, type StackKind } from '../runtime/stacks';
import { change, type Spot } from './change';
import { check } from './check';
import { Declarations } from './declarations';

const KINDS = Object.keys(STACKS) as StackKind[];

describe('every resource fits what its provider declares', () => {
  it.each(KINDS)('in the %s stack', async kind => { expect(check((await run(kind)).registrations)).toEqual([]); });
  it.each(KINDS)('in a preview of the %s stack, unknown values aside', async kind => { expect(check((await run(kind, 'preview')).registrations)).toEqual([]); });
});

const SET = (...path: (string | number)[]): Spot => ({ type: 'VirtualMachineScaleSet', name: 'azure-d4s', path });
const VM = (...path: (string | number)[]): Spot => SET('virtualMachineProfile', ...path);
const RULE = (...path: (string | number)[]): Spot => ({ type: 'NetworkSecurityGroup', name: 'machines', path: ['securityRules', 0, ...path] });
const POOL = (...path: (string | number)[]): Spot => ({ type: 'ManagedCluster', name: 'cluster', path: ['agentPoolProfiles', 1, ...path] });
const to = (value: unknown) => () => value;

// What a mistake in the program would register, and the one sentence that must come of it.
const MISTAKES: readonly (readonly [what: string, kind: StackKind, at: Spot, value: (before: unknown) => unknown, problem: string | RegExp])[] = [
  ['a misspelt property', 'default', VM('storageProfile', 'osDisk', 'deletOption'), to('Delete'), 'VirtualMachineScaleSet azure-d4s.virtualMachineProfile.storageProfile.osDisk.deletOption: unknown'],
  ['a misspelt property at the top', 'default', SET('tagz'), to({}), 'VirtualMachineScaleSet azure-d4s.tagz: unknown'],
  ['a property in the wrong case', 'default', SET('sku', 'Name'), to('Standard_D4s_v5'), 'VirtualMachineScaleSet azure-d4s.sku.Name: unknown'],
  ['a misspelt property behind a variable, which the compiler lets through', 'cluster', POOL('vmSizes'), to('Standard_D4s_v5'), 'ManagedCluster cluster.agentPoolProfiles[1].vmSizes: unknown'],
  ['a wrong enum value', 'default', VM('storageProfile', 'osDisk', 'deleteOption'), to('Never'), 'VirtualMachineScaleSet azure-d4s.virtualMachineProfile.storageProfile.osDisk.deleteOption: "Never" is not one of Delete, Detach'],
  ['a wrong enum value in a list', 'default', RULE('direction'), to('Inwards'), 'NetworkSecurityGroup machines.securityRules[0].direction: "Inwards" is not one of Inbound, Outbound'],
  ['an enum value in the wrong case', 'default', VM('securityProfile', 'securityType'), to('trustedLaunch'), /securityType: "trustedLaunch" is not one of .*TrustedLaunch/],
  ['a wrong enum value of the SSH provider', 'metal', { type: 'Command', name: 'metal', path: ['logging'] }, to('None'), /Command metal\.logging: "None" is not one of .*none/],
  ['a text where a number belongs', 'default', VM('storageProfile', 'osDisk', 'diskSizeGB'), to('64'), 'VirtualMachineScaleSet azure-d4s.virtualMachineProfile.storageProfile.osDisk.diskSizeGB: "64" is not a number'],
  ['a number where a text belongs', 'default', RULE('destinationPortRange'), to(443), 'NetworkSecurityGroup machines.securityRules[0].destinationPortRange: 443 is not a string'],
  ['a text where a yes or no belongs', 'default', VM('diagnosticsProfile', 'bootDiagnostics', 'enabled'), to('true'), 'VirtualMachineScaleSet azure-d4s.virtualMachineProfile.diagnosticsProfile.bootDiagnostics.enabled: "true" is not a boolean'],
  ['one value where a list belongs', 'default', { type: 'VirtualNetwork', name: 'lab', path: ['addressSpace', 'addressPrefixes'] }, to('10.0.0.0/8'), 'VirtualNetwork lab.addressSpace.addressPrefixes: "10.0.0.0/8" is not a list'],
  ['a text where an object belongs', 'default', SET('identity'), to('SystemAssigned'), 'VirtualMachineScaleSet azure-d4s.identity: "SystemAssigned" is not an object'],
  ['a tag that is no text', 'default', SET('tags', 'perf-lab:stack'), to(1), 'VirtualMachineScaleSet azure-d4s.tags.perf-lab:stack: 1 is not a string'],
  ['a required property left out', 'default', RULE('direction'), to(undefined), 'NetworkSecurityGroup machines.securityRules[0].direction: missing'],
  ['a required property left out at the top', 'default', { type: 'Budget', name: 'budget', path: ['timeGrain'] }, to(undefined), 'Budget budget.timeGrain: missing'],
];

describe('the check finds', () => {
  it.each(MISTAKES)('%s', async (_, kind, at, value, problem) => {
    const found = check(change((await run(kind)).registrations, at, value));
    expect(found).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)]);
  });

  const first = async (altered: Partial<Registration>): Promise<string[]> => {
    const { registrations } = await run('default');
    return check(registrations.map(one => one.type.endsWith(':VirtualMachineScaleSet') ? { ...one, ...altered } : one));
  };

  it('an option for a property that is not there', async () => {
    expect(await first({ ignoreChanges: ['virtualMachineProfile.osProfile.customDate', 'tags["perf-lab:lease"]', 'tagz["x"]'] }))
      .toEqual(['VirtualMachineScaleSet azure-d4s: option for virtualMachineProfile.osProfile.customDate: no such property', 'VirtualMachineScaleSet azure-d4s: option for tagz["x"]: no such property']);
  });

  it('a resource that the provider does not have', async () => {
    expect(await first({ type: 'azure-native:compute:VirtualMachin' })).toEqual([expect.stringContaining('there is no azure-native:compute:VirtualMachin in @pulumi/azure-native 3.28.0')]);
  });

  it('another version of the provider than the one that was checked', async () => {
    expect(await first({ version: '2.0.0' })).toEqual(['VirtualMachineScaleSet azure-d4s: version "2.0.0" is not 3.28.0']);
  });
});

it('the list of sizes is left open only as long as it ends before ours', () => {
  expect(Declarations.of('azure-native').enum('compute.VirtualMachineSizeTypes')).not.toContain('Standard_D4s_v5');
});
