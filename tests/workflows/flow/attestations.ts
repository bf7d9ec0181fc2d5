import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stub } from './step-runner.ts';

/** `actions/attest` and what it keeps, without the signature: that needs Sigstore, and was never made by a test. */
export class Attestations {
  /** Of each: what it vouches for. */
  readonly kept: Readonly<Record<string, string>>[][] = [];
  /** Private repositories of a person, and those of an organisation without Enterprise Cloud, get no attestation. */
  isPrivate = false;
  readonly said: string[] = [];

  readonly play: Stub = ({ with: given, permissions, workspace }) => {
    const failure = this.refuse(given, permissions, workspace);
    if (failure !== null) this.said.push(failure);
    else this.kept.push(subjects(join(workspace, given['subject-checksums']!)).map(([digest, name]) => ({ digest: digest!, name: name! })));
    return { code: failure === null ? 0 : 1 };
  };

  /** In the action's words: actions/attest, src/main.ts and src/subject.ts; actions/toolkit, packages/core/src/oidc-utils.ts and packages/attest/src/store.ts. */
  private refuse(given: Readonly<Record<string, string>>, permissions: Readonly<Record<string, string>>, workspace: string): string | null {
    if (permissions['id-token'] !== 'write') return 'Failed to get ID token: Error message: Unable to get ACTIONS_ID_TOKEN_REQUEST_URL env variable';
    const file = given['subject-checksums'];
    if (file === undefined) return 'One of subject-path, subject-digest, or subject-checksums must be provided';
    if (!existsSync(join(workspace, file))) return `subject-checksums file not found: ${file}`;
    if (subjects(join(workspace, file)).some(([digest, name]) => !/^[0-9a-f]{64}$/.test(digest ?? '') || !name)) return 'Invalid digest';
    if (permissions['attestations'] !== 'write') return 'Failed to persist attestation: Resource not accessible by integration - https://docs.github.com/rest/repos/attestations#create-an-attestation';
    // actions/attest issues 2026; as a user's private repository was answered (Jebel-Quant/rhiza#428, DamianEdwards/copilotd#42).
    return this.isPrivate ? 'Failed to persist attestation: Feature not available for user-owned private repositories. To enable this feature, please make this repository public.' : null;
  }
}

/** `sha256sum` lines: the digest, two spaces, the name. */
const subjects = (file: string): string[][] => readFileSync(file, 'utf8').split('\n').filter(line => line !== '').map(line => line.split(/ [ *]/));
