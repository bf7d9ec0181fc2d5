import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import * as answers from '../src/github/answers.ts';

const TIME = '2026-11-20T10:00:00Z', SHA = 'a'.repeat(40);
const USER = { id: 1, login: 'alice' };
const COMMENT = { id: 1, node_id: 'IC_1', body: 'text', user: USER, created_at: TIME, updated_at: TIME, issue_url: 'https://api.github.com/repos/o/r/issues/5' };
const RUN = { id: 1, workflow_id: 2, event: 'issue_comment', status: 'queued', actor: { id: 3 } };
const JOB = { name: 'plan', conclusion: 'success', started_at: TIME, completed_at: TIME };
const CHECK = { id: 1, name: 'perf-lab', external_id: '7' };
const RUNNER = { id: 1, name: 'run-1-1-x', status: 'online', busy: false };
const ARTIFACT = { id: 1, name: 'samples', expired: false, size_in_bytes: 0, workflow_run: { id: 9 } };
const ISSUE = { number: 1, title: 'x', body: 'text', state: 'open', user: USER, pull_request: { url: 'x' } };
const WRITTEN = { sha: SHA, author: { id: 1 }, commit: { verification: { verified: true } } };
const REPOSITORY = { id: 500, pushed_at: TIME };

interface Form { readonly format: z.ZodType; readonly good: any; readonly read?: unknown; readonly optional?: readonly string[] }

/** Each answer of GitHub as we read it: what is good, what we make of it, and which members may be missing. */
const FORMS: Readonly<Record<string, Form>> = {
  Created: { format: answers.Created, good: { id: 1 } },
  Comment: { format: answers.Comment, good: COMMENT, optional: ['body', 'user'] },
  PullRequest: {
    format: answers.PullRequest, optional: ['draft', 'merged'],
    good: { state: 'open', draft: false, merged: false, head: { ref: 'feature', sha: SHA, repo: REPOSITORY }, base: { sha: SHA, repo: { id: 500 } } },
  },
  Activity: { format: answers.Activity, good: [{ after: SHA, ref: 'refs/heads/feature', timestamp: TIME }] },
  Permission: { format: answers.Permission, good: { permission: 'write', user: USER } },
  Events: { format: answers.Events, good: [{ event: 'labeled', created_at: TIME }] },
  Commit: { format: answers.Commit, good: { sha: SHA } },
  Comparison: { format: answers.Comparison, good: { merge_base_commit: { sha: SHA }, files: [{ filename: 'a', previous_filename: 'b' }] }, optional: ['files', 'previous_filename'] },
  Run: { format: answers.Run, good: RUN, optional: ['actor', 'run_attempt'] },
  Runs: { format: answers.Runs, good: { workflow_runs: [RUN] }, read: [RUN], optional: ['actor', 'run_attempt'] },
  Jobs: { format: answers.Jobs, good: { jobs: [JOB] }, read: [JOB], optional: ['started_at', 'completed_at'] },
  CheckRuns: { format: answers.CheckRuns, good: { check_runs: [CHECK] }, read: [CHECK], optional: ['external_id'] },
  Runner: { format: answers.Runner, good: RUNNER },
  Runners: { format: answers.Runners, good: { runners: [RUNNER] }, read: [RUNNER] },
  OneShotRunner: { format: answers.OneShotRunner, good: { runner: { id: 1 }, encoded_jit_config: 'A'.repeat(40) } },
  Artifact: { format: answers.Artifact, good: ARTIFACT },
  HomeRepository: { format: answers.HomeRepository, good: { default_branch: 'main' } },
  Written: { format: answers.Written, good: WRITTEN, optional: ['author', 'id', 'verification'] },
  Distance: { format: answers.Distance, good: { status: 'ahead', commits: [WRITTEN] }, optional: ['author', 'id', 'verification'] },
  Reference: { format: answers.Reference, good: { object: { type: 'commit', sha: SHA } } },
  GitCommit: { format: answers.GitCommit, good: { sha: SHA, tree: { sha: SHA } } },
  Tree: { format: answers.Tree, good: { truncated: false, tree: [{ path: 'a', mode: '100644', type: 'blob', sha: SHA, size: 0 }] }, optional: ['size'] },
  Blob: { format: answers.Blob, good: { encoding: 'base64', content: 'YQ==' } },
  Object40: { format: answers.Object40, good: { sha: SHA } },
  WorkflowOf: { format: answers.WorkflowOf, good: { state: 'active', created_at: TIME } },
  Successes: { format: answers.Successes, good: { workflow_runs: [{ created_at: TIME }] }, read: [{ created_at: TIME }] },
  Minimised: { format: answers.Minimised, good: { node: { isMinimized: true, body: 'text' } }, optional: ['isMinimized', 'body'] },
};

/** The good answer, once for each member with that member changed. */
function* changed(value: any, change: (member: unknown, name: string) => unknown): Generator<{ name: string; answer: unknown }> {
  if (typeof value !== 'object' || value === null) return;
  for (const name of Object.keys(value)) {
    const next = change(value[name], name);
    const { [name]: _, ...rest } = value;
    if (!Array.isArray(value)) yield { name, answer: next === undefined ? rest : { ...value, [name]: next } };
    for (const inner of changed(value[name], change)) yield { name: inner.name, answer: Array.isArray(value) ? [inner.answer] : { ...value, [name]: inner.answer } };
  }
}

describe.each(Object.entries(FORMS))('GitHub\'s answer %s', (_, { format, good, read = good, optional = [] }) => {
  const takes = (answer: unknown): boolean => format.safeParse(answer).success;
  it('is_read', () => { expect(answers.read(format, good, 'it')).toEqual(read); });
  it('needs_every_member_that_is_read', () => {
    for (const { name, answer } of changed(good, () => undefined)) expect(takes(answer), name).toBe(optional.includes(name));
  });
  it('takes_no_member_of_another_kind', () => {
    for (const { name, answer } of changed(good, member => (typeof member === 'string' ? 7 : 'text'))) expect(takes(answer), name).toBe(false);
  });
  it('is_named_when_it_is_none', () => { expect(() => answers.read(format, 'text', 'it')).toThrow('GitHub\'s answer about it: '); });
});

describe('a member of an answer', () => {
  const pull = (sha: unknown, state = 'open') => answers.PullRequest.safeParse({ state, head: { ref: 'feature', sha, repo: null }, base: { sha, repo: { id: 1 } } }).success;
  it.each([[SHA, true], ['a'.repeat(64), true], ['a'.repeat(39), false], ['a'.repeat(65), false], [`x${SHA}`, false], [`${SHA}x`, false], ['A'.repeat(40), false], ['', false]])('is_a_commit_or_not: %s', (sha, isOne) => {
    expect(pull(sha)).toBe(isOne);
    expect(answers.Commit.safeParse({ sha }).success).toBe(isOne);
    expect(answers.PullRequest.safeParse({ state: 'open', head: { ref: 'feature', sha: SHA, repo: null }, base: { sha, repo: { id: 1 } } }).success).toBe(isOne);
  });
  it.each([[SHA, true], ['a'.repeat(39), false], ['a'.repeat(41), false], [`x${SHA}`, false], [`${SHA}x`, false], ['A'.repeat(40), false]])('is_an_object_of_git_or_not: %s', (sha, isOne) => { expect(answers.Object40.safeParse({ sha }).success).toBe(isOne); });
  it.each([['open', true], ['closed', true], ['merged', false]])('is_the_state_of_an_issue_or_not: %s', (state, isOne) => {
    for (const issue of [{ ...ISSUE, state }, { number: 1, title: 'x', state }, { ...ISSUE, state, body: null, user: null }]) {
      expect(answers.Issue.safeParse(issue).success).toBe(isOne);
      expect(answers.Issues.safeParse([issue]).success).toBe(isOne);
    }
  });
  it.each([{ number: 0 }, { number: 'x' }, { title: 7 }, { body: 7 }, { user: { id: 0, login: 'x' } }, { user: { id: 1 } }])('is_no_issue: %j', change => { expect(answers.Issue.safeParse({ ...ISSUE, ...change }).success).toBe(false); });
  it.each([['ahead', true], ['behind', true], ['identical', true], ['diverged', true], ['apart', false]])('is_a_distance_or_not: %s', (status, isOne) => { expect(answers.Distance.safeParse({ status, commits: [] }).success).toBe(isOne); });
  it.each([[0, true], [-1, false], [0.5, false]])('is_the_size_of_a_file_or_not: %d', (size, isOne) => { expect(answers.Tree.safeParse({ truncated: false, tree: [{ path: 'x', mode: 'x', type: 'x', sha: SHA, size }] }).success).toBe(isOne); });
  it.each([['open', true], ['closed', true], ['merged', false]])('is_a_state_or_not: %s', (state, isOne) => { expect(pull(SHA, state)).toBe(isOne); });
  it.each([[0, false], [-1, false], [1, true], [1.5, false], [2 ** 53, false]])('is_an_id_or_not: %d', (id, isOne) => { expect(answers.Created.safeParse({ id }).success).toBe(isOne); });
  it.each([[TIME, true], ['2026-11-20T10:00:00+01:00', true], ['soon', false], ['2026-11-20', false]])('is_a_time_or_not: %s', (created_at, isOne) => { expect(answers.Events.safeParse([{ event: 'x', created_at }]).success).toBe(isOne); });
  it.each<[string, number, (text: string) => boolean]>([
    ['a body', 1 << 20, body => answers.Comment.safeParse({ ...COMMENT, body }).success], ['a login', 100, login => answers.Comment.safeParse({ ...COMMENT, user: { id: 1, login } }).success],
    ['a node', 200, node_id => answers.Comment.safeParse({ ...COMMENT, node_id }).success], ['an address', 1000, issue_url => answers.Comment.safeParse({ ...COMMENT, issue_url }).success],
    ['a permission', 100, permission => answers.Permission.safeParse({ permission, user: null }).success], ['an event', 100, event => answers.Events.safeParse([{ event, created_at: TIME }]).success],
    ['the event of a run', 100, event => answers.Run.safeParse({ ...RUN, event }).success], ['the status of a run', 100, status => answers.Run.safeParse({ ...RUN, status }).success],
    ['the name of a job', 1000, name => answers.Jobs.safeParse({ jobs: [{ ...JOB, name }] }).success], ['the end of a job', 100, conclusion => answers.Jobs.safeParse({ jobs: [{ ...JOB, conclusion }] }).success],
    ['the name of a check', 1000, name => answers.CheckRuns.safeParse({ check_runs: [{ ...CHECK, name }] }).success], ['our id of a check', 1000, external_id => answers.CheckRuns.safeParse({ check_runs: [{ ...CHECK, external_id }] }).success],
    ['the name of a runner', 200, name => answers.Runner.safeParse({ ...RUNNER, name }).success], ['the status of a runner', 100, status => answers.Runner.safeParse({ ...RUNNER, status }).success],
    ['the title of an issue', 2000, title => answers.Issue.safeParse({ ...ISSUE, title }).success], ['the body of an issue', 1 << 20, body => answers.Issue.safeParse({ ...ISSUE, body }).success],
    ['a branch', 1000, default_branch => answers.HomeRepository.safeParse({ default_branch }).success], ['the kind of an object', 100, type => answers.Reference.safeParse({ object: { type, sha: SHA } }).success],
    ['a path', 4096, path => answers.Tree.safeParse({ truncated: false, tree: [{ path, mode: 'x', type: 'x', sha: SHA }] }).success], ['the mode of a file', 6, mode => answers.Tree.safeParse({ truncated: false, tree: [{ path: 'x', mode, type: 'x', sha: SHA }] }).success],
    ['the kind of a file', 100, type => answers.Tree.safeParse({ truncated: false, tree: [{ path: 'x', mode: 'x', type, sha: SHA }] }).success], ['an encoding', 100, encoding => answers.Blob.safeParse({ encoding, content: 'x' }).success],
    ['the state of a workflow', 100, state => answers.WorkflowOf.safeParse({ state, created_at: TIME }).success],
    ['the name of an artifact', 1000, name => answers.Artifact.safeParse({ ...ARTIFACT, name }).success],
  ])('is_short_enough_or_not: %s', (_, most, takes) => { expect([takes('x'), takes('x'.repeat(most)), takes('x'.repeat(most + 1))]).toEqual([true, true, false]); });
  it('is_the_secret_of_a_runner_or_not', () => {
    const takes = (encoded_jit_config: string): boolean => answers.OneShotRunner.safeParse({ runner: { id: 1 }, encoded_jit_config }).success;
    expect([takes('A+/='.repeat(10)), takes('A'.repeat(39)), takes('A'.repeat(65_537)), takes(`${'A'.repeat(40)}\n`), takes(` ${'A'.repeat(40)}`), takes('-'.repeat(40))]).toEqual([true, false, false, false, false, false]);
  });
  it('is_the_size_of_an_artifact_or_not', () => { expect([0, 5, -1, 0.5].map(size_in_bytes => answers.Artifact.safeParse({ ...ARTIFACT, size_in_bytes }).success)).toEqual([true, true, false, false]); });
});
