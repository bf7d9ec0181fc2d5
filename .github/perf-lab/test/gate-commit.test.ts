import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BASE, BASE_TIP, HEAD, type Pull } from './fake/state.ts';
import { comment, CONFIG, runGate } from './support/lab.ts';
import { expectRefusal } from './support/refusal.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

const pull = (): Pull => fake.state.pulls.get(5)!;
const fork = (): void => { pull().head.repo = { id: 666, pushed_at: '2026-11-20T09:00:00Z' }; };

describe('B. which code is measured', () => {
  it('push_between_comment_and_gate_is_refused', async () => {
    pull().head.repo!.pushed_at = '2026-11-20T10:00:05Z';
    expect(await expectRefusal(fake, 'branch-moved', comment(fake, '/benchmark'))).toContain(HEAD);
  });
  it('push_in_the_very_second_of_the_comment_is_refused', async () => {
    pull().head.repo!.pushed_at = '2026-11-20T10:00:00Z';
    await expectRefusal(fake, 'branch-moved', comment(fake, '/benchmark'));
  });
  it('push_before_a_command_that_names_the_commit_is_accepted', async () => {
    pull().head.repo!.pushed_at = '2026-11-20T10:00:05Z';
    expect((await runGate(fake, comment(fake, `/benchmark ${HEAD}`))).request.head).toBe(HEAD);
  });
  it('fork_without_a_commit_is_refused', async () => {
    fork();
    fake.state.permissions.set('alice', 'admin');
    await expectRefusal(fake, 'fork-needs-sha', comment(fake, '/benchmark'));
  });
  it('fork_with_the_commit_by_an_admin_is_accepted', async () => {
    fork();
    fake.state.permissions.set('alice', 'admin');
    expect((await runGate(fake, comment(fake, `/benchmark ${HEAD}`))).code).toBe(0);
  });
  it('fork_by_a_writer_is_refused_unless_the_lab_allows_it', async () => {
    fork();
    await expectRefusal(fake, 'fork-needs-permission', comment(fake, `/benchmark ${HEAD}`));
    expect((await runGate(fake, comment(fake, `/benchmark ${HEAD}`), { config: CONFIG.replace('fork-permission: admin', 'fork-permission: write') })).code).toBe(0);
  });
  it.each(['admin', 'write'])('fork_on_a_metal_machine_needs_an_admin_when_the_lab_says_%s', async allowed => {
    fork();
    const config = CONFIG.replace('fork-permission: admin', `fork-permission: ${allowed}`);
    expect(await expectRefusal(fake, 'fork-needs-permission', comment(fake, `/benchmark --machine ryzen ${HEAD}`), { config })).toContain('not reimaged');
    fake.state.permissions.set('alice', 'admin');
    expect((await runGate(fake, comment(fake, `/benchmark --machine ryzen ${HEAD}`), { config })).outputs['machine-kind']).toBe('metal');
  });
  it.each([['of_another_pull_request', 'd'.repeat(40)], ['of_another_repository_of_the_network', 'e'.repeat(40)], ['that_is_a_branch_name_of_40_hex_digits', 'f'.repeat(40)]])('commit_%s_is_refused', async (_, sha) => {
    fake.state.commits.set(sha, HEAD);
    await expectRefusal(fake, 'sha-is-not-head', comment(fake, `/benchmark ${sha}`));
  });
  it('short_commit_is_accepted_when_it_means_the_head_alone', async () => {
    expect((await runGate(fake, comment(fake, `/benchmark ${HEAD.slice(0, 12)}`))).request.head).toBe(HEAD);
  });
  it('short_commit_that_is_ambiguous_is_refused', async () => {
    fake.state.commits.set(HEAD.slice(0, 12), null);
    await expectRefusal(fake, 'sha-ambiguous', comment(fake, `/benchmark ${HEAD.slice(0, 12)}`));
  });
  it('short_commit_that_is_a_branch_name_is_refused', async () => {
    fake.state.commits.set(HEAD.slice(0, 12), 'd'.repeat(40));
    await expectRefusal(fake, 'sha-ambiguous', comment(fake, `/benchmark ${HEAD.slice(0, 12)}`));
  });
  it('short_commit_does_not_excuse_a_push_after_the_comment', async () => {
    pull().head.repo!.pushed_at = '2026-11-20T10:00:05Z';    // two commits with the same 12 digits take a laptop minutes
    await expectRefusal(fake, 'branch-moved', comment(fake, `/benchmark ${HEAD.slice(0, 12)}`));
  });
  it('commit_of_seven_digits_is_refused', async () => { expect(await expectRefusal(fake, 'unknown-name', comment(fake, '/benchmark abcdef1'))).toContain('at least 12 digits'); });
  it('repository_with_sha_256_names_is_refused', async () => {
    pull().head.sha = 'a'.repeat(64);
    await expectRefusal(fake, 'sha-is-not-head', comment(fake, '/benchmark'));
  });
  it('deleted_fork_is_refused', async () => { pull().head.repo = null; await expectRefusal(fake, 'fork-deleted', comment(fake, '/benchmark')); });
  it('renamed_fork_is_told_by_its_id', async () => {
    fork();
    fake.state.permissions.set('alice', 'admin');
    await expectRefusal(fake, 'fork-needs-sha', comment(fake, '/benchmark'));
  });
  it('base_branch_changed_after_the_comment_is_refused', async () => {
    fake.state.events.push(...Array.from({ length: 150 }, () => ({ issue: 5, event: 'labeled', created_at: '2026-11-20T10:00:01Z' })), { issue: 5, event: 'base_ref_changed', created_at: '2026-11-20T10:00:05Z' });
    await expectRefusal(fake, 'base-changed', comment(fake, '/benchmark'));
  });
  it('base_branch_changed_before_the_comment_is_fine', async () => {
    fake.state.events.push({ issue: 5, event: 'base_ref_changed', created_at: '2026-11-20T09:59:59Z' });
    expect((await runGate(fake, comment(fake, '/benchmark'))).code).toBe(0);
  });
  it.each(['$(curl x)', '--upload-pack=x', 'refs/pull/1/head'])('branch_named_%s_is_never_used', async name => {
    Object.assign(pull().head, { ref: name, label: `alice:${name}` });
    const { job, request, outputs } = await runGate(fake, comment(fake, '/benchmark'));
    expect(JSON.stringify([request, outputs, fake.seen.map(call => [call.path, call.body]), job.env])).not.toContain(name);
  });
  it('unrelated_histories_are_refused_by_name', async () => {
    fake.state.mergeBases.delete(`${BASE_TIP}...${HEAD}`);
    await expectRefusal(fake, 'unrelated-histories', comment(fake, '/benchmark'));
  });
  it.each(['.github/workflows/x.yml', 'infra/index.ts', 'runner/x.cs', 'workloads/x/workload.yaml', 'global.json', 'src/NuGet.Config', 'Directory.Build.props', 'perf-lab.yaml', '.gitmodules'])('change_of_%s_needs_an_admin', async filename => {
    fake.state.files = [{ filename: 'README.md' }, { filename }];
    expect(await expectRefusal(fake, 'touches-lab', comment(fake, '/benchmark'))).toContain(`\`${filename}\``);
    fake.state.permissions.set('alice', 'admin');
    expect((await runGate(fake, comment(fake, '/benchmark'))).code).toBe(0);
  });
  it('file_renamed_away_from_the_lab_needs_an_admin', async () => {
    fake.state.files = [{ filename: 'x.txt', previous_filename: 'global.json' }];
    await expectRefusal(fake, 'touches-lab', comment(fake, '/benchmark'));
  });
  it('answer_without_a_list_of_files_needs_an_admin', async () => {
    fake.fault = call => (call.path.includes('/compare/') ? { status: 200, json: { merge_base_commit: { sha: BASE } } } : undefined);
    await expectRefusal(fake, 'too-many-files', comment(fake, '/benchmark'));
  });
  it('list_of_files_that_was_cut_needs_an_admin', async () => {
    fake.state.files = Array.from({ length: 300 }, (_, i) => ({ filename: `src/${i}.cs` }));
    await expectRefusal(fake, 'too-many-files', comment(fake, '/benchmark'));
  });
  it.each(['1970-01-01T00:00:00Z', '2099-01-01T00:00:00Z'])('date_of_a_commit_is_ignored_%s', async date => {
    Object.assign(pull().head, { commit: { author: { date } } });
    expect((await runGate(fake, comment(fake, '/benchmark'))).code).toBe(0);
  });
});
