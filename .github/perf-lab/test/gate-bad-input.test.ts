import { createRequire } from 'node:module';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import type { Pull } from './fake/state.ts';
import { comment, CONFIG, runGate, testClient } from './support/lab.ts';
import { expectRefusal } from './support/refusal.ts';

const examples = (createRequire(import.meta.url)('@octokit/webhooks-examples') as { name: string; examples: { action: string }[] }[]).find(({ name }) => name === 'issue_comment')!.examples;

let fake: FakeGitHub;
const pull = (): Pull => fake.state.pulls.get(5)!;
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
  it('event_file_truncated', async () => { await expect(runGate(fake, '{"action":"crea')).rejects.toThrow('the event file: not JSON: it ends in the middle'); });
  // Events as GitHub sends them; as a command on a pull request each new one is a request, whatever else stands in it.
  it.each(examples.map((example, index) => [index, example] as const))('event_of_github_s_own_examples_%i_is_read', async (_, example) => {
    expect((await runGate(fake, example)).outputs).toEqual({ decision: 'ignored' });
    if (example.action !== 'created') return;
    const event = structuredClone(example) as any;
    Object.assign(event.issue, { number: 5, pull_request: {} });
    event.comment.body = '/benchmark';
    const { id, user, created_at } = event.comment;
    fake.state.comments.push({ id, node_id: `IC_${id}`, issue: 5, body: '/benchmark', user, created_at, updated_at: created_at });
    fake.state.users[0] = user;
    fake.state.permissions.set(user.login, 'write');
    pull().head.repo!.pushed_at = '2000-01-01T00:00:00Z';
    expect((await runGate(fake, event)).outputs).toMatchObject({ decision: 'run', 'comment-id': String(id), 'requester-id': String(user.id) });
  });
  it('event_file_of_another_event', async () => { await expect(runGate(fake, { action: 'created', pusher: {} })).rejects.toThrow('the event file: issue: missing; comment: missing'); });
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

describe('event files that lie', () => {
  const text = (event: unknown): string => JSON.stringify(event);
  it('with_every_member_twice_is_refused', async () => {
    const event = text(comment(fake, '/benchmark'));
    await expect(runGate(fake, event.replace('"action":"created"', '"action":"edited","action":"created"'))).rejects.toThrow('the event file:');
    await expect(runGate(fake, event.replace(/"id":(\d+)/, '"id":1,"id":$1'))).rejects.toThrow('the event file:');
    expect(fake.seen).toEqual([]);
  });
  it.each(['[', '{"a":'])('10000_levels_deep_is_refused: %s', async open => {
    const close = open === '[' ? ']' : '}';
    const event = text(comment(fake, '/benchmark')).replace('"action"', `"x":${open.repeat(10_000)}${open === '[' ? '' : '1'}${close.repeat(10_000)},"action"`);
    await expect(runGate(fake, event)).rejects.toThrow('the event file:');
    expect(fake.seen).toEqual([]);
  });
});

describe('lists of GitHub that lead astray', () => {
  it.each<[string, (base: string) => string, string]>([
    ['to itself', base => `<${base}/repos/example/library/issues/5/comments?per_page=100&page=1>; rel="next"`, 'page 1 is followed by page 1'],
    ['to the end of the world', base => `<${base}/x?page=1e9>; rel="next"`, 'is followed by page 1000000000'],
    ['to no page', base => `<${base}/x>; rel="next"`, 'is followed by page NaN'],
    ['to no address', () => '<http://[>; rel="next"', 'refusing to call'],
    ['to another host', () => '<https://example.org/x?page=2>; rel="next"', 'refusing to call https://example.org'],
  ])('next_page_%s_is_refused', async (_, link, why) => {
    fake.fault = call => (call.method === 'GET' && /\/issues\/5\/comments$/.test(call.path) ? { status: 200, json: [], headers: { link: link(fake.url) } } : undefined);
    await expect(runGate(fake, comment(fake, '/benchmark'))).rejects.toThrow(why);
    expect(fake.seen.filter(call => /\/issues\/5\/comments$/.test(call.path))).toHaveLength(2);    // once for the decision, once for the answer that it failed
  });
  it('a_list_without_an_end_is_given_up_by_name', async () => {
    fake.fault = call => (/\/issues\/5\/events$/.test(call.path) ? { status: 200, json: [], headers: { link: `<${fake.url}/x?page=${Number(call.query.get('page')) + 1}>; rel="next"` } } : undefined);
    await expect(runGate(fake, comment(fake, '/benchmark'))).rejects.toThrow('more than 300 pages of the events');
  });
});
