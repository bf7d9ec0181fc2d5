import { each } from './rule';

const sealedVault = each({
  name: 'sealed-vault',
  why: 'Who can purge a vault can take the lab away for ever; who can write an access policy can read what is in it.',
}, ['keyvault:Vault'], function* ({ props }) {
  const { enablePurgeProtection, enableSoftDelete, enableRbacAuthorization, accessPolicies } = props['properties'] ?? {};
  if (enablePurgeProtection !== true || enableSoftDelete === false) yield 'it can be purged';
  if (enableRbacAuthorization !== true || (accessPolicies ?? []).length > 0) yield 'it knows rights that no role assignment shows';
});

const signOnly = each({
  name: 'sign-only-key', severity: 'critical',
  why: 'The App\'s key signs inside the vault; a key that decrypts or can be exported is one that can be lost.',
}, ['keyvault:Key'], function* ({ props }) {
  const { keyOps, kty, keySize, attributes } = props['properties'] ?? {};
  if (JSON.stringify(keyOps) !== '["sign"]') yield `it may ${(keyOps ?? ['everything']).join(', ')}, not sign alone`;
  if (attributes?.exportable === true) yield 'it can be exported';
  if (!String(kty).startsWith('RSA') || !(keySize >= 2048)) yield `GitHub takes RSA from 2048 bits, not ${kty} ${keySize ?? ''}`;
});

const pinnedHost = each({
  name: 'pinned-host', severity: 'critical',
  why: 'Without a host key the provider talks to whoever answers, and sends the secrets there.',
}, ['command:remote:Command', 'command:remote:CopyToRemote', 'command:remote:CopyFile'], function* ({ props }) {
  const { hostKey, password, proxy } = props['connection'] ?? {};
  if (!/^(ssh-ed25519|ecdsa-sha2-\S+|ssh-rsa) \S{60,}/.test(hostKey ?? '')) yield 'its connection has no host key';
  if (password !== undefined) yield 'it logs in with a password';
  if (proxy !== undefined && proxy.hostKey === undefined) yield 'its proxy has no host key';
});

const nothingOfTheAgentIsKept = each({
  name: 'nothing-of-the-agent-is-kept', severity: 'medium',
  why: 'What a command prints lands in the state, and the previous output in the next one\'s environment.',
}, ['command:remote:Command'], function* ({ props }) {
  if (props['logging'] !== 'none') yield 'its output goes to the log';
  if (props['addPreviousOutputInEnv'] !== false) yield 'its output goes into the next command\'s environment';
});

export const KEYS = [sealedVault, signOnly, pinnedHost, nothingOfTheAgentIsKept];
