import { describe, expect, it, vi } from 'vitest';
import { holderOf } from '../../src/live-lease';
import { READER } from '../../src/provision';
import { fakeResource } from '../support/fake-azure';
import { isNightly } from '../host/root';
import { change } from '../schema/change';
import { workflows } from '../security/workflows';
import { REFUSALS, refusalOf } from './azure-refusals';
import type { Recorded, Registration } from './recorded';
import { runProgram } from './run-program';
import { run } from './runs';
import { changed, STACKS } from './stacks';
import { plainObject, type Values } from './values';

vi.setConfig({ testTimeout: 120_000 });

const azureId = (one: Registration): string => fakeResource({ type: one.type, name: one.name, inputs: plainObject(one.inputs) as Record<string, any> }).id;
const azure = ({ registrations }: Recorded): Registration[] => registrations.filter(one => one.type.startsWith('azure-native:'));
const stateOf = (all: readonly Registration[]): ReadonlyMap<string, Values> => new Map(all.map(one => [one.urn, plainObject(one.inputs)]));
const said = ({ logs }: Recorded): string => logs.map(log => log.message).join('\n');
const GALLERY = '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/perf-lab-images/providers/Microsoft.Compute/galleries/perf_lab';

// R4: "run it again" is not enough, which is what docs/internals/infrastructure.md says.
describe('an update that was cut off', () => {
  it('finds in Azure what the state does not know, and is refused with its id, until that is imported', async () => {
    const whole = azure(await run('default')), set = whole.find(one => one.type.endsWith(':VirtualMachineScaleSet'))!;
    const existing = whole.map(one => azureId(one).toUpperCase());
    const again = await runProgram(STACKS.default, { world: { existing, state: stateOf(whole.filter(one => one !== set)) } });
    expect(again.exitCode).not.toBe(0);
    expect(said(again)).toContain(`cannot create already existing resource '${azureId(set)}'`);
    expect((await runProgram(STACKS.default, { world: { existing, state: stateOf(whole) } })).exitCode).toBe(0);
  });
});

// R8: the date of the first budget can't be a later one's.
it('a cluster that is added in a later month wants a date of its own', async () => {
  const state = stateOf(azure(await run('default'))), world = { state, month: '2027-02' };
  const cluster = (more: Values) => changed(STACKS.cluster, { cluster: { ...STACKS.cluster.values['cluster'] as Values, ...more } });
  expect(said(await runProgram(cluster({ budgetStart: '2026-11-01' }), { world }))).toContain('start date 2026-11-01T00:00:00Z must be in 2027-02 or later');
  expect((await runProgram(cluster({ budgetStart: '2027-02-01' }), { world })).exitCode).toBe(0);
});

// R9: the role is the owner's to give, before others change the lab.
it('a gallery image is refused to whoever may not read it', async () => {
  const config = changed(STACKS.default, { image: `${GALLERY}/images/machine/versions/1.0.0` }), before = azure(await runProgram(config));
  const ours = before.filter(one => !String(plainObject(one.inputs)['roleDefinitionId']).endsWith(READER)), set = before.find(one => one.type.endsWith(':VirtualMachineScaleSet'))!;
  expect(refusalOf(set, { caller: 'lab-provision' }, ours.filter(one => one !== set))).toContain('LinkedAuthorizationFailed');
  expect(refusalOf(set, { caller: 'lab-provision', state: stateOf(before) }, [])).toBeUndefined();
  expect(refusalOf(set, { caller: 'owner' }, [])).toBeUndefined();
});

// R9 again: Contributor may write no policy, and no role definition.
describe('a machine of a new size', () => {
  const config = changed(STACKS.default, { machines: [{ name: 'azure-d4s' }, { name: 'azure-d8s', size: 'Standard_D8s_v5' }] });
  const policy = (...sizes: string[]) => (question: string) => {
    if (question.endsWith(':getPolicyAssignment')) return { id: 'x', name: 'perf-lab-machine-sizes', parameters: { listOfAllowedSKUs: { value: sizes } } } as Values;
    throw new Error('Status=404 Code="ResourceNotFound" Message="The Resource was not found."');
  };
  const world = async () => ({ caller: 'lab-provision' as const, state: stateOf(azure(await run('default'))) });

  it('is refused to lab-provision by Azure, half-way', async () => {
    const refused = await runProgram(config, { world: await world() });
    expect(refused.exitCode).not.toBe(0);
    expect(said(refused)).toContain("does not have authorization to perform action 'Microsoft.Authorization/policyAssignments/write'");
  });

  it('so the program refuses it in the setup workflow before anything is asked for, and says who can', async () => {
    const refused = await runProgram(config, { world: await world(), environment: { PERF_LAB_CALLER: 'lab-provision' }, answer: policy('Standard_D4s_v5') });
    expect([refused.exitCode !== 0, azure(refused)]).toEqual([true, []]);
    expect(said(refused)).toMatch(/policy allows Standard_D4s_v5, the stack file has Standard_D4s_v5, Standard_D8s_v5\.[^]*As the owner: GITHUB_TOKEN=/);
  });

  it('and of the sizes that are allowed already it changes what it likes', async () => {
    const more = changed(STACKS.default, { machines: [{ name: 'azure-d4s' }, { name: 'other' }] });
    const done = await runProgram(more, { world: await world(), environment: { PERF_LAB_CALLER: 'lab-provision' }, answer: policy('Standard_D4s_v5') });
    expect([said(done), done.exitCode]).toEqual(['', 0]);
  });

  it('a policy that is not there, or can not be read, stops it too', async () => {
    const environment = { PERF_LAB_CALLER: 'lab-provision' };
    expect(said(await runProgram(STACKS.default, { environment }))).toContain('policy allows none, the stack file has Standard_D4s_v5');
    const unread = (question: string): Values => { if (question.endsWith(':getPolicyAssignment')) throw new Error('Status=403 Code="AuthorizationFailed"'); return policy()(question); };
    expect(said(await runProgram(STACKS.default, { environment, answer: unread }))).toContain('AuthorizationFailed');
  });

  it('the setup workflow says who it is', () => {
    expect(workflows()['lab-setup']!.env).toMatchObject({ PERF_LAB_CALLER: 'lab-provision' });
  });
});

describe('the Azure behind the fake engine refuses', () => {
  const set = (path: readonly (string | number)[], value: unknown) => (all: readonly Registration[]) => change(all, { type: 'VirtualMachineScaleSet', name: 'azure-d4s', path }, () => value);
  const SENT: Readonly<Record<string, readonly [make: (all: readonly Registration[]) => Registration[], why: RegExp]>> = {
    'custom data that is not base 64': [set(['virtualMachineProfile', 'osProfile', 'customData'], '#cloud-config\n'), /must be in Base64/],
    'a network of another orchestration': [set(['virtualMachineProfile', 'networkProfile', 'networkApiVersion'], undefined), /networkApiVersion' is missing/],
    'a size that is not offered': [set(['sku', 'name'], 'Standard_Z9'), /SkuNotAvailable/],
    'a principal of another type': [all => change(all, { type: 'RoleAssignment', name: 'sign', path: ['principalType'] }, () => 'User'), /UnmatchedPrincipalType/],
    'a role with an action that no provider has': [all => change(all, { type: 'RoleDefinition', name: 'power', path: ['permissions', 0, 'actions'] }, () => ['Microsoft.Compute/virtualMachineScaleSets/patch']), /InvalidActionOrNotAction/],
  };
  const ELSEWHERE = ['what exists and the state does not know', 'another image for a virtual machine', 'a budget that begins before this month', 'an image that the caller may not read', 'what only an owner may write'];

  it('nothing that the program asks for', async () => {
    for (const kind of ['default', 'metal', 'cluster'] as const) expect((await run(kind)).registrations.flatMap((one, i, all) => refusalOf(one, { month: '2026-11' }, all.slice(0, i)) ?? [])).toEqual([]);
  });

  it.each(Object.entries(SENT))('%s', async (_, [make, why]) => {
    expect(make((await run('default')).registrations).flatMap(one => refusalOf(one, {}, []) ?? [])).toEqual([expect.stringMatching(why)]);
  });

  it('another image for a virtual machine that is there, R2, and takes it for a scale set', () => {
    const like = { urn: 'u', name: 'a', parent: '', custom: true, inputs: { vmName: 'a', resourceGroupName: 'g', storageProfile: { imageReference: { version: '2' } } } } as unknown as Registration;
    const state = new Map([['u', { storageProfile: { imageReference: { version: '1' } } } as Values]]);
    expect(refusalOf({ ...like, type: 'azure-native:compute:VirtualMachine' }, { state }, [])).toContain('PropertyChangeNotAllowed');
    expect(refusalOf({ ...like, type: 'azure-native:compute:VirtualMachineScaleSet', inputs: { ...like.inputs, sku: { name: 'Standard_D4s_v5' } } }, { state }, [])).toBeUndefined();
  });

  it('and each of its refusals is sent by a test', () => { expect(Object.keys(REFUSALS).sort()).toEqual([...Object.keys(SENT), ...ELSEWHERE].sort()); });
});

describe('a lease', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  it.each([
    ['4711/1/2026-11-22T13:00:00Z', { run: '4711/1', until: '2026-11-22T13:00:00Z' }], ['4711/1/2026-11-22T11:59:59Z', undefined], ['4711/1/2026-11-22T20:00:00Z', undefined],
    ['0/999999999/2026-11-22T13:00:00Z', { run: '0/999999999', until: '2026-11-22T13:00:00Z' }],    // by hand
    ['$(reboot)', undefined], ['4711/1/2026-13-45T99:00:00Z', undefined], ['', undefined], [undefined, undefined],
  ])('%j is live for %j', (tag, holder) => { expect(holderOf(tag, now)).toEqual(holder); });

  const lease = (hours: number): string => `4711/1/${new Date(Date.now() + hours * 3_600_000).toISOString().replace(/\.\d+/, '')}`;
  const tagged = (tag: string) => () => ({ id: 'x', name: 'azure-d4s', tags: { 'perf-lab:lease': tag } });

  it('that is live stops an update before anything is asked for', async () => {
    const refused = await runProgram(STACKS.default, { answer: tagged(lease(1)) });
    expect(refused.exitCode).not.toBe(0);
    expect(said(refused)).toMatch(/azure-d4s is held by run 4711\/1 until [^]*Nothing was changed/);
    expect(azure(refused)).toEqual([]);
  });

  it('of any machine stops it, and each holder is told', async () => {
    const three = changed(STACKS.default, { machines: ['one', 'two', 'three'].map(name => ({ name })) });
    const held = (...names: string[]) => (_: string, about: Values) => ({ id: 'x', name: about['vmScaleSetName'], tags: names.includes(String(about['vmScaleSetName'])) ? { 'perf-lab:lease': lease(1) } : {} });
    for (const names of isNightly ? [['one'], ['two'], ['three'], ['two', 'three']] : [['two', 'three']]) {    // each is a process
      const refused = await runProgram(three, { answer: held(...names) });
      expect([...said(refused).matchAll(/(\w+) is held by run/g)].map(([, name]) => name)).toEqual(names);
      expect(azure(refused)).toEqual([]);
    }
  });

  it('that is over stops nothing', async () => { expect((await runProgram(STACKS.default, { answer: tagged(lease(-1)) })).exitCode).toBe(0); });

  it('that can not be read stops it too: silence is no consent', async () => {
    const refused = await runProgram(STACKS.default, { answer: () => { throw new Error('Status=403 Code="AuthorizationFailed"'); } });
    expect([refused.exitCode !== 0, azure(refused)]).toEqual([true, []]);
    expect(said(refused)).toContain('AuthorizationFailed');
  });
});
