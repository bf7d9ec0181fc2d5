import { describe, expect, it, vi } from 'vitest';
import { withGitHub } from '../support/sample';
import { change } from '../schema/change';
import { GITHUB_REFUSALS, gitHubRefusalOf, type Repository } from './github-refusals';
import type { Recorded, Registration } from './recorded';
import { runProgram } from './run-program';
import { run } from './runs';
import { changed, STACKS } from './stacks';

vi.setConfig({ testTimeout: 120_000 });

const GITHUB = withGitHub()['github'] as object;
const said = ({ logs }: Recorded): string => logs.map(log => log.message).join('\n');
const ours = ({ registrations }: Recorded): Registration[] => registrations.filter(one => one.type.startsWith('github:'));
/** Every answer of a repository like this to what the stack asks for. */
const told = (all: readonly Registration[], repository: Repository): string[] => [...new Set(all.flatMap((one, i) => gitHubRefusalOf(one, repository, all.slice(0, i)) ?? []))];

describe('GitHub takes the repository\'s settings', () => {
  it('in a public repository of any plan', async () => { expect(told(ours(await run('metal')), { visibility: 'public', plan: 'free' })).toEqual([]); });
  it('in a private one of Enterprise', async () => { expect(told(ours(await run('metal')), { visibility: 'private', plan: 'enterprise' })).toEqual([]); });

  it('in a private one of Team, without reviewers', async () => {
    const world = { repository: { visibility: 'private', plan: 'team' } } as const;
    const refused = await runProgram(STACKS.metal, { world });
    expect(refused.exitCode).not.toBe(0);
    expect(said(refused)).toContain('Please ensure the billing plan supports the required reviewers protection rule');
    expect((await runProgram(changed(STACKS.metal, { github: { ...GITHUB, reviewers: [] } }), { world })).exitCode).toBe(0);
  });
});

describe('GitHub refuses', () => {
  const to = (type: string, name: string, path: readonly (string | number)[], value: unknown) => (all: readonly Registration[]) => change(all, { type, name, path }, () => value);
  const same = (all: readonly Registration[]): readonly Registration[] => all;
  const SENT: Readonly<Record<keyof typeof GITHUB_REFUSALS, readonly [make: (all: readonly Registration[]) => readonly Registration[], at: Repository, why: RegExp]>> = {
    'a call without a token': [same, { token: 'none' }, /^401/],
    'a token that may not administer': [same, { token: 'write' }, /^403 Resource not accessible/],
    'an environment in a private repository of a free plan': [same, { visibility: 'private' }, /^404/],
    'reviewers in a private repository below Enterprise': [same, { visibility: 'private', plan: 'pro' }, /required reviewers/],
    'more than six reviewers': [to('RepositoryEnvironment', 'perf-lab-setup', ['reviewers', 0, 'users'], [1, 2, 3, 4, 5, 6, 7]), {}, /reviewers/],
    'protected branches and a list of branches at once': [to('RepositoryEnvironment', 'perf-lab', ['deploymentBranchPolicy', 'protectedBranches'], true), {}, /same value/],
    'a branch for an environment that takes no list': [to('RepositoryEnvironment', 'perf-lab', ['deploymentBranchPolicy'], undefined), {}, /^404/],
    'rules of branches in a private repository of a free plan': [all => all.filter(one => one.type.endsWith(':RepositoryRuleset')), { visibility: 'private' }, /Upgrade to GitHub Pro/],
    'rules of a name that is there': [same, { existing: ['perf-lab: the default branch'] }, /must be unique/],
    'a variable that is there': [same, { existing: ['PERF_LAB'] }, /^409/],
    'a variable with a name of GitHub\'s own': [to('ActionsVariable', 'PERF_LAB', ['variableName'], 'GITHUB_LAB'), {}, /must not begin with GITHUB_/],
    'a variable without a value': [to('ActionsVariable', 'PERF_LAB_REAPER', ['value'], ''), {}, /wasn't supplied/],
  };

  it.each(Object.entries(SENT))('%s', async (_, [make, at, why]) => {
    expect(told(make(ours(await run('metal'))), at)).toContainEqual(expect.stringMatching(why));
  });

  it('and each of its refusals is sent by a test', () => { expect(Object.keys(SENT).sort()).toEqual(Object.keys(GITHUB_REFUSALS).sort()); });
});

describe('nobody can log in', () => {
  it('before the environment takes the default branch only', async () => {
    const { registrations } = await run('metal'), logins = registrations.filter(one => one.type.endsWith(':FederatedIdentityCredential'));
    const rules = registrations.filter(one => /:RepositoryEnvironment(DeploymentPolicy)?$/.test(one.type)).map(one => one.urn);
    expect([logins.length, rules.length]).toEqual([3, 4]);
    for (const login of logins) expect(login.dependencies).toEqual(expect.arrayContaining(rules));
  });
});
