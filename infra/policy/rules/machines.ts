import { each } from './rule';

/** Kept apart from the program's own list on purpose: who widens that one is told here. */
const SIZES = ['Standard_D4s_v5', 'Standard_D8s_v5', 'Standard_D16s_v5'];
const VM = ['compute:VirtualMachine'];

const listedSize = each({
  name: 'listed-size',
  why: 'Results of different sizes must never meet in one series, and a typo can cost many times as much.',
}, [...VM, 'containerservice:ManagedCluster', 'containerservice:AgentPool'], function* ({ type, props }, settings) {
  const sizes = settings.texts('sizes', SIZES);
  const used = type.endsWith(':ManagedCluster') ? (props['agentPoolProfiles'] ?? []).map((pool: { vmSize?: string }) => pool.vmSize) : [props['hardwareProfile']?.vmSize ?? props['vmSize']];
  for (const size of used) if (!sizes.includes(size)) yield `${size ?? 'no size'} is not one of ${sizes.join(', ')}`;
});
listedSize.configSchema = { properties: { sizes: { type: 'array', items: { type: 'string' } } } };

const exactImage = each({
  name: 'exact-image',
  why: 'A machine that changes by itself makes every series jump.',
}, VM, function* ({ props }) {
  const image = props['storageProfile']?.imageReference ?? {};
  const gallery = /\/versions\/\d+\.\d+\.\d+$/.test(image.id ?? ''), market = image.id === undefined && /^\d+(\.\d+)+$/.test(image.version ?? '');
  if (!gallery && !market) yield `the image is ${image.id ?? image.version ?? 'not said'}, not one exact version`;
});

const keysOnly = each({
  name: 'keys-only', severity: 'critical',
  why: 'A password can be guessed.',
}, VM, function* ({ props }) {
  if (props['osProfile']?.linuxConfiguration?.disablePasswordAuthentication !== true) yield 'takes passwords';
  if (props['osProfile']?.adminPassword !== undefined) yield 'has a password';
});

const trustedLaunch = each({
  name: 'trusted-launch',
  why: 'A reimage proves nothing about a boot chain that somebody changed.',
}, VM, function* ({ props }) {
  const { securityType, uefiSettings } = props['securityProfile'] ?? {};
  const isTrusted = securityType === 'TrustedLaunch' && uefiSettings?.secureBootEnabled === true && uefiSettings.vTpmEnabled === true;
  if (!isTrusted) yield 'is not started by trusted launch with secure boot and a virtual TPM';
});

const nothingSurvivesAReimage = each({
  name: 'nothing-survives-a-reimage', severity: 'critical',
  why: 'Only a disk with deleteOption Delete is replaced; what one request leaves behind must not meet the next.',
}, VM, function* ({ props }) {
  const { osDisk, dataDisks } = props['storageProfile'] ?? {};
  if (osDisk?.deleteOption !== 'Delete') yield 'the old disk stays after a reimage';
  if ((dataDisks ?? []).length > 0) yield 'has a data disk, which a reimage does not touch';
});

const notSpot = each({
  name: 'not-spot', severity: 'medium',
  why: 'Azure takes Spot machines away in the middle of a measurement.',
}, VM, function* ({ props }) {
  if ((props['priority'] ?? 'Regular') !== 'Regular') yield `its priority is ${props['priority']}`;
});

const bootLog = each({
  name: 'boot-log', severity: 'low',
  why: 'Without it nobody learns why a runner never came.',
}, VM, function* ({ props }) {
  if (props['diagnosticsProfile']?.bootDiagnostics?.enabled !== true) yield 'keeps no boot log';
});

const noExtensions = each({
  name: 'no-extensions',
  why: 'An extension runs as root, whatever the image holds.',
}, VM, function* ({ props }) {
  if (props['osProfile']?.allowExtensionOperations !== false) yield 'takes extensions';
});

const identityOfItsOwn = each({
  name: 'identity-of-its-own', severity: 'critical',
  why: 'Whoever is on the machine can be whatever identity is attached to it.',
}, VM, function* ({ props }) {
  const { type, userAssignedIdentities } = props['identity'] ?? {};
  if (type !== 'SystemAssigned' || Object.keys(userAssignedIdentities ?? {}).length > 0) yield `its identity is ${type ?? 'none'}, not its own alone`;
});

const leaseStays = each({
  name: 'lease-stays',
  why: 'An update that takes the lease away, or the customData of a reimage, ends a measurement or starts a machine that nobody holds.',
}, [...VM, 'containerservice:ManagedCluster'], function* ({ type, opts }) {
  const paths = ['tags["perf-lab:lease"]', ...(type.endsWith(':VirtualMachine') ? ['osProfile.customData'] : [])];
  for (const path of paths) if (!opts.ignoreChanges.includes(path)) yield `an update would undo ${path}`;
});

export const MACHINES = [listedSize, exactImage, keysOnly, trustedLaunch, nothingSurvivesAReimage, notSpot, bootLog, noExtensions, identityOfItsOwn, leaseStays];
