import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { trend } from '../src/trend.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { Job, testClient } from './support/lab.ts';
import { sha256 } from './support/request.ts';
import { AFTER, ANCHOR, BEFORE, HEAD, change, jobOf, place, runnerOf, trendOf } from './support/trend-steps.ts';
import { zip } from './support/zip.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); fake.state.history = [ANCHOR, BEFORE, AFTER, HEAD]; });

const job = (env: Record<string, string> = {}): Job => jobOf(fake, env);

describe('look', () => {
  const ready = (more: Record<string, string> = {}, found = trendOf()): Job => {
    const at = job({ PERF_LAB_HEAD: HEAD, PERF_LAB_REPOSITORY: '.', ...more });
    Object.assign(at.env, { PERF_LAB_OUT: at.path('trend'), PERF_LAB_RUNNER: runnerOf(at, { trend: found }), PERF_LAB_PLAN: at.write('plan.json', '{}'), PERF_LAB_PLAN_DIGEST: sha256('{}') });
    return at;
  };
  const here = process.cwd();
  afterEach(() => { process.chdir(here); });
  const run = async (at: Job): Promise<number> => {
    process.chdir(at.folder);    // the plan is left where the job works
    return await trend('look', testClient(fake), at.env);
  };

  it('says_which_change_is_confirmed_and_leaves_its_plan', async () => {
    const at = ready({}, trendOf(change('a')));
    expect(await run(at)).toBe(0);
    expect(at.outputs).toEqual({ confirm: 'planned', before: BEFORE, after: AFTER, change: 'a'.repeat(12) });
    expect(at.read('confirm-plan.json')).toBe('{"plan":1}\n');
    expect(JSON.parse(at.read('trend/notes.json'))).toEqual(['The session of this run does not count: there is no journal']);
  });
  it('confirms_nothing_when_nothing_is_due', async () => {
    const at = ready();
    const written: string[] = [], write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { written.push(String(text)); return true; });
    await run(at);
    write.mockRestore();
    expect([at.outputs, at.read('called')]).toEqual([{ confirm: 'none' }, `trend --json\nhistory export ${at.path('trend/bundle')}\n`]);    // neither a plan nor a journal
    expect(written).toEqual(['perf-lab: The session of this run does not count: there is no journal\n']);
  });
  it('takes_the_session_of_this_run_into_the_history', async () => {
    const archive = zip([{ name: 'samples.ndjson', data: Buffer.from('z') }]);
    fake.state.artifacts.push({ id: 77, name: 'samples', run: 900, zip: archive });
    const at = ready({ PERF_LAB_SAMPLES_ID: '77', PERF_LAB_SAMPLES_DIGEST: sha256(archive) });
    await run(at);
    expect(at.read('called')).toContain(`history import ${at.path('trend/weekly/samples.ndjson')}\n`);
    expect(JSON.parse(at.read('trend/notes.json'))).toEqual([]);
  });
  it('keeps_what_can_not_be_confirmed_for_the_summary', async () => {
    const at = ready({}, trendOf(change('a', { after: place('e'.repeat(12)) })));
    await run(at);
    expect(JSON.parse(at.read('trend/notes.json'))).toEqual([expect.any(String), 'The change `aaaaaaaaaaaa` can\'t be confirmed: a commit of it is not on the default branch any more.']);
  });
  it.each(['PERF_LAB_HEAD', 'PERF_LAB_REPOSITORY', 'PERF_LAB_OUT', 'PERF_LAB_RUNNER'])('needs_%s', async name => {
    const at = ready();
    at.env[name] = '';
    await expect(run(at)).rejects.toThrow(`${name} is not set`);
  });
});
