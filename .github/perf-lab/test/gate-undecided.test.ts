import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { comment, Job, ownComments, runGate } from './support/lab.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const only = (): string => { expect(ownComments(fake)).toHaveLength(1); return ownComments(fake)[0]!; };

describe('a gate that GitHub does not let decide', () => {
  it.each([[500, 'Server Error'], [422, 'Server Error: Sorry, this diff is temporarily unavailable due to heavy server load.'], [503, 'Service Unavailable']])('says_so_once_with_a_way_to_go_on: %i', async (status, message) => {
    const event = comment(fake, '/benchmark');
    fake.fault = call => (call.path.includes('/compare/') ? { status, json: { message } } : undefined);
    await expect(runGate(fake, event)).rejects.toMatchObject({ status });
    expect(fake.state.reactions.map(({ content }) => content)).toEqual(['eyes', 'confused']);
    expect(only()).toContain('### perf-lab: failed before anything was started');
    expect(only()).toContain('Re-run [the failed job](https://github.com/example/library/actions/runs/900)');
    await expect(runGate(fake, event)).rejects.toMatchObject({ status });
    only();
    fake.fault = undefined;
    expect((await runGate(fake, event)).code).toBe(0);
    expect(only()).toContain('### perf-lab: accepted');    // and what failed before is not there any more
  });
  it('says_it_in_the_requests_own_comment_where_that_is_there', async () => {
    fake.fault = call => (call.path.includes('/check-runs') ? { status: 422, json: { message: 'no' } } : undefined);
    await expect(runGate(fake, comment(fake, '/benchmark'))).rejects.toMatchObject({ status: 422 });
    expect(only()).toContain('stage=failed');
    expect(fake.state.reactions.map(({ content }) => content)).toEqual(['eyes', 'confused']);
  });
});
