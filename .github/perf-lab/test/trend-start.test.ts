import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { trend } from '../src/trend.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { CONFIG, Job, testClient } from './support/lab.ts';
import { AFTER, ANCHOR, BEFORE, HEAD, jobOf } from './support/trend-steps.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); fake.state.history = [ANCHOR, BEFORE, AFTER, HEAD]; });

const job = (env: Record<string, string> = {}): Job => jobOf(fake, env);

describe('start', () => {
  const start = async (env: Record<string, string> = {}) => {
    const at = job(env);
    return { code: await trend('start', testClient(fake), at.env), outputs: at.outputs, summary: at.read('summary') };
  };

  it('says_what_is_measured', async () => {
    const { code, outputs } = await start();
    expect([code, outputs]).toEqual([0, { head: HEAD, anchor: ANCHOR, aa: 'on', suite: 'pr', machine: 'azure-d4s', 'machine-kind': 'azure' }]);
    expect((await start({ PERF_LAB_SUITE: 'quick', PERF_LAB_MACHINE: 'ryzen' })).outputs).toMatchObject({ suite: 'quick', machine: 'ryzen', 'machine-kind': 'metal' });
    expect((await start({ PERF_LAB_NEXT_ANCHOR: BEFORE, PERF_LAB_AA: 'off' })).outputs).toMatchObject({ 'anchor': ANCHOR, 'next-anchor': BEFORE, 'aa': 'off' });
  });

  it.each([
    ['no anchor', { PERF_LAB_ANCHOR: '' }, 'is no full commit of 40 digits'], ['a short anchor', { PERF_LAB_ANCHOR: '1111111' }, 'is no full commit of 40 digits'], ['an option as anchor', { PERF_LAB_ANCHOR: '--upload-pack=x' }, 'is no full commit'],
    ['more in front of the anchor', { PERF_LAB_ANCHOR: `x${ANCHOR}` }, 'is no full commit'], ['more behind the anchor', { PERF_LAB_ANCHOR: `${ANCHOR}x` }, 'is no full commit'],
    ['head as anchor', { PERF_LAB_ANCHOR: HEAD }, 'nothing would be compared'], ['an anchor after head', { GITHUB_SHA: ANCHOR, PERF_LAB_ANCHOR: HEAD }, '`444444444444` is not before the default branch'],
    ['an anchor of nowhere', { PERF_LAB_ANCHOR: '9'.repeat(40) }, 'no such commit'],
    ['an anchor to come that is short', { PERF_LAB_NEXT_ANCHOR: '2222222' }, '`next-anchor` is `2222222`, which is no full commit'], ['an option as anchor to come', { PERF_LAB_NEXT_ANCHOR: '--upload-pack=x' }, 'is no full commit'],
    ['the anchor as the one to come', { PERF_LAB_NEXT_ANCHOR: ANCHOR }, 'is the anchor already'], ['head as the anchor to come', { PERF_LAB_NEXT_ANCHOR: HEAD }, '`next-anchor` is head itself'],
    ['an anchor to come of nowhere', { PERF_LAB_NEXT_ANCHOR: '9'.repeat(40) }, 'no such commit'], ['a word that is neither on nor off', { PERF_LAB_AA: 'no`' }, 'it can be `on` or `off`'],
    ['another branch', { GITHUB_REF: 'refs/heads/`$(id)`' }, 'this run was started on `refs/heads/\'$(id)\'`. Start it there.'],
    ['a suite that is not there', { PERF_LAB_SUITE: 'quik' }, 'Did you mean `quick`'], ['a machine that is not there', { PERF_LAB_MACHINE: 'moon' }, 'is no machine of this lab'],
  ])('with_%s_is_refused_with_a_sentence', async (_, env, told) => {
    const { code, outputs, summary } = await start(env);
    expect([code, outputs]).toEqual([1, {}]);
    expect(summary).toContain(told);
  });

  it('without_any_anchor_nothing_is_said_of_the_one_to_come', async () => { expect((await start({ PERF_LAB_ANCHOR: '' })).summary).not.toContain('next-anchor'); });

  it('names_the_image_of_a_hosted_machine', async () => {
    const at = job({ PERF_LAB_MACHINE: 'hosted' });
    at.env['PERF_LAB_CONFIG'] = at.write('perf-lab.yaml', CONFIG.replace('ryzen: { kind: metal }', 'hosted: { kind: hosted }'));
    expect(await trend('start', testClient(fake), at.env)).toBe(0);
    expect(at.outputs).toMatchObject({ 'machine': 'hosted', 'machine-kind': 'hosted', 'machine-runs-on': 'ubuntu-24.04' });
  });
  it('needs_its_perf_lab_yaml', async () => { await expect(start({ PERF_LAB_CONFIG: '' })).rejects.toThrow('PERF_LAB_CONFIG is not set'); });
  it('says_in_the_log_what_is_wrong', async () => {
    const written: string[] = [], write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { written.push(String(text)); return true; });
    await start({ PERF_LAB_ANCHOR: HEAD, PERF_LAB_MACHINE: 'moon' });
    write.mockRestore();
    expect(written).toEqual([expect.stringMatching(/^perf-lab: `anchor` is head itself/), expect.stringMatching(/^perf-lab: `moon` is no machine/)]);
  });

  it('knows_its_steps', async () => { expect(await trend('stat', testClient(fake), job().env)).toBe(2); });
});
