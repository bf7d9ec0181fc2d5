import { each, type Resource } from './rule';

/** Kept apart from the program's own list on purpose: who widens that one is told here. */
const SIZES = ['Standard_D4s_v5', 'Standard_D8s_v5', 'Standard_D16s_v5'];
const VM = ['compute:VirtualMachineScaleSet'];
/** What every machine of a scale set is made like. */
const model = ({ props }: Resource): Record<string, any> => props['virtualMachineProfile'] ?? {};

const listedSize = each({
  name: 'listed-size',
  why: 'Results of different sizes must never meet in one series, and a typo can cost many times as much.',
}, [...VM, 'containerservice:ManagedCluster', 'containerservice:AgentPool'], function* ({ type, props }, settings) {
  const sizes = settings.texts('sizes', SIZES);
  const used = type.endsWith(':ManagedCluster') ? (props['agentPoolProfiles'] ?? []).map((pool: { vmSize?: string }) => pool.vmSize) : [props['sku']?.name ?? props['vmSize']];
  for (const size of used) if (!sizes.includes(size)) yield `${size ?? 'no size'} is not one of ${sizes.join(', ')}`;
});
listedSize.configSchema = { properties: { sizes: { type: 'array', items: { type: 'string' } } } };

const exactImage = each({
  name: 'exact-image',
  why: 'A machine that changes by itself makes every series jump.',
}, VM, function* (set) {
  const props = model(set);
  const image = props['storageProfile']?.imageReference ?? {};
  const gallery = /\/versions\/\d+\.\d+\.\d+$/.test(image.id ?? ''), market = image.id === undefined && /^\d+(\.\d+)+$/.test(image.version ?? '');
  if (!gallery && !market) yield `the image is ${image.id ?? image.version ?? 'not said'}, not one exact version`;
});

const keysOnly = each({
  name: 'keys-only', severity: 'critical',
  why: 'A password can be guessed.',
}, VM, function* (set) {
  const props = model(set);
  if (props['osProfile']?.linuxConfiguration?.disablePasswordAuthentication !== true) yield 'takes passwords';
  if (props['osProfile']?.adminPassword !== undefined) yield 'has a password';
});

const trustedLaunch = each({
  name: 'trusted-launch',
  why: 'An exact image proves nothing about a boot chain that somebody changed.',
}, VM, function* (set) {
  const props = model(set);
  const { securityType, uefiSettings } = props['securityProfile'] ?? {};
  const isTrusted = securityType === 'TrustedLaunch' && uefiSettings?.secureBootEnabled === true && uefiSettings.vTpmEnabled === true;
  if (!isTrusted) yield 'is not started by trusted launch with secure boot and a virtual TPM';
});

const nothingSurvivesARequest = each({
  name: 'nothing-survives-a-request', severity: 'critical',
  why: 'Only what has deleteOption Delete goes with its machine; what one request leaves behind is billed, and must not meet the next.',
}, VM, function* (set) {
  const props = model(set);
  const { osDisk, dataDisks } = props['storageProfile'] ?? {};
  if (osDisk?.deleteOption !== 'Delete') yield 'the disk stays when the machine goes';
  if ((dataDisks ?? []).length > 0) yield 'has a data disk';
  for (const card of props['networkProfile']?.networkInterfaceConfigurations ?? []) {
    if (card.deleteOption !== 'Delete') yield 'the network card stays when the machine goes';
    for (const { publicIPAddressConfiguration: address } of card.ipConfigurations ?? []) if (address && address.deleteOption !== 'Delete') yield 'the address stays when the machine goes';
  }
});

const notSpot = each({
  name: 'not-spot', severity: 'medium',
  why: 'Azure takes Spot machines away in the middle of a measurement.',
}, VM, function* (set) {
  const props = model(set);
  if ((props['priority'] ?? 'Regular') !== 'Regular') yield `its priority is ${props['priority']}`;
});

const bootLog = each({
  name: 'boot-log', severity: 'low',
  why: 'Without it nobody learns why a runner never came.',
}, VM, function* (set) {
  const props = model(set);
  if (props['diagnosticsProfile']?.bootDiagnostics?.enabled !== true) yield 'keeps no boot log';
});

const noExtensions = each({
  name: 'no-extensions',
  why: 'An extension runs as root, whatever the image holds.',
}, VM, function* (set) {
  const props = model(set);
  if (props['osProfile']?.allowExtensionOperations !== false) yield 'takes extensions';
});

const identityOfItsOwn = each({
  name: 'identity-of-machines', severity: 'critical',
  why: 'Whoever is on the machine can be whatever identity is attached to it.',
}, VM, function* ({ props }) {
  const { type, userAssignedIdentities } = props['identity'] ?? {};
  const attached = Array.isArray(userAssignedIdentities) ? userAssignedIdentities.map(String) : Object.keys(userAssignedIdentities ?? {});
  if (type !== 'UserAssigned' || attached.length !== 1 || !/\/userAssignedIdentities\/machine$/i.test(attached[0] ?? '')) {
    yield `its identity is ${type ?? 'none'} ${attached.join(', ')}, not the one that machines have`;
  }
});

const emptyUntilAsked = each({
  name: 'empty-until-asked',
  why: 'A machine that nobody asked for costs money and measures nothing.',
}, VM, function* ({ props }) {
  if ((props['sku']?.capacity ?? -1) !== 0) yield `it holds ${props['sku']?.capacity ?? 'who knows how many'} machines from the start`;
  if (props['orchestrationMode'] !== 'Flexible') yield 'without Flexible orchestration nobody says what goes with a machine';
  if (props['upgradePolicy']?.mode !== 'Manual') yield 'a change of its model would reach a running machine';
});

const leaseStays = each({
  name: 'lease-stays',
  why: 'An update that takes the lease away, or capacity and custom data, ends a measurement or makes a machine that nobody holds.',
}, [...VM, 'containerservice:ManagedCluster'], function* ({ type, opts }) {
  const own = type.endsWith(':VirtualMachineScaleSet') ? ['sku.capacity', 'virtualMachineProfile.osProfile.customData'] : [];
  for (const path of ['tags["perf-lab:lease"]', ...own]) if (!opts.ignoreChanges.includes(path)) yield `an update would undo ${path}`;
});

export const MACHINES = [listedSize, exactImage, keysOnly, trustedLaunch, nothingSurvivesARequest, notSpot, bootLog, noExtensions, identityOfItsOwn, emptyUntilAsked, leaseStays];
