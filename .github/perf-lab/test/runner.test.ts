import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clientOf, runner } from '../src/runner.ts';
import { realClock, type Clock } from '../src/runner/clock.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { NOW } from './fake/state.ts';
import { Job, testClient } from './support/lab.ts';

let fake: FakeGitHub;
let job: Job;
let waits: number[];
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); waits = []; job = new Job(fake, { PERF_LAB_MACHINE: 'azure-d4s' }); job.env['PERF_LAB_JIT_FILE'] = job.path('jit'); });

const clock = (): Clock => { let now = NOW; return { now: () => now, wait: async ms => { waits.push(ms / 1000); now += ms; }, note: () => {} }; };
const run = (step: string) => runner(step, testClient(fake), { ...job.env, PERF_LAB_RUNNER_ID: job.outputs['runner-id'] }, clock());
const NAME = 'run-900-1-azure-d4s';
const add = (name: string, more: object = {}) => fake.state.runners.push({ id: ++fake.state.lastId, name, status: 'offline', busy: false, labels: [], polls: 0, ...more });

describe('a runner for one request', () => {
  it('is_registered_awaited_and_removed', async () => {
    expect(await run('register')).toBe(0);
    const label = job.outputs['runner-label']!;
    expect(label).toMatch(new RegExp(`^${NAME}-[0-9a-f]{32}$`));
    expect([fs.statSync(job.path('jit')).mode & 0o777, job.read('jit').length > 40]).toEqual([0o600, true]);
    expect(fake.state.runners).toMatchObject([{ name: NAME, labels: [label] }]);
    expect(await run('wait')).toBe(0);
    expect(waits).toEqual([0, 30, 10]);
    expect(await run('remove')).toBe(0);
    expect(fake.state.runners).toEqual([]);
  });
  it('replaces_a_left_over_of_its_own_name_and_stale_ones_of_the_machine', async () => {
    add(NAME); add('run-800-1-azure-d4s'); add('run-801-1-azure-d4s', { status: 'online' }); add('run-802-1-azure-d4s', { busy: true }); add('run-803-1-ryzen'); add('somebody-elses');
    await run('register');
    expect(fake.state.runners.map(r => r.name).sort()).toEqual(['run-801-1-azure-d4s', 'run-802-1-azure-d4s', 'run-803-1-ryzen', 'somebody-elses', NAME].sort());
  });
  it.each(['abort', { status: 502, json: {} }] as const)('whose_secret_was_lost_with_the_answer_is_made_anew: %j', async after => {
    let posts = 0;
    fake.fault = call => (call.method === 'POST' && posts++ === 0 ? { after } : undefined);
    await run('register');
    expect([fake.state.runners.length, waits, job.read('jit').length > 40]).toEqual([1, [0, 5], true]);
  });
  it('has_another_label_each_time_and_tells_nobody', async () => {
    const said: unknown[][] = [], log = vi.spyOn(console, 'error').mockImplementation((...all) => { said.push(all); });
    await run('register');
    const first = job.outputs['runner-label'];
    await run('register');
    expect(job.outputs['runner-label']).not.toBe(first);
    expect(JSON.stringify(said)).not.toContain(first);
    log.mockRestore();
  });
  it('and_all_others_are_listed_as_the_reaper_reads_them', async () => {
    add(NAME, { status: 'online', busy: true }); add('run-800-1-azure-d4s');
    job.env['PERF_LAB_RUNNERS_FILE'] = job.path('runners.json');
    expect(await run('list')).toBe(0);
    expect(JSON.parse(job.read('runners.json'))).toEqual({ runners: [{ name: NAME, status: 'online', busy: true }, { name: 'run-800-1-azure-d4s', status: 'offline', busy: false }] });
  });
  it('are_not_listed_by_halves', async () => {
    job.env['PERF_LAB_RUNNERS_FILE'] = job.path('half.json');
    fake.fault = (call, index) => (index === 0 ? { status: 200, json: { total_count: 150, runners: [] }, headers: { link: `<${call.base}${call.path}?per_page=100&page=2>; rel="next"` } } : { status: 500, json: { message: 'no' } });
    await expect(run('list')).rejects.toThrow();
    expect(fs.existsSync(job.path('half.json'))).toBe(false);
  });
  it('whose_name_is_taken_in_between_is_tried_again', async () => {
    let posts = 0;
    fake.fault = call => (call.method === 'POST' && posts++ === 0 ? { status: 409, json: { message: 'Already exists' } } : undefined);
    expect(await run('register')).toBe(0);
  });
  it('is_given_up_after_five_failures_with_the_pauses_of_arc', async () => {
    fake.fault = call => (call.method === 'POST' ? { status: 500, json: { message: 'no' } } : undefined);
    await expect(run('register')).rejects.toThrow('no');
    expect(waits).toEqual([0, 5, 10, 20, 40]);
  });
  it('is_not_tried_again_when_the_app_may_not', async () => {
    fake.fault = call => (call.method === 'POST' ? { status: 403, json: { message: 'Resource not accessible by integration' } } : undefined);
    await expect(run('register')).rejects.toThrow('not accessible');
    expect(waits).toEqual([0]);
  });
  it('that_never_comes_online_ends_after_eight_minutes', async () => {
    fake.state.pollsUntilOnline = Infinity;
    await run('register');
    expect(await run('wait')).toBe(1);
    expect(waits.slice(1).reduce((a, b) => a + b)).toBe(480);
  });
  it('that_was_removed_is_not_waited_for', async () => {
    await run('register');
    fake.state.runners = [];
    expect(await run('wait')).toBe(1);
    expect(await run('remove')).toBe(0);
  });
  it('that_is_busy_is_left_to_github', async () => {
    await run('register');
    fake.state.runners[0]!.busy = true;
    expect(await run('remove')).toBe(0);
  });
  it('removing_what_was_never_registered_is_fine', async () => { expect(await runner('remove', testClient(fake), job.env, clock())).toBe(0); });
  it('wrong_use_ends_with_2', async () => { expect(await run('start')).toBe(2); });
  it.each(['Ryzen', '-x', 'x y', 'x!', '!x', 'x'.repeat(65), '.*'])('is_for_a_machine_by_name: %s', async machine => {
    job.env['PERF_LAB_MACHINE'] = machine;
    await expect(run('register')).rejects.toThrow('PERF_LAB_MACHINE is not a name');
    expect(fake.seen).toEqual([]);
  });
  it('takes_the_default_group_and_one_label_that_nobody_can_guess', async () => {
    await run('register');
    expect(fake.seen.find(({ method }) => method === 'POST')!.body).toEqual({ name: NAME, runner_group_id: 1, labels: [expect.stringMatching(/-[0-9a-f]{32}$/)] });
  });
  it.each(['run-800-1-azure-d4s-2', 'xrun-800-1-azure-d4s', 'run-1234567890123456-1-azure-d4s', 'run-800-1234567-azure-d4s', 'run-x-1-azure-d4s', 'run-800--azure-d4s'])('leaves_another_one_alone: %s', async name => {
    add(name);
    await run('register');
    expect(fake.state.runners.map(r => r.name)).toContain(name);
  });
  it('replaces_one_of_its_own_name_that_is_online', async () => {
    add(NAME, { status: 'online' });
    await run('register');
    expect(fake.state.runners).toMatchObject([{ name: NAME, status: 'offline' }]);
  });
  it('takes_stale_ones_of_long_runs_too', async () => {
    add('run-123456789012345-123456-azure-d4s');
    await run('register');
    expect(fake.state.runners.map(r => r.name)).toEqual([NAME]);
  });
  it('writes_its_secret_anew_and_not_through_a_link', async () => {
    const other = job.write('other', 'mine');
    fs.symlinkSync(other, job.path('jit'));
    await run('register');
    expect([job.read('other'), fs.lstatSync(job.path('jit')).isFile()]).toEqual(['mine', true]);
  });
  it.each([401, 403, 404, 422])('is_not_tried_again_when_the_answer_stays_%i', async status => {
    fake.fault = call => (call.method === 'POST' ? { status, json: { message: 'no' } } : undefined);
    await expect(run('register')).rejects.toThrow('no');
    expect(waits).toEqual([0]);
  });
  it('says_how_often_registering_failed_and_why', async () => {
    const notes: string[] = [];
    fake.fault = call => (call.method === 'POST' && waits.length < 3 ? { status: 500, json: { message: 'no luck' } } : undefined);
    await runner('register', testClient(fake), job.env, { ...clock(), note: text => { notes.push(text); } });
    expect(notes).toEqual([expect.stringMatching(/^registering the runner failed \(1 of 5\): no luck/), expect.stringMatching(/^registering the runner failed \(2 of 5\): /)]);
  });
  it.each([['remove', 500], ['remove', 403], ['wait', 500], ['wait', 403]])('%s_ends_with_the_error_of_%i', async (step, status) => {
    await run('register');
    fake.fault = () => ({ status, json: { message: 'not now' } });
    await expect(run(step)).rejects.toThrow('not now');
  });
  it('that_was_deleted_in_between_counts_as_removed', async () => {
    await run('register');
    fake.fault = call => (call.method === 'DELETE' ? { status: 404, json: { message: 'Not Found' } } : undefined);
    expect(await run('remove')).toBe(0);
  });
  it('that_is_busy_is_said', async () => {
    await run('register');
    fake.state.runners[0]!.busy = true;
    const notes: string[] = [];
    await runner('remove', testClient(fake), { ...job.env, PERF_LAB_RUNNER_ID: job.outputs['runner-id'] }, { ...clock(), note: text => { notes.push(text); } });
    expect(notes).toEqual(['the runner is still busy: GitHub removes it when its job has ended']);
    expect(fake.state.runners).toHaveLength(1);
  });
  it('is_asked_for_once_more_at_the_last_moment_and_not_after', async () => {
    fake.state.pollsUntilOnline = Infinity;
    await run('register');
    fake.seen.length = 0;
    await run('wait');
    expect(fake.seen).toHaveLength(45);    // after 30 seconds, then every ten until eight minutes are over
  });
  it.each([['wait', 'gone', 'the runner was removed before it came online'], ['wait', 'late', 'the runner did not come online within eight minutes']])('says_why_it_stopped_waiting: %s %s', async (_, why, told) => {
    if (why === 'late') fake.state.pollsUntilOnline = Infinity;
    await run('register');
    if (why === 'gone') fake.state.runners = [];
    const written: string[] = [], write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { written.push(String(text)); return true; });
    await run('wait');
    write.mockRestore();
    expect(written.join('')).toContain(told);
  });
  it('by_whatever_step_needs_its_variables', async () => {
    const without = (name: string) => ({ ...job.env, PERF_LAB_RUNNER_ID: '7', PERF_LAB_RUNNERS_FILE: job.path('r'), [name]: '' });
    await expect(runner('register', testClient(fake), without('PERF_LAB_MACHINE'), clock())).rejects.toThrow('PERF_LAB_MACHINE is not set');
    await expect(runner('register', testClient(fake), without('PERF_LAB_JIT_FILE'), clock())).rejects.toThrow('PERF_LAB_JIT_FILE is not set');
    await expect(runner('wait', testClient(fake), without('PERF_LAB_RUNNER_ID'), clock())).rejects.toThrow('PERF_LAB_RUNNER_ID is not set');
    await expect(runner('list', testClient(fake), without('PERF_LAB_RUNNERS_FILE'), clock())).rejects.toThrow('PERF_LAB_RUNNERS_FILE is not set');
  });
});

describe('the clock of a machine', () => {
  it('tells_the_time_and_waits', async () => {
    let isOver = false;
    setTimeout(() => { isOver = true; }, 1);
    const from = Date.now();
    await realClock.wait(20);
    expect([isOver, realClock.now() >= from, realClock.now() <= Date.now()]).toEqual([true, true, true]);
  });
  it('tells_the_log', () => {
    const written: string[] = [], write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { written.push(String(text)); return true; });
    realClock.note('text');
    write.mockRestore();
    expect(written).toEqual(['perf-lab: text\n']);
  });
});

describe('who registers', () => {
  const APP = { PERF_LAB_APP_ID: '12', PERF_LAB_INSTALLATION_ID: '34', PERF_LAB_KEY_URL: 'https://lab.vault.azure.net/keys/app', PERF_LAB_VAULT_TOKEN: 'the-vault-token' };
  const list = (more: Record<string, string>) => clientOf({ ...job.env, ...more }).rest.actions.listSelfHostedRunnersForRepo({ owner: 'example', repo: 'library' });

  it('is_somebody_with_a_token', async () => {
    await list({});
    expect(fake.seen.map(({ headers }) => headers.authorization)).toEqual(['token the-token']);
  });
  it('is_an_app_whose_key_stays_in_the_vault', async () => {
    const asked: [string, RequestInit][] = [], real = globalThis.fetch;
    const spy = vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
      if (!String(url).startsWith('https://lab.vault')) return real(url, init);
      asked.push([String(url), init!]);
      return Promise.resolve(Response.json({ value: 'A'.repeat(342) }));
    });
    try {
      await list({ ...APP, PERF_LAB_TOKEN: '' });
    } finally {
      spy.mockRestore();
    }
    expect(asked[0]).toMatchObject(['https://lab.vault.azure.net/keys/app/sign?api-version=7.4', { headers: { authorization: 'Bearer the-vault-token' } }]);
    expect(fake.seen.map(({ path }) => path)).toEqual(['/app/installations/34/access_tokens', '/repos/example/library/actions/runners']);
    expect(JSON.parse(Buffer.from(fake.seen[0]!.headers.authorization!.split('.')[1]!, 'base64url').toString())).toMatchObject({ iss: '12' });
  });
  it.each(Object.keys(APP).slice(1))('needs_%s', name => { expect(() => clientOf({ ...job.env, ...APP, [name]: '' })).toThrow(`${name} is not set`); });
});
