import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { HEAD } from './fake/state.ts';
import { comment, Job, ownComments, runGate } from './support/lab.ts';
import { expectRefusal } from './support/refusal.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

describe('a push since the comment', () => {
  const LATER = '2026-11-20T10:00:05Z', BEFORE = '2026-11-20T09:30:00Z', REF = 'refs/heads/feature';
  const pushed = (): void => { fake.state.pulls.get(5)!.head.repo!.pushed_at = LATER; };
  it('to_another_branch_is_none_of_this_pull_request', async () => {
    pushed();
    fake.state.activity = [{ ref: REF, after: HEAD, timestamp: BEFORE }, { ref: 'refs/heads/perf-lab-data', after: 'd'.repeat(40), timestamp: LATER }];
    expect((await runGate(fake, comment(fake, '/benchmark'))).request.head).toBe(HEAD);
  });
  it('is_not_asked_about_where_nothing_was_pushed', async () => {
    await runGate(fake, comment(fake, '/benchmark'));
    expect(fake.calls().filter(call => call.includes('/activity'))).toEqual([]);
  });
  it.each<[string, typeof fake.state.activity]>([
    ['to_this_branch', [{ ref: REF, after: HEAD, timestamp: LATER }]], ['in_the_very_second', [{ ref: REF, after: HEAD, timestamp: '2026-11-20T10:00:00Z' }]],
    ['that_the_list_does_not_know_yet', [{ ref: REF, after: 'e'.repeat(40), timestamp: BEFORE }]], ['of_a_branch_without_a_past', []],
  ])('%s_is_refused', async (_, activity) => {
    pushed();
    fake.state.activity = activity;
    await expectRefusal(fake, 'branch-moved', comment(fake, '/benchmark'));
  });
  it.each([403, 404, 422])('is_refused_where_GitHub_can_not_say: %i', async status => {
    pushed();
    fake.fault = call => (call.path.endsWith('/activity') ? { status, json: { message: 'no' } } : undefined);
    await expectRefusal(fake, 'branch-moved', comment(fake, '/benchmark'));
  });
  it('is_asked_about_by_the_full_name_of_the_branch_and_nothing_of_it_is_said', async () => {
    pushed();
    const pull = fake.state.pulls.get(5)!;
    pull.head.ref = '$(curl x)&ref=refs/heads/main@org';
    fake.state.activity = [{ ref: `refs/heads/${pull.head.ref}`, after: HEAD, timestamp: BEFORE }];
    const { request, outputs } = await runGate(fake, comment(fake, '/benchmark'));
    expect(fake.seen.find(call => call.path.endsWith('/activity'))!.query.getAll('ref')).toEqual([`refs/heads/${pull.head.ref}`]);
    expect(JSON.stringify([request, outputs, ownComments(fake)])).not.toContain('curl');
  });
  it('to_a_fork_is_refused_with_a_short_commit', async () => {
    pushed();
    fake.state.permissions.set('alice', 'admin');
    fake.state.pulls.get(5)!.head.repo!.id = 666;
    fake.state.activity = [{ ref: REF, after: HEAD, timestamp: BEFORE }];
    await expectRefusal(fake, 'branch-moved', comment(fake, `/benchmark ${HEAD.slice(0, 12)}`));
  });
});

// The names of GitHub's events: docs.github.com, "Issue event types".
it.each(['base_ref_changed', 'automatic_base_change_succeeded', 'base_ref_force_pushed'])('a_base_that_changed_since_the_comment_is_refused: %s', async event => {
  fake.state.events = [{ issue: 5, event, created_at: '2026-11-20T10:00:01Z' }];
  await expectRefusal(fake, 'base-changed', comment(fake, '/benchmark'));
  fake.reset();
  fake.state.events = [{ issue: 5, event, created_at: '2026-11-20T09:59:59Z' }];
  expect((await runGate(fake, comment(fake, '/benchmark'))).code).toBe(0);
});
