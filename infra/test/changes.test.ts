import { expect, it } from 'vitest';
import { READER } from '../src/provision';
import { ROLES, type RoleName } from '../src/roles';
import { deploy, type Deployment, type Recorded } from './support/deploy';
import { principalOf } from './support/fake-azure';
import { everything, sample, withMetal, type Values } from './support/sample';

/** Everything that Pulumi would compare with the last run. */
const asked = ({ resources }: Deployment): Map<string, string> => new Map(resources.map(({ type, name, inputs }) => [`${type} ${name}`, JSON.stringify(inputs)]));

function difference(before: Deployment, after: Deployment): { gone: string[]; new: string[]; changed: string[] } {
  const old = asked(before), now = asked(after);
  return {
    gone: [...old.keys()].filter(key => !now.has(key)).sort(),
    new: [...now.keys()].filter(key => !old.has(key)).sort(),
    changed: [...now.keys()].filter(key => old.has(key) && old.get(key) !== now.get(key)).sort(),
  };
}

const machines = (...names: string[]): Values => ({ ...sample(), machines: names.map(name => ({ name })) });
const machineOf = ({ resources }: Deployment): Recorded['inputs'] => resources.find(r => r.type.endsWith(':VirtualMachineScaleSet'))!.inputs;
const of = (name: string): string[] => [
  'azure-native:authorization:RoleAssignment', 'azure-native:compute:VirtualMachineScaleSet', 'perf-lab:index:Machine',
].map((type, i) => `${type} ${name}${['-power'][i] ?? ''}`);

it('a_stack_that_is_run_twice_asks_for_the_same', async () => {
  expect(difference(await deploy(everything()), await deploy(everything()))).toEqual({ gone: [], new: [], changed: [] });
});

it('the_order_of_the_stack_file_does_not_matter', async () => {
  const turned = Object.fromEntries(Object.entries(everything()).reverse());
  expect(difference(await deploy(everything()), await deploy(turned))).toEqual({ gone: [], new: [], changed: [] });
});

it('a_machine_that_is_removed_takes_only_its_own_along', async () => {
  expect(difference(await deploy(machines('a', 'b')), await deploy(machines('a')))).toEqual({ gone: of('b'), new: [], changed: [] });
});

it('a_machine_that_is_renamed_is_a_new_one_in_the_place_of_the_old', async () => {
  expect(difference(await deploy(machines('a', 'b')), await deploy(machines('a', 'c')))).toEqual({ gone: of('b'), new: of('c'), changed: [] });
});

it('another_order_of_machines_changes_nothing', async () => {
  expect(difference(await deploy(machines('a', 'b')), await deploy(machines('b', 'a')))).toEqual({ gone: [], new: [], changed: [] });
});

it('ten_machines_named_like_other_parts_have_names_of_their_own', async () => {
  const names = ['clusters', 'lab', 'machines', 'metal', 'sign', 'instances', 'power', 'github-app', 'budget', 'roles'];
  const { resources } = await deploy({ ...everything(), machines: names.map(name => ({ name })) });
  const guids = resources.filter(r => r.type.endsWith(':RoleAssignment')).map(r => r.inputs['roleAssignmentName']);
  expect(new Set(guids).size).toBe(guids.length);
  expect(guids.length).toBe(names.length + 8);
});

it('a_metal_agent_that_is_renamed_stays_the_same_resource_so_that_its_removal_comes_first', async () => {
  const values = withMetal(), metal = values['metal'] as Values;
  const { gone, changed } = difference(await deploy(values), await deploy({ ...values, metal: { ...metal, name: 'epyc' } }));
  expect(gone).toEqual([]);
  expect(changed).toEqual(['command:remote:Command metal']);
});

it('a_metal_agent_gets_token_and_repository_on_stdin_and_none_of_it_without_a_token', async () => {
  const command = async (values: Values) => (await deploy(values)).resources.find(r => r.type === 'command:remote:Command')!;
  expect((await command(withMetal())).inputs['stdin']).toBe('AAAAABBBBBCCCCCDDDDDEEEEEFFFFF\nhttps://github.com/octo-org/octo-repo\n');
  expect((await command({ ...withMetal(), metalRunnerToken: undefined })).inputs['stdin']).toBeUndefined();
});

it('smt_is_left_alone_unless_the_settings_say_so', async () => {
  const hardware = async (machine: Values) => machineOf(await deploy({ ...sample(), machines: [{ name: 'a', ...machine }] }))['virtualMachineProfile'].hardwareProfile;
  expect(await hardware({})).toBeUndefined();
  expect(await hardware({ size: 'Standard_D8s_v5', vcpusPerCore: 1 })).toEqual({ vmSizeProperties: { vCPUsPerCore: 1 } });
});

it('a_marketplace_image_is_asked_for_by_its_exact_version', async () => {
  const { imageReference } = machineOf(await deploy({ ...sample(), image: 'Debian:debian-13:13-gen2:0.20251006.2257' }))['virtualMachineProfile'].storageProfile;
  expect(imageReference).toEqual({ publisher: 'Debian', offer: 'debian-13', sku: '13-gen2', version: '0.20251006.2257' });
});

it('a_gallery_image_is_asked_for_by_its_id_and_whoever_makes_machines_of_it_may_read_it', async () => {
  const gallery = '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/perf-lab-images/providers/Microsoft.Compute/galleries/perf_lab';
  const made = await deploy({ ...sample(), image: `${gallery}/images/machine/versions/1.0.0` });
  expect(machineOf(made)['virtualMachineProfile'].storageProfile.imageReference).toEqual({ id: `${gallery}/images/machine/versions/1.0.0` });
  const readers = made.resources.filter(r => r.inputs['scope'] === gallery).map(r => [r.inputs['principalId'], r.inputs['roleDefinitionId'].split('/').at(-1)]);
  expect(readers).toEqual([[principalOf('lab-power'), READER], [principalOf('lab-provision'), READER]]);
});

it('a_cluster_that_comes_later_has_a_budget_with_a_date_of_its_own', async () => {
  const budgets = async (cluster: Values) => (await deploy({ ...everything(), cluster: { kubernetesVersion: '1.34.1', ...cluster } })).resources.filter(r => r.type.endsWith(':Budget')).map(r => [r.name, r.inputs['timePeriod'].startDate]);
  expect(await budgets({ budgetStart: '2027-02-01' })).toEqual([['budget', '2026-11-01T00:00:00Z'], ['cluster-budget', '2027-02-01T00:00:00Z']]);
  expect(await budgets({})).toEqual([['budget', '2026-11-01T00:00:00Z'], ['cluster-budget', '2026-11-01T00:00:00Z']]);
});

it('a_private_api_server_has_no_list', async () => {
  const { resources } = await deploy({ ...everything(), cluster: { kubernetesVersion: '1.34.1' } });
  expect(resources.find(r => r.type.endsWith(':ManagedCluster'))!.inputs['apiServerAccessProfile']).toEqual({ enablePrivateCluster: true });
});

it('roles_for_a_cluster_are_made_only_with_one', async () => {
  const made = async (values: Values) => (await deploy(values)).resources.filter(r => r.type.endsWith(':RoleDefinition')).map(r => r.name).sort();
  const all = Object.keys(ROLES) as RoleName[];
  expect(await made(everything())).toEqual([...all].sort());
  expect(await made(sample())).toEqual(all.filter(role => !('onlyWithCluster' in ROLES[role])).sort());
});
