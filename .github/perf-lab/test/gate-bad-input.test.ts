import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { comment, CONFIG, runGate, testClient } from './support/lab.ts';
import { expectRefusal } from './support/refusal.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

describe('bad input', () => {
  it('perf_lab_yaml_with_mistakes_is_named_by_line_and_field', async () => {
    const reply = await expectRefusal(fake, 'lab-config', comment(fake, '/benchmark'), { config: CONFIG.replace('minutes: 120', 'minutes: soon') });
    expect(reply).toContain('perf-lab.yaml, line 9, github.budget.minutes:');
  });
  it('perf_lab_yaml_that_is_no_yaml_is_named_by_line', async () => {
    expect(await expectRefusal(fake, 'lab-config', comment(fake, '/benchmark'), { config: 'schema: perf-lab/config/1\nsuites: {' })).toContain('perf-lab.yaml, line');
  });
  it('event_file_missing', async () => {
    await expect(runGate(fake, comment(fake, '/benchmark'), { env: { GITHUB_EVENT_PATH: '/nowhere/event.json' } })).rejects.toThrow('ENOENT');
  });
  it('event_file_truncated', async () => { await expect(runGate(fake, '{"action":"crea')).rejects.toThrow('is not JSON'); });
  it('event_file_of_another_event', async () => { await expect(runGate(fake, { action: 'created', pusher: {} })).rejects.toThrow('is not an issue_comment event: issue'); });
  it('event_file_of_20_MB', async () => { await expect(runGate(fake, ' '.repeat(20 << 20))).rejects.toThrow('refused unread'); });
  it('login_that_would_leave_the_path_stays_inside', async () => {
    const event = comment(fake, '/benchmark', { user: { id: 42, login: '../../../admin', type: 'User' } });
    await expectRefusal(fake, 'not-authorised', event);
    expect(fake.seen.every(call => call.path.startsWith('/repos/example/library/'))).toBe(true);
  });
  it('token_that_is_refused_ends_the_job_without_a_decision', async () => {
    fake.fault = () => ({ status: 401, json: { message: 'Bad credentials' } });
    await expect(runGate(fake, comment(fake, '/benchmark'), { gh: testClient(fake) })).rejects.toThrow('Bad credentials');
  });
});
