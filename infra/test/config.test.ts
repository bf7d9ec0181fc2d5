import { describe, expect, it } from 'vitest';
import { deploy } from './support/deploy';
import { refused } from './support/refused';
import { everything, sample, withCluster, withGitHub, withMetal, type Values } from './support/sample';
import { publicKey, rsaKey } from './support/ssh-key';

/** What people did, the one problem that they are told: the field first, then what was wrong and what is valid. */
type Case = readonly [name: string, values: () => Values, problem: RegExp];

const but = (values: () => Values, key: string, change: Values | ((old: any) => unknown)) => (): Values => {
  const all = values();
  return { ...all, [key]: typeof change === 'function' ? change(all[key]) : { ...all[key] as Values, ...change } };
};
const machine = (change: Values) => but(sample, 'machines', () => [{ name: 'a', ...change }]);
const set = (key: string, value: unknown, values = sample) => but(values, key, () => value);
const many = (count: number): Values[] => Array.from({ length: count }, (_, i) => ({ name: `m${i}` }));
const without = (values: () => Values, key: string, member: string) => but(values, key, old => { const { [member]: _, ...rest } = old; return rest; });

const MACHINES: readonly Case[] = [
  ['a_size_outside_of_the_list', machine({ size: 'Standard_B2s' }), /^machines\[0\]\.size: "Standard_B2s" is not one of Standard_D4s_v5, Standard_D8s_v5, Standard_D16s_v5$/],
  ['a_region_without_the_size', set('location', 'polandcentral'), /^machines\[0\]\.size: "Standard_D4s_v5" is not on our list for "polandcentral"; listed are australiaeast, .*westeurope/],
  ['a_region_that_is_none', set('location', 'West Europe'), /^location: "West Europe" is not an Azure region such as westeurope$/],
  ['a_name_of_65_characters', machine({ name: 'a'.repeat(65) }), /^machines\[0\]\.name: "a+.* is not a name: lower-case letters, digits and dashes, at most 54/],
  ['a_name_with_capitals', machine({ name: 'Azure' }), /^machines\[0\]\.name: "Azure" is not a name: lower-case/],
  ['a_name_with_an_umlaut', machine({ name: 'prüfer' }), /^machines\[0\]\.name: "prüfer" is not a name: lower-case/],
  ['a_name_that_ends_with_a_dash', machine({ name: 'a-' }), /^machines\[0\]\.name: "a-" is not/],
  ['a_machine_without_a_name', but(sample, 'machines', () => [{}]), /^machines\[0\]\.name: missing \(a name/],
  ['two_machines_of_one_name', set('machines', [{ name: 'a' }, { name: 'a' }]), /^machines: "a" is there twice/],
  ['a_machine_whose_name_begins_with_another_s', set('machines', [{ name: 'azure' }, { name: 'azure-d4s' }]), /^machines: "azure-d4s" begins with "azure-"/],
  ['a_machine_named_like_the_cluster', () => ({ ...withCluster(), machines: [{ name: 'cluster' }] }), /^machines: "cluster" is the cluster's name; beside one a machine has another$/],
  ['a_metal_agent_named_like_a_machine', but(withMetal, 'metal', { name: 'azure-d4s' }), /^machines: "azure-d4s" is there twice/],
  ['no_machines', set('machines', []), /^machines: 0 entries, not a list of 1 to 10 machines$/],
  ['a_thousand_machines', set('machines', many(1000)), /^machines: 1000 entries, not a list of 1 to 10 machines$/],
  ['machines_that_are_no_list', set('machines', { name: 'a' }), /^machines: \{"name":"a"\} is not a list of 1 to 10 machines$/],
  ['smt_off_on_four_vcpus', machine({ vcpusPerCore: 1 }), /^machines\[0\]\.size: "Standard_D4s_v5" with vcpusPerCore 1 leaves 2 vCPUs, 4 are needed: use Standard_D8s_v5$/],
  ['three_threads_per_core', machine({ vcpusPerCore: 3 }), /^machines\[0\]\.vcpusPerCore: 3 is not a whole number from 1 to 2$/],
  ['a_disk_of_one_gib', machine({ diskGiB: 1 }), /^machines\[0\]\.diskGiB: 1 is not a whole number from 32 to 1024$/],
  ['a_member_that_nobody_knows', machine({ spot: true }), /^machines\[0\]\.spot: unknown; known are diskGiB, name, size, vcpusPerCore$/],
  ['a_size_with_a_name_that_every_object_has', machine({ size: 'constructor' }), /^machines\[0\]\.size: "constructor" is not one of Standard_D4s_v5/],
  ['a_machine_that_is_null', but(sample, 'machines', () => [null]), /^machines\[0\]: null is not an object$/],
  ['a_disk_that_no_number_holds', set('machines', '[{ "name": "a", "diskGiB": 1e400 }]'), /^machines\[0\]\.diskGiB: Infinity is not a whole number/],
  ['machines_that_are_cut', set('machines', '[{ "name": "a"'), /^machines: "\[\{ .* is not a list of 1 to 10 machines$/],
  ['machines_of_100_000_levels', set('machines', '['.repeat(100_000) + ']'.repeat(100_000)), /^machines: "\[+ is not a list of 1 to 10 machines$/],
  ['a_member_with_the_name_of_a_prototype', set('budget', '{ "amount": 1, "start": "2026-11-01", "emails": ["a@b.example"], "__proto__": 1 }'), /^budget\.__proto__: unknown; known are amount, emails, start$/],
  ['a_name_with_half_a_character', machine({ name: '\ud800' }), /^machines\[0\]\.name: .* is not a name/],
  ['a_key_that_nobody_knows', set('machine', []), /^machine: unknown; known are budget, cluster, /],
];

const GALLERY = '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/g/providers/Microsoft.Compute/galleries/g/images/i/versions/';
const PRIVATE_KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n-----END OPENSSH PRIVATE KEY-----';

const IMAGES: readonly Case[] = [
  ['the_image_latest', set('image', 'Debian:debian-13:13-gen2:latest'), /^image: "latest" is not an exact image version such as .*, never latest$/],
  ['a_gallery_image_latest', set('image', `${GALLERY}latest`), /^image: .*: an exact version, never latest$/],
  ['an_image_whose_kernel_is_too_old', set('image', 'Debian:debian-11:11-gen2:0.20251006.2257'), /^image: "debian-11" is not one of debian-12, debian-13: .* 5\.16 or later /],
  ['an_image_whose_packages_come_over_80', set('image', 'Canonical:ubuntu-24_04-lts:server:24.04.202510010'), /^image: "ubuntu-24_04-lts" is not one of .* over 443/],
  ['an_image_with_a_name_that_every_object_has', set('image', 'Debian:constructor:13-gen2:0.20251006.2257'), /^image: "constructor" is not one of debian-12/],
  ['an_image_of_generation_1', set('image', 'Debian:debian-13:13:0.20251006.2257'), /^image: "13" is not a generation 2 image/],
  ['an_image_in_no_form', set('image', 'debian'), /^image: "debian" is not Publisher:offer:sku:version/],
  ['no_image', set('image', undefined), /^image: missing/],
];

const KEYS: readonly Case[] = [
  ['a_dsa_key', set('sshPublicKey', publicKey('ssh-dss', 129, 21, 128, 129)), /^sshPublicKey: keys of type ssh-dss are not taken; accepted are ssh-ed25519, ssh-rsa, RSA from 3072 bits$/],
  ['an_rsa_key_of_1024_bits', set('sshPublicKey', rsaKey(1024)), /^sshPublicKey: an RSA key of 1024 bits is too weak; accepted are /],
  ['an_ecdsa_key_for_machines', set('sshPublicKey', publicKey('ecdsa-sha2-nistp256', 8, 65)), /^sshPublicKey: keys of type ecdsa-sha2-nistp256 are not taken/],
  ['a_private_key_as_the_public_one', set('sshPublicKey', PRIVATE_KEY), /^sshPublicKey: this is a private key; give the line of the \.pub file, and make a new pair: this one is spent$/],
  ['a_key_that_is_cut', set('sshPublicKey', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA'), /^sshPublicKey: the base64 part does not hold a key of the type in front of it/],
  ['a_key_of_another_type_than_it_says', set('sshPublicKey', rsaKey(3072).replace('ssh-rsa', 'ssh-ed25519')), /^sshPublicKey: the base64 part does not hold a key of the type/],
  ['two_keys', set('sshPublicKey', `${rsaKey(3072)}\n${rsaKey(3072)}`), /^sshPublicKey: not one line/],
  ['no_key', set('sshPublicKey', undefined), /^sshPublicKey: missing/],
];

const NETWORKS: readonly Case[] = [
  ['subnets_that_overlap', but(withCluster, 'network', () => ({ machines: '10.90.4.0/24' })), /^network\.machines: "10\.90\.4\.0\/24" overlaps network\.cluster "10\.90\.4\.0\/22"$/],
  ['pods_inside_of_the_network', but(withCluster, 'cluster', { podCidr: '10.90.0.0/16' }), /^network\.addressSpace: "10\.90\.0\.0\/16" overlaps cluster\.podCidr "10\.90\.0\.0\/16"$/],
  ['services_over_pods', but(withCluster, 'cluster', { serviceCidr: '10.244.4.0/24' }), /^cluster\.podCidr: "10\.244\.0\.0\/16" overlaps cluster\.serviceCidr/],
  ['a_subnet_outside_of_the_network', set('network', { machines: '10.91.0.0/24' }), /^network\.machines: "10\.91\.0\.0\/24" is not inside addressSpace "10\.90\.0\.0\/16"$/],
  ['a_range_with_host_bits', set('network', { machines: '10.90.0.1/24' }), /^network\.machines: "10\.90\.0\.1\/24" is not a private IPv4 range/],
  ['a_range_of_public_addresses', set('network', { addressSpace: '20.0.0.0/16' }), /^network\.addressSpace: "20\.0\.0\.0\/16" is not a private IPv4 range/],
  ['a_subnet_of_four_addresses', set('network', { machines: '10.90.0.0/30' }), /^network\.machines: "10\.90\.0\.0\/30" is too small; \/28 is the smallest$/],
  ['a_subnet_for_a_cluster_that_is_not_there', set('network', { cluster: '10.90.4.0/22' }), /^network\.cluster: of no use without perf-lab:cluster$/],
];

const METAL: readonly Case[] = [
  ['a_metal_agent_without_a_host_key', without(withMetal, 'metal', 'hostKey'), /^metal\.hostKey: missing \(the host's own public key/],
  ['an_empty_host_key', but(withMetal, 'metal', { hostKey: '' }), /^metal\.hostKey: not one line/],
  ['a_host_key_with_the_host_in_front', but(withMetal, 'metal', { hostKey: `ryzen ${publicKey('ssh-ed25519', 32)}` }), /^metal\.hostKey: keys of type ryzen are not taken/],
  ['a_host_key_as_a_fingerprint', but(withMetal, 'metal', { hostKey: 'SHA256:jz3wqv2MZrT4o0CkMZ2bCwP6Jb1VxwFz3E8lY0p3m2E' }), /^metal\.hostKey: not one line/],
  ['a_host_key_of_dsa', but(withMetal, 'metal', { hostKey: publicKey('ssh-dss', 129, 21, 128, 129) }), /^metal\.hostKey: keys of type ssh-dss are not taken/],
  ['a_metal_agent_called_as_root', but(withMetal, 'metal', { user: 'root' }), /^metal\.user: "root" is not a user with passwordless sudo, and not root$/],
  ['a_host_with_an_option_in_it', but(withMetal, 'metal', { host: '-oProxyCommand=x' }), /^metal\.host: "-oProxyCommand=x" is not a host name/],
  ['a_metal_name_that_the_agent_refuses', but(withMetal, 'metal', { name: 'r'.repeat(32) }), /^metal\.name: "r+" is not a name: .* 2 to 31/],
  ['a_public_key_as_the_private_one', set('metalPrivateKey', publicKey('ssh-ed25519', 32), withMetal), /^metalPrivateKey: not a private key without passphrase: .* \(its value is not shown\)$/],
  ['a_token_that_is_none', set('metalRunnerToken', 'ghp_abc', withMetal), /^metalRunnerToken: not a registration token/],
  ['a_metal_agent_without_a_private_key', set('metalPrivateKey', undefined, withMetal), /^metalPrivateKey: missing \(.*pulumi config set --secret metalPrivateKey\)$/],
  ['a_private_key_without_a_metal_agent', set('metal', undefined, () => ({ ...withMetal(), metalRunnerToken: undefined })), /^metalPrivateKey: of no use without metal$/],
];

const OTHERS: readonly Case[] = [
  ['a_subscription_by_name', set('subscriptionId', 'my subscription'), /^subscriptionId: "my subscription" is not a GUID/],
  ['a_subject_for_every_repository', set('githubSubject', 'repo:octo-org/*'), /^githubSubject: "repo:octo-org\/\*" is not the start of the token's subject/],
  ['a_subject_with_a_number_on_one_side', set('githubSubject', 'repo:octo-org@12/octo-repo'), /^githubSubject: /],
  ['a_budget_of_nothing', but(sample, 'budget', { amount: 0 }), /^budget\.amount: 0 is not a whole number from 1 to 100000$/],
  ['a_budget_that_tells_nobody', but(sample, 'budget', { emails: [] }), /^budget\.emails: 0 entries, not a list of 1 to 10/],
  ['a_budget_from_the_middle_of_a_month', but(sample, 'budget', { start: '2026-11-15' }), /^budget\.start: "2026-11-15" is not the first day of a month/],
  ['an_address_that_is_none', but(sample, 'budget', { emails: ['owner'] }), /^budget\.emails\[0\]: "owner" is not an e-mail address$/],
  ['a_time_that_yaml_took_for_octal', set('shutdown', { time: 192 }), /^shutdown\.time: 192 is not a time of day as HHmm, in quotes$/],
  ['a_quarter_past_twenty_four', set('shutdown', { time: '2415' }), /^shutdown\.time: "2415" is not a time of day/],
  ['a_time_zone_of_linux', set('shutdown', { timeZone: 'Europe/Berlin' }), /^shutdown\.timeZone: "Europe\/Berlin" is not a Windows time zone name such as/],
  ['an_app_by_name', but(sample, 'githubApp', { id: 'perf-lab' }), /^githubApp\.id: "perf-lab" is not a whole number/],
  ['a_vault_name_of_30_characters', set('vaultName', 'v'.repeat(30)), /^vaultName: "v+" is not 3 to 24/],
  ['a_cluster_s_budget_from_the_middle_of_a_month', but(withCluster, 'cluster', { budgetStart: '2027-01-02' }), /^cluster\.budgetStart: "2027-01-02" is not the first day/],
  ['kubernetes_of_any_patch', but(withCluster, 'cluster', { kubernetesVersion: '1.34' }), /^cluster\.kubernetesVersion: "1\.34" is not an exact version such as 1\.34\.1/],
  ['an_api_server_for_the_world', but(withCluster, 'cluster', { apiAllowList: ['0.0.0.0/0'] }), /^cluster\.apiAllowList\[0\]: "0\.0\.0\.0\/0" is not an IPv4 range of \/16 or smaller$/],
  ['an_object_that_is_text', set('budget', '{'), /^budget: "\{" is not an object$/],
];

const GITHUB: readonly Case[] = [
  ['a_token_in_the_stack_file', set('github:token', 'ghp_abc', withGitHub), /^github:token: take it out and revoke what it held; the token comes from the environment, GITHUB_TOKEN$/],
  ['the_key_of_an_app_in_the_stack_file', set('github:appAuth', { id: '1' }), /^github:appAuth: take it out and revoke/],
  ['another_owner_than_the_subject_s', set('github:owner', 'octo-corp', withGitHub), /^github:owner: "octo-corp" is not the owner in githubSubject \(pulumi config set github:owner octo-org\)$/],
  ['no_owner', set('github:owner', undefined, withGitHub), /^github:owner: missing \(pulumi config set github:owner octo-org\)$/],
  ['a_pattern_of_branches', but(withGitHub, 'github', { branch: '*' }), /^github\.branch: "\*" is not a branch's name without wildcards$/],
  ['seven_reviewers', but(withGitHub, 'github', { reviewers: [1, 2, 3, 4, 5, 6, 7] }), /^github\.reviewers: 7 entries, not a list of at most 6 numbers of people/],
  ['a_reviewer_by_name', but(withGitHub, 'github', { reviewers: ['octocat'] }), /^github\.reviewers\[0\]: "octocat" is not a whole number/],
  ['a_pace_that_the_reaper_does_not_have', but(withGitHub, 'github', { reaper: '5m' }), /^github\.reaper: "5m" is not one of 30m, 2h, 6h$/],
  ['a_state_with_a_password', but(withGitHub, 'github', { stateUrl: 'https://me:secret@example.org' }), /^github\.stateUrl: what pulumi login is given is wanted, .*\(its value is not shown\)$/],
];

describe('refused before any resource, with the field and what is valid', () => {
  for (const [name, values, problem] of [...MACHINES, ...IMAGES, ...KEYS, ...NETWORKS, ...METAL, ...OTHERS, ...GITHUB]) {
    it(name, async () => { expect(await refused(values())).toEqual([expect.stringMatching(problem)]); });
  }

  it('a_secret_that_is_stored_in_the_clear', async () => {
    const [problem = '', ...more] = await refused(withMetal(), { secrets: ['metalRunnerToken'] });
    expect(problem).toMatch(/^metalPrivateKey: stored in the clear: pulumi config set --secret metalPrivateKey/);
    expect(more).toEqual([]);
  });

  it('a_stack_whose_name_azure_would_not_take', async () => {
    expect(await refused(sample(), { stack: 'Prod_1' })).toEqual([expect.stringMatching(/^the stack's name: "Prod_1" is not lower-case letters/)]);
  });
});

it.each(['repo:octo_corp/octo-repo', 'repo:octo_corp@12/octo-repo@34'])('an_owner_that_a_company_manages_is_one: %s', async githubSubject => {
  const { resources } = await deploy({ ...sample(), githubSubject });
  expect(resources.find(one => one.name === 'lab-power' && one.type.endsWith(':FederatedIdentityCredential'))!.inputs['subject']).toBe(`${githubSubject}:environment:perf-lab`);
});

it('everything_wrong_is_told_at_once', async () => {
  const { image: _, ...rest } = everything();
  const told = await refused({ ...rest, location: 'X', machines: [{ name: 'A', size: 'S' }, { nam: 'b' }], budget: { amount: 'much' }, more: 1 });
  expect(told.map(line => line.split(':')[0])).toEqual(expect.arrayContaining(
    ['location', 'image', 'machines[0].name', 'machines[0].size', 'machines[1].name', 'machines[1].nam', 'budget.amount', 'budget.start', 'budget.emails', 'more']));
});

it('a_rule_between_members_is_asked_where_others_are_wrong', async () => {
  const told = await refused({
    ...everything(), budget: { amount: 'much' }, location: 'polandcentral', image: 'debian', sshPublicKey: 'x',
    network: { addressSpace: 1, machines: '10.244.1.0/30', cluster: '10.244.0.0/22' },
    machines: [{ name: 'ryzen', diskGiB: 1 }, null, { name: 'cluster', size: 'S' }, { name: 'm', vcpusPerCore: 1, disk: 1 }],
  });
  expect(told).toEqual(expect.arrayContaining([
    expect.stringMatching(/^machines: "ryzen" is there twice/), expect.stringMatching(/^machines: "cluster" is the cluster's name/),
    expect.stringMatching(/^machines\[3\]\.size: .* leaves 2 vCPUs/), expect.stringMatching(/^machines\[0\]\.size: .* not on our list for "polandcentral"/),
    expect.stringMatching(/^cluster\.size: .* not on our list/), expect.stringMatching(/^network\.machines: .* overlaps network\.cluster/),
    expect.stringMatching(/^network\.machines: .* too small/), expect.stringMatching(/^network\.addressSpace: 1 is not a private IPv4 range/),
  ]));
  expect(told.filter(line => line.startsWith('machines[2].size'))).toEqual([expect.stringContaining('is not one of')]);    // what is wrong is told once
});

it('an_empty_stack_file_is_told_every_key_that_it_needs', async () => {
  expect((await refused({})).map(line => line.split(':')[0]).sort()).toEqual(
    ['budget.amount', 'budget.emails', 'budget.start', 'githubApp.id', 'githubApp.installation', 'githubSubject', 'image', 'location', 'machines', 'sshPublicKey',
      'subscriptionId', 'tenantId']);
});

it('no_problem_shows_what_may_be_a_secret', async () => {
  const secret = '-----BEGIN RSA PRIVATE KEY-----\nc2VjcmV0\n-----END RSA PRIVATE KEY-----\n';
  const metal = { ...withMetal()['metal'] as Values, hostKey: [secret] };
  const told = await refused({ ...withMetal(), metalPrivateKey: `x${secret}`, metalRunnerToken: secret, sshPublicKey: secret, metal });
  expect(told.length).toBe(4);
  expect(told.join('\n')).not.toMatch(/c2VjcmV0|BEGIN RSA/);
});
