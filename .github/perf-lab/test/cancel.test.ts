import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cancel } from '../src/cancel.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { Job, testClient } from './support/lab.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const cancelled = () => fake.state.runs.filter(run => run.cancelled).map(run => run.id);
const run = (which = '900', more: Record<string, string> = {}) => cancel(testClient(fake), new Job(fake, { GITHUB_RUN_ID: '901', PERF_LAB_RUN_TO_CANCEL: which, ...more }).env);
const onCancel = (status: number) => { fake.fault = call => (call.path.endsWith('/cancel') ? { status, json: { message: 'no' } } : undefined); };

describe('cancel', () => {
  it('ends_the_run_that_the_gate_found', async () => {
    expect(await run()).toBe(0);
    expect(cancelled()).toEqual([900]);
  });
  it.each<[string, () => void, string]>([
    ['itself', () => {}, '901'],
    ['a run that no comment started', () => { fake.state.runs[0]!.event = 'push'; }, '900'],
    ['a run that has ended', () => { fake.state.runs[0]!.status = 'completed'; }, '900'],
  ])('leaves_alone: %s', async (_, change, which) => {
    change();
    expect(await run(which)).toBe(0);
    expect(fake.calls()).toEqual(['GET /actions/runs/:id']);
  });
  it.each([404, 409])('is_content_when_the_run_ended_meanwhile: %i', async status => {
    onCancel(status);
    expect(await run()).toBe(0);
  });
  it('is_content_when_the_run_was_deleted', async () => { expect(await run('899')).toBe(0); });
  it('fails_when_it_may_not', async () => {
    onCancel(403);
    await expect(run()).rejects.toThrow('no');
  });
  it('asks_again_when_the_answer_is_lost', async () => {
    let lost = 0;
    fake.fault = call => (call.path.endsWith('/cancel') && lost++ === 0 ? { status: 502, json: { message: 'Bad Gateway' } } : undefined);
    expect(await run()).toBe(0);
    expect(cancelled()).toEqual([900]);
  });
});
