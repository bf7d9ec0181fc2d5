import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Sign } from './app-auth.ts';
import { boundedFetch } from './bounded-fetch.ts';

export interface VaultKey {
  /** https://NAME.vault.azure.net/keys/KEY/VERSION */
  readonly url: string;
  /** Access token for https://vault.azure.net, from the job's own identity. */
  readonly token: string;
  readonly fetch?: typeof fetch;
}

const KEY_URL = /^https:\/\/[a-z0-9-]{3,24}\.vault\.(azure\.net|usgovcloudapi\.net|azure\.cn)\/keys\/[A-Za-z0-9-]{1,127}(\/[0-9a-f]{32})?$/;
const Answer = z.object({ value: z.string().regex(/^[A-Za-z0-9_-]{342,684}$/) });    // 2048 to 4096 bits

/** Azure Key Vault's `sign`, RS256: the key stays in the vault, and the right is "sign" alone. */
export function keyVaultSigner(key: VaultKey): Sign {
  if (!KEY_URL.test(key.url)) throw new Error(`PERF_LAB_KEY_URL is not the address of a key: expected https://NAME.vault.azure.net/keys/KEY, got ${JSON.stringify(key.url.slice(0, 80))}`);
  const call = key.fetch ?? boundedFetch({ origin: new URL(key.url).origin, timeoutMs: 30_000, maxBytes: 64 << 10 });
  return async text => {
    const digest = createHash('sha256').update(text).digest('base64url');
    const answer = await call(`${key.url}/sign?api-version=7.4`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ alg: 'RS256', value: digest }),
    });
    if (!answer.ok) throw new Error(`signing with the key in Key Vault: answered ${answer.status}. The job's identity needs the role "Key Vault Crypto User" on that key`);
    const parsed = Answer.safeParse(await answer.json());
    if (!parsed.success) throw new Error('signing with the key in Key Vault: the answer holds no RSA signature');
    return Buffer.from(parsed.data.value, 'base64url');
  };
}
