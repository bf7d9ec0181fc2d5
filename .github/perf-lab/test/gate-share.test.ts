import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { newRun } from './fake/state.ts';
import { comment, Job, ownComments, runGate } from './support/lab.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

describe('the share of a person', () => {
  const asked = (index: number) => comment(fake, '/benchmark', { at: `2026-11-20T09:${10 + index}:00Z` });
  /** Requests of alice that were accepted and are over, each by its own run. */
  async function accepted(count: number, attempts = 1): Promise<void> {
    for (let i = 0; i < count; i++) {
      const run = 2000 + i;
      fake.state.runs.push({ ...newRun(run), status: 'completed', run_attempt: attempts });
      await runGate(fake, asked(i), { env: { GITHUB_RUN_ID: String(run) } });
      fake.state.comments.at(-1)!.body = fake.state.comments.at(-1)!.body.replace('stage=accepted', 'stage=done').replace('attempt=1 ', `attempt=${attempts} `);
    }
  }
  it('holds_what_was_run_again', async () => {
    await accepted(5, 2);
    expect((await runGate(fake, comment(fake, '/benchmark'))).outputs['code']).toBe('user-limit');
  });
  it('holds_what_GitHub_says_was_run_again_and_not_what_a_comment_says', async () => {
    await accepted(5, 2);
    for (const run of fake.state.runs) run.run_attempt = 1;
    expect((await runGate(fake, comment(fake, '/benchmark'))).code).toBe(0);
  });
  it('holds_this_request_as_often_as_it_was_run', async () => {
    await accepted(8);
    const event = comment(fake, '/benchmark');
    expect((await runGate(fake, event, { env: { GITHUB_RUN_ATTEMPT: '2' } })).code).toBe(0);
    expect((await runGate(fake, event, { env: { GITHUB_RUN_ATTEMPT: '3' } })).outputs['code']).toBe('user-limit');
  });
  it('holds_what_was_asked_after_a_request_that_is_run_again', async () => {
    const event = comment(fake, '/benchmark', { at: '2026-11-20T09:05:00Z' });
    expect((await runGate(fake, event)).code).toBe(0);
    fake.state.comments.at(-1)!.body = fake.state.comments.at(-1)!.body.replace('stage=accepted', 'stage=done');
    await accepted(9);
    expect((await runGate(fake, event, { env: { GITHUB_RUN_ATTEMPT: '2' } })).outputs['code']).toBe('user-limit');
  });
  it('is_no_larger_for_fifteen_comments_within_one_second', async () => {
    const suites = Array.from({ length: 15 }, (_, i) => comment(fake, `/benchmark --workload w${i}`));
    fake.state.runs.push(...suites.map((_, i) => newRun(3000 + i)));
    const codes = await Promise.all(suites.map(async (event, i) => (await runGate(fake, event, { env: { GITHUB_RUN_ID: String(3000 + i) } })).code));
    expect(codes.filter(code => code === 0)).toHaveLength(10);
    expect(codes.filter(code => code === 39)).toHaveLength(5);
    expect(ownComments(fake).filter(body => body.includes(' req='))).toHaveLength(10);
  });
});
