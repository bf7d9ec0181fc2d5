import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { trend } from '../src/trend.ts';
import type { Trend } from '../src/history/trend-file.ts';
import { pushCommit, putBlob } from './fake/git-routes.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BOT } from './fake/state.ts';
import { Job, testClient } from './support/lab.ts';
import { AFTER, ANCHOR, BEFORE, HEAD, change, publishable, trendOf } from './support/trend-steps.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); fake.state.history = [ANCHOR, BEFORE, AFTER, HEAD]; });

describe('publish', () => {
  const ready = (more: Record<string, string> = {}, found?: Trend): Job => publishable(fake, more, found);
  const run = (at: Job): Promise<number> => trend('publish', testClient(fake), at.env);
  const seen = (): unknown => [fake.state.issues.map(({ title, body, state }) => [title, body.replace(/data=[0-9a-f]+/, ''), state]), [...fake.state.git.trees.get(fake.state.git.commits.get(fake.state.git.refs.get('heads/perf-lab-data')!)!.tree)!.keys()]];
  const titles = (): string[] => fake.state.issues.map(({ title }) => title);
  const commitOf = (): string => fake.state.git.refs.get('heads/perf-lab-data')!;
  const filesOnBranch = () => fake.state.git.trees.get(fake.state.git.commits.get(commitOf())!.tree)!;
  const issuesOnBranch = (): string => fake.state.git.blobs.get(filesOnBranch().get('issues.txt')!.sha)!.toString();
  /** A person deletes what the last run filed: GitHub answers 410 for each from then on, and lists none of them. */
  const deleteAll = (): void => { for (const issue of fake.state.issues) issue.deleted = true; };
  const WEEKLY = 'perf-lab: weekly performance', CHANGE = 'perf-lab: primes is 8.0 % slower since 2026-03-02';

  it('keeps_files_and_tells_and_the_same_again_changes_nothing', async () => {
    fake.state.jobs.push({ run: 900, name: 'trend / weekly / measure', conclusion: 'success', started_at: '2026-03-02T03:00:00Z', completed_at: '2026-03-02T04:00:00Z' });
    expect(await run(ready())).toBe(0);
    const after = seen();
    expect(titles()).toEqual(['perf-lab: primes is 8.0 % slower since 2026-03-02', 'perf-lab: weekly performance']);
    expect(fake.state.issues[1]!.body).toContain('- Cost: 60 minutes of machine time, 0.19 in the subscription\'s currency.');
    expect(fake.state.issues[1]!.body).toContain('Last success: 2026-03-02');
    expect(await run(ready())).toBe(0);
    expect(seen()).toEqual(after);
  });

  it('that_broke_off_at_any_call_is_finished_by_running_it_again', async () => {
    await run(ready());
    const whole = seen(), writes = fake.seen.flatMap(({ method }, index) => (method === 'GET' ? [] : [index]));
    for (const broken of writes) {    // the call itself, and with it everything that an earlier one has done
      fake.reset();
      fake.state.history = [ANCHOR, BEFORE, AFTER, HEAD];
      fake.fault = (_, index) => (index >= broken ? { status: 401, json: { message: 'Bad credentials' } } : undefined);
      await expect(run(ready())).rejects.toThrow('Bad credentials');
      fake.fault = undefined;
      expect([broken, await run(ready()), seen()]).toEqual([broken, 0, whole]);
    }
    expect(writes.length).toBeGreaterThan(6);
  });

  it('without_issues_keeps_the_session_says_it_in_the_job_and_is_red', async () => {
    fake.state.hasIssues = false;
    const at = ready();
    expect(await run(at)).toBe(1);
    expect(fake.state.git.refs.has('heads/perf-lab-data')).toBe(true);
    expect(at.read('summary')).toContain('has its issues switched off');
  });

  it.each([['PERF_LAB_RESULT_START', 'Failed while reading what to measure'], ['PERF_LAB_RESULT_BUILD_HEAD', 'Failed while building head'], ['PERF_LAB_RESULT_LAB_UP', 'Failed while starting the machine']])('of_a_run_with_%s_failed_says_so_and_is_red', async (result, told) => {
    const at = ready({ [result]: 'failure' });
    fs.rmSync(at.path('trend'), { recursive: true });
    expect(await run(at)).toBe(1);
    expect(titles()).toEqual(['perf-lab: weekly performance']);
    expect(fake.state.issues[0]!.body).toContain(told);
    expect(fake.state.issues[0]!.body).toContain('Last success: none yet');
  });

  it('of_a_failed_run_keeps_what_the_last_good_one_remembered', async () => {
    await run(ready());
    const at = ready({ PERF_LAB_RESULT_TOOLS: 'failure' });
    fs.rmSync(at.path('trend'), { recursive: true });
    await run(at);
    expect(fake.state.issues[1]!.body).toContain('success=2026-03-02 issues=aaaaaaaaaaaa:11');
  });

  it('finds_its_issues_when_somebody_deleted_the_summary', async () => {
    await run(ready());
    fake.state.issues[1]!.deleted = true;
    await run(ready());
    expect(titles()).toEqual(['perf-lab: primes is 8.0 % slower since 2026-03-02', 'perf-lab: weekly performance', 'perf-lab: weekly performance']);
  });

  it('files_nothing_again_that_people_deleted_together_with_the_summary', async () => {
    await run(ready());
    deleteAll();
    expect(await run(ready())).toBe(0);
    expect(titles()).toEqual([CHANGE, WEEKLY, WEEKLY]);
    expect(fake.state.issues[2]!.body).toContain('issues=aaaaaaaaaaaa:11');
    expect(fake.state.issues[2]!.body).toContain('its issue was deleted, left so');
    expect(issuesOnBranch().split('\n').slice(1)).toEqual(['aaaaaaaaaaaa 11', '']);
  });

  it('of_a_run_that_failed_in_between_still_knows_what_people_deleted', async () => {
    await run(ready());
    deleteAll();
    const failed = ready({ PERF_LAB_RESULT_TOOLS: 'failure' });
    fs.rmSync(failed.path('trend'), { recursive: true });
    await run(failed);
    expect(fake.state.issues[2]!.body).toContain('issues=aaaaaaaaaaaa:11');
    await run(ready());
    expect(titles()).toEqual([CHANGE, WEEKLY, WEEKLY]);
  });

  it('believes_no_numbers_that_a_stranger_left_on_the_branch', async () => {
    const forged = putBlob(fake.state, Buffer.from('aaaaaaaaaaaa 999\n'));
    pushCommit(fake.state, 'perf-lab-data', new Map([['issues.txt', { sha: forged, mode: '100644' }]]), { parent: null });
    await run(ready());
    expect(titles()).toEqual([CHANGE, WEEKLY]);
    expect(issuesOnBranch()).not.toContain('999');
  });

  it('overwrites_a_strangers_numbers_before_the_newest_commit_is_ours_again', async () => {
    const forged = putBlob(fake.state, Buffer.from('aaaaaaaaaaaa 999\n'));
    pushCommit(fake.state, 'perf-lab-data', new Map([['issues.txt', { sha: forged, mode: '100644' }]]), { parent: null });
    fake.fault = ({ method, path }) => (method === 'GET' && path.endsWith('/issues') ? { status: 401, json: { message: 'Bad credentials' } } : undefined);
    await expect(run(ready())).rejects.toThrow('Bad credentials');
    expect(issuesOnBranch()).not.toContain('999');
  });

  it('leaves_nothing_that_was_pushed_while_it_filed_under_a_commit_of_its_own_and_tells_it_next_time', async () => {
    let pushed = false;
    fake.fault = ({ method, path }) => {
      if (method === 'POST' && path.endsWith('/issues') && !pushed) {
        pushed = true;
        const files = new Map(filesOnBranch()), parent = commitOf();
        for (const name of ['trend.json', 'issues.txt']) files.set(name, { sha: putBlob(fake.state, Buffer.from('forged')), mode: '100644' });
        pushCommit(fake.state, 'perf-lab-data', files, { parent });
      }
      return undefined;
    };
    await run(ready());
    expect(pushed).toBe(true);
    for (const name of ['trend.json', 'issues.txt']) expect(fake.state.git.blobs.get(filesOnBranch().get(name)!.sha)!.toString()).not.toBe('forged');
    await run(ready());
    expect(fake.state.issues[1]!.body).toContain('1 commit on `perf-lab-data` since the last run is not of this workflow');
  });

  it.each(['', 'aaaaaaaaaaaa 0', 'aaaaaaaaaaaa 999 ', ' aaaaaaaaaaaa 999', 'aaaaaaaaaaaa 12345678901', 'AAAAAAAAAAAA 999', 'aaaaaaaaaaaa:999'])('takes_no_line_for_a_number_that_is_none: %j', async line => {
    pushCommit(fake.state, 'perf-lab-data', new Map([['issues.txt', { sha: putBlob(fake.state, Buffer.from(`#\n${line}\n`)), mode: '100644' }]]), { parent: null, author: BOT.id, verified: true });
    await run(ready());
    expect(titles()).toEqual([CHANGE, WEEKLY]);
  });

  it('does_not_open_a_summary_that_a_person_closed_and_keeps_what_they_wrote_there', async () => {
    await run(ready());
    Object.assign(fake.state.issues[1]!, { state: 'closed', body: `${fake.state.issues[1]!.body}\nours` });
    await run(ready({}, trendOf()));
    expect(fake.state.issues[1]).toMatchObject({ state: 'closed', body: expect.stringMatching(/Nothing, in 1 series[^]*end -->\nours$/) });
  });

  it('takes_no_forged_plan', async () => {
    await expect(run(ready({ PERF_LAB_PLAN_DIGEST: '0'.repeat(64) }))).rejects.toThrow('refused');
  });

  it('says_in_the_log_what_became_of_each_change', async () => {
    const written: string[] = [], write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { written.push(String(text)); return true; });
    await run(ready({}, trendOf(change('a', { status: 'confirmed' }), change('b', { status: 'recovered' }))));
    write.mockRestore();
    expect(written).toEqual(expect.arrayContaining(['perf-lab: change aaaaaaaaaaaa: filed, issue 11\n', 'perf-lab: change bbbbbbbbbbbb: over-before\n']));
  });

  it('ends_where_its_issues_can_not_be_read_and_says_what_failed_in_the_log', async () => {
    fake.fault = call => (call.method === 'GET' && call.path.endsWith('/issues') ? { status: 403, json: { message: 'not for you' } } : undefined);
    await expect(run(ready())).rejects.toMatchObject({ status: 403 });
    fake.fault = undefined;
    const written: string[] = [], write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { written.push(String(text)); return true; });
    await run(ready({ PERF_LAB_RESULT_CONFIRM: 'failure' }));
    write.mockRestore();
    expect(written.at(-1)).toMatch(/^perf-lab: Failed while measuring the commits around a change; the log of /);
  });
});
