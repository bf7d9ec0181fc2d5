import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { stateLine } from '../src/thread/state.ts';
import { startFakeGitHub, type Call, type FakeGitHub } from './fake/server.ts';
import { BASE, HEAD } from './fake/state.ts';
import { comment, ownComments, runGate } from './support/lab.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

const isCheck = (call: Call): boolean => call.method === 'POST' && call.path.endsWith('/check-runs');

describe('a gate that fails when its comment is posted', () => {
  it('says_so_there_and_goes_on_when_it_runs_again', async () => {
    const event = comment(fake, '/benchmark');
    fake.fault = call => (isCheck(call) ? { status: 422, json: { message: 'not so' } } : undefined);
    await expect(runGate(fake, event)).rejects.toThrow('not so');
    expect(ownComments(fake)).toEqual([[
      '<!-- perf-lab:v1 pr=5 req=1001 -->', stateLine({ stage: 'failed', run: 900, attempt: 1, requester: 42, base: BASE, head: HEAD, machine: 'azure-d4s', command: '/benchmark pr' }), '### perf-lab: failed before anything was started', '',
      'Nothing was built or measured. [The log of the run](https://github.com/example/library/actions/runs/900) says why. Re-run its failed job, or write the command again.',
    ].join('\n')]);
    fake.fault = undefined;
    expect((await runGate(fake, event)).code).toBe(0);
    expect(ownComments(fake)).toEqual([expect.stringContaining('### perf-lab: accepted')]);
  });
  it('fails_for_its_own_reason_when_that_can_not_be_said_either', async () => {
    const told: string[] = [];
    const write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { told.push(String(text)); return true; });
    try {
      fake.fault = call => (isCheck(call) ? { status: 422, json: { message: 'not so' } } : call.method === 'PATCH' ? { status: 403, json: { message: 'not for you' } } : undefined);
      await expect(runGate(fake, comment(fake, '/benchmark'))).rejects.toThrow('not so');
    } finally {
      write.mockRestore();
    }
    expect(told).toEqual([expect.stringMatching(/^perf-lab: the comment may still say "accepted": PATCH \/repos\/example\/library\/issues\/comments\/\d+ answered 403 \(not for you\); /)]);
  });
  it('speaks_of_no_comment_where_the_conversation_takes_none', async () => {
    const told: string[] = [];
    const write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { told.push(String(text)); return true; });
    fake.state.pulls.get(5)!.locked = true;
    fake.fault = call => (isCheck(call) ? { status: 422, json: { message: 'not so' } } : undefined);
    try {
      await expect(runGate(fake, comment(fake, '/benchmark'))).rejects.toThrow('not so');
    } finally {
      write.mockRestore();
    }
    expect(told.at(-1)).toMatch(/^perf-lab: the conversation takes no comments/);
    expect(told.join('')).not.toContain('the comment may still say');
  });
  it('says_it_in_the_log_when_it_can_be_said_nowhere_else', async () => {
    const told: string[] = [];
    const write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { told.push(String(text)); return true; });
    try {
      fake.fault = call => (call.path.includes('/compare/') ? { status: 422, json: { message: 'not so' } } : call.path.endsWith('/issues/5/comments') ? { status: 422, json: { message: 'nor that' } } : undefined);
      await expect(runGate(fake, comment(fake, '/benchmark'))).rejects.toThrow('not so');
    } finally {
      write.mockRestore();
    }
    expect(told.at(-1)).toMatch(/^perf-lab: the failure could not be told in the thread: (GET|POST) .*\/issues\/5\/comments answered 422 \(nor that\)/);
  });
});
