import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROLES } from '../../src/roles';
import type { Recorded } from '../runtime/recorded';
import { run } from '../runtime/runs';
import { change } from '../schema/change';
import { ROOT } from '../support/sample';
import { grantRows } from './grants';
import { bare, type Row, table } from './tables';
import { jobRows, workflows, type Workflows } from './workflows';

const page = readFileSync(join(ROOT, 'docs/internals/security-tables.md'), 'utf8');
const sorted = (rows: readonly Row[]): string[] => rows.map(row => Object.values(row).join(' | ')).sort();

describe('the jobs of docs/internals/security-tables.md', () => {
  const said = sorted(table(page, 'workflow', 'job', 'machine', 'environment', 'permissions', 'Azure identity', 'code of the pull request'));
  const files = workflows();
  const altered = (workflow: string, job: string, more: object): Workflows =>
    ({ ...files, [workflow]: { ...files[workflow]!, jobs: { ...files[workflow]!.jobs, [job]: { ...files[workflow]!.jobs[job], ...more } } } });

  it('are those of the workflow files, with their rights', () => { expect(said).toEqual(sorted(jobRows(files))); });

  it.each([
    ['a permission more', altered('benchmark-run', 'publish', { permissions: { contents: 'write' } })],
    ['a permission less', altered('benchmark-run', 'tools', { permissions: {} })],
    ['permissions left out, which are the top\'s', altered('ci', 'test', { permissions: undefined })],
    ['an environment more', altered('benchmark-build', 'build', { environment: 'perf-lab' })],
    ['an environment less', altered('reaper-run', 'reap', { environment: undefined })],
    ['a job more', altered('ci', 'deploy', { 'runs-on': 'ubuntu-24.04', 'permissions': {} })],
    ['a job on the lab\'s machine', altered('benchmark-run', 'plan', { 'runs-on': ['self-hosted'] })],
    ['a login in another job', altered('benchmark-run', 'publish', { steps: [{ uses: '$/.github/actions/lab-down' }] })],
    ['pull request code in another job', altered('benchmark-machine', 'lab-up', { steps: [{ uses: '$/.github/actions/build' }] })],
  ])('are no longer, with %s', (_, changed) => { expect(said).not.toEqual(sorted(jobRows(changed))); });

  it('never run a pull request\'s code where there is something to take', () => {
    for (const row of jobRows(files).filter(one => one['code of the pull request'] !== 'no')) {
      expect([row['job'], row['environment'], row['Azure identity'], /write/.test(row['permissions']!)]).toEqual([row['job'], '–', '–', false]);
    }
  });
});

describe('the roles of docs/internals/security-tables.md', () => {
  const said = sorted(table(page, 'role', 'rights').map(row => ({ role: bare(row['role']!), rights: bare(row['rights']!) })));
  const are = (roles: Readonly<Record<string, { readonly actions: readonly string[]; readonly dataActions?: readonly string[] }>>): string[] =>
    sorted(Object.entries(roles).map(([role, { actions, dataActions = [] }]) => ({ role, rights: [...actions, ...dataActions].join(', ') })));

  it('are those of the program, right by right', () => { expect(said).toEqual(are(ROLES)); });
  it('are no longer, with a right more', () => { expect(said).not.toEqual(are({ ...ROLES, sign: { actions: [], dataActions: [...ROLES.sign.dataActions, 'Microsoft.KeyVault/vaults/keys/read'] } })); });
  it('are no longer, with a role more', () => { expect(said).not.toEqual(are({ ...ROLES, other: { actions: ['Microsoft.Compute/virtualMachines/read'] } })); });
});

describe('the identities of docs/internals/security-tables.md', () => {
  const said = table(page, 'identity', 'who can be it', 'role', 'on').map(row => Object.fromEntries(Object.entries(row).map(([head, cell]) => [head, bare(cell)])));
  // What is not a login is Azure's doing and only said.
  const comparable = (rows: readonly Row[]): string[] => sorted(rows.map(row => ({ ...row, 'who can be it': row['who can be it']!.startsWith('jobs in ') ? row['who can be it']! : 'no login' })));

  it('have the roles that the stack with a cluster gives them', async () => { expect(comparable(said)).toEqual(sorted(grantRows(await run('cluster')))); });

  it('have the same in a stack without one, the cluster\'s aside', async () => {
    const without = said.filter(row => !/cluster/.test(Object.values(row).join()));
    for (const kind of ['default', 'metal'] as const) expect(comparable(without)).toEqual(sorted(grantRows(await run(kind))));
  });

  const cluster = async (name: string, path: readonly string[], value: unknown): Promise<Recorded> => {
    const stack = await run('cluster'), type = name.startsWith('lab-') ? 'FederatedIdentityCredential' : 'RoleAssignment';
    return { ...stack, registrations: change(stack.registrations, { type, name, path }, () => value) };
  };

  it('are no longer, with a wider scope', async () => {
    expect(comparable(said)).not.toEqual(sorted(grantRows(await cluster('sign', ['scope'], '/subscriptions/s/resourceGroups/perf-lab-dev'))));
  });

  it('are no longer, with the condition gone', async () => {
    expect(comparable(said)).not.toEqual(sorted(grantRows(await cluster('provision-roles', ['condition'], undefined))));
  });

  it('are no longer, with a login from another environment', async () => {
    expect(comparable(said)).not.toEqual(sorted(grantRows(await cluster('lab-power', ['subject'], 'repo:o/r:environment:pages'))));
  });
});
