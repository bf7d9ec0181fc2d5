import { createAppAuth } from '@octokit/auth-app';
import type { ClientOptions } from './client.ts';

/** Signs with RS256 the bytes it is given. The private key lives elsewhere (Key Vault) and never comes here. */
export type Sign = (text: string) => Promise<Buffer>;

export interface AppIdentity {
  readonly appId: string;
  readonly installationId: string;
  readonly sign: Sign;
}

/** Client options of a GitHub App whose key we can use but not see. */
export function appAuth(app: AppIdentity, now: () => number = Date.now): Pick<ClientOptions, 'auth' | 'authStrategy'> {
  const createJwt = async (appId: string | number, timeDifference = 0): Promise<{ jwt: string; expiresAt: string }> => {
    // Half a minute early: GitHub refuses a token from the future. `timeDifference` is what Octokit learned from the server's clock.
    const issued = Math.floor(now() / 1000) + timeDifference - 30;
    const expires = issued + 570;
    const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iat: issued, exp: expires, iss: appId })}`;
    return { jwt: `${text}.${(await app.sign(text)).toString('base64url')}`, expiresAt: new Date(expires * 1000).toISOString() };
  };
  return { authStrategy: createAppAuth, auth: { appId: app.appId, installationId: app.installationId, createJwt } };
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
