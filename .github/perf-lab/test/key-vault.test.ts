import { expect, it, vi } from 'vitest';
import { keyVaultSigner } from '../src/github/key-vault.ts';

const URL_OF_KEY = 'https://lab.vault.azure.net/keys/app';

/** A vault that answers so, and what it was asked. */
function vault(answer: () => Response, url = URL_OF_KEY) {
  const asked: { url: string; init: RequestInit }[] = [];
  const sign = keyVaultSigner({ url, token: 'the-vault-token', fetch: ((to: string, init: RequestInit) => { asked.push({ url: to, init }); return Promise.resolve(answer()); }) as never });
  return { sign, asked };
}
const signature = (chars: number): Response => Response.json({ kid: 'k', value: 'A'.repeat(chars) });

it.each([
  URL_OF_KEY, `${URL_OF_KEY}/${'0a'.repeat(16)}`, 'https://lab.vault.usgovcloudapi.net/keys/app', 'https://lab.vault.azure.cn/keys/app', `https://${'l'.repeat(24)}.vault.azure.net/keys/${'k'.repeat(127)}`, 'https://l-9.vault.azure.net/keys/A-9',
])('a_key_has_this_address: %s', async url => {
  const { sign, asked } = vault(() => signature(342), url);
  await sign('text');
  expect(asked[0]!.url).toBe(`${url}/sign?api-version=7.4`);
});

it.each([
  'https://la.vault.azure.net/keys/app', `https://${'l'.repeat(25)}.vault.azure.net/keys/app`, `${URL_OF_KEY}/${'a'.repeat(31)}`, `${URL_OF_KEY}/${'a'.repeat(33)}`, `${URL_OF_KEY}/${'A'.repeat(32)}`, `${URL_OF_KEY}/${'a'.repeat(32)}/x`, `https://lab.vault.azure.net/keys/${'k'.repeat(128)}`,
  `x${URL_OF_KEY}`, `${URL_OF_KEY}?x`, 'https://lab.vault.azure.net/keys/', 'https://lab.vault.azure.net/keys/a_b', 'https://LAB.vault.azure.net/keys/app', 'https://lab_x.vault.azure.net/keys/app', 'https://labxvault.azure.net/keys/app', 'https://lab.vaultxazure.net/keys/app',
  'https://lab.vault.azurexnet/keys/app', 'https://lab.vault.example.net/keys/app',
])('nothing_else_has: %s', url => { expect(() => keyVaultSigner({ url, token: 't' })).toThrow(`PERF_LAB_KEY_URL is not the address of a key: expected https://NAME.vault.azure.net/keys/KEY, got ${JSON.stringify(url.slice(0, 80))}`); });

it('the_token_and_the_digest_are_sent_and_no_text', async () => {
  const { sign, asked } = vault(() => signature(684));
  expect((await sign('text')).length).toBe(513);
  expect(asked[0]!.init).toEqual({
    method: 'POST', headers: { 'authorization': 'Bearer the-vault-token', 'content-type': 'application/json' }, body: '{"alg":"RS256","value":"mC2ePrmW9VnmM_TRlN7zdh2Qn1o7ZH0ahR_q1nwyydE"}',
  });
});

it('a_vault_that_refuses_says_which_role_is_missing', async () => {
  await expect(vault(() => new Response('{}', { status: 403 })).sign('text')).rejects.toThrow('answered 403. The job\'s identity needs the role "Key Vault Crypto User" on that key');
});

it.each<[string, unknown]>([['too short', { value: 'A'.repeat(341) }], ['too long', { value: 'A'.repeat(685) }], ['with other characters in front', { value: `+${'A'.repeat(342)}` }], ['with other characters behind', { value: `${'A'.repeat(342)}=` }], ['not there', {}], ['a number', { value: 7 }], ['nothing', null]])(
  'a_signature_that_is_none_is_refused: %s', async (_, answer) => { await expect(vault(() => Response.json(answer)).sign('text')).rejects.toThrow('the answer holds no RSA signature'); });

it('the_vault_is_called_within_bounds', async () => {
  const calls: [string, RequestInit][] = [];
  const real = vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => { calls.push([String(url), init!]); return Promise.resolve(new Response(`"${'x'.repeat(64 << 10)}"`)); });
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  try {
    await expect(keyVaultSigner({ url: URL_OF_KEY, token: 't' })('text')).rejects.toThrow('the answer is larger than 65536 bytes');
    expect(calls).toMatchObject([[`${URL_OF_KEY}/sign?api-version=7.4`, { method: 'POST', redirect: 'manual' }]]);
    expect(timeout).toHaveBeenCalledWith(30_000);
  } finally {
    real.mockRestore();
    timeout.mockRestore();
  }
});
