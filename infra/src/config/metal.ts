import type { Fields } from './fields';
import { METAL_NAME, METAL_NAME_HINT } from './names';
import type { MetalSettings } from './settings';
import { HOST_KEYS, readPublicKey } from './ssh-keys';

/** Kept out of `Settings`; looked at here, and never shown. */
const SECRETS = {
  metalPrivateKey: { valid: /^-----BEGIN (?!ENCRYPTED)[A-Z ]*PRIVATE KEY-----\n/, hint: 'a private key without passphrase: -----BEGIN … PRIVATE KEY----- and what follows' },
  metalRunnerToken: { valid: /^[A-Z0-9]{20,100}\n?$/, hint: 'a registration token, or one to remove: 20 to 100 capital letters and digits' },
} as const;

export function readMetal(top: Fields, secrets: ReadonlySet<string>): MetalSettings | undefined {
  const wanted = top.has('metal');
  for (const [key, { valid, hint }] of Object.entries(SECRETS)) {
    if (!top.has(key)) continue;
    if (!wanted) top.refuse(key, 'of no use without metal');
    else if (!secrets.has(key)) top.refuse(key, `stored in the clear: pulumi config set --secret ${key}, then replace what it held, which is spent`);
    else if (!valid.test(top.quiet(key, hint) ?? '')) top.refuse(key, `not ${hint} (its value is not shown)`);
  }
  if (!wanted) return undefined;
  if (!top.has('metalPrivateKey')) top.refuse('metalPrivateKey', 'missing (the key that logs in to the metal agent; pulumi config set --secret metalPrivateKey)');
  return readAgent(top.object('metal'));
}

function readAgent(fields: Fields): MetalSettings {
  const metal = {
    name: fields.text('name', METAL_NAME_HINT, METAL_NAME),
    host: fields.text('host', 'a host name or an address', /^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$/),
    port: fields.whole('port', [1, 65_535], 22),
    user: fields.text('user', 'a user with passwordless sudo, and not root', text => /^[a-z_][a-z0-9_-]{0,30}$/.test(text) && text !== 'root'),
    hostKey: readPublicKey(fields, 'hostKey', { hint: 'the host\'s own public key (ssh-keyscan, compared at its console); without it nobody knows who answers', types: HOST_KEYS }),
  };
  fields.refuseUnknown();
  return metal;
}
