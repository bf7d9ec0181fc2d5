import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeRequest } from '../src/thread/request-at-hand.ts';
import { fetchExplanation } from '../src/fleet/journal.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { NOW } from './fake/state.ts';
import { Job, ownComments } from './support/lab.ts';
import { Journey, sha256, summary } from './support/request.ts';
import { zip } from './support/zip.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const WHY = '{"schema":"perf-lab/explanation/1","rows":[]}\n';
const packed = (name = 'explanation.json', data = WHY, more = {}): Buffer => zip([{ name, data: Buffer.from(data), ...more }]);

/** A request whose measuring job uploaded this archive, and said so in its outputs. */
async function measured(archive: Buffer, told: { id?: string; digest?: string } = {}): Promise<Journey> {
  const journey = (await Journey.accepted(fake)).journal().artifact('explanation', archive).runner({ comparison: summary({ regressed: 1 }), report: '**1 regressed**\n' });
  const { id } = fake.state.artifacts.find(artifact => artifact.name === 'explanation')!;
  Object.assign(journey.job.env, { PERF_LAB_EXPLANATION_ID: told.id ?? String(id), PERF_LAB_EXPLANATION_DIGEST: told.digest ?? `sha256:${sha256(archive)}` });
  return journey;
}

/** The report's folder is where the runner looks for it, beside the journal. */
const kept = (journey: Journey): string | null => {
  const path = `${journey.job.env['PERF_LAB_OUT'] ?? '.'}/explanation.json`;
  return fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : null;
};

describe('why a row moved', () => {
  it('lies_beside_the_journal_when_the_runner_compares', async () => {
    const journey = await measured(packed());
    await journey.publish();
    expect(kept(journey)).toBe(WHY);
    expect(ownComments(fake)[0]).toContain('### perf-lab: 1 regressed');
  });
  it.each<[string, Buffer, { id?: string; digest?: string }]>([
    ['whose digest its job did not say', packed(), { digest: `sha256:${'0'.repeat(64)}` }],
    ['that a job uploaded which said nothing', packed(), { id: '' }],
    ['without a digest', packed(), { digest: '' }],
    ['that is no archive', Buffer.from('no zip'), {}],
    ['that holds something else', packed('samples.ndjson'), {}],
    ['that climbs out of its folder', packed('../explanation.json'), {}],
    ['that unpacks to more than it says', packed('explanation.json', 'x'.repeat(9000), { size: 10 }), {}],
    ['that is a link', packed('explanation.json', '/etc/passwd', { attributes: 0xa1ff0000 }), {}],
  ])('is_left_out_and_the_verdict_stays: one %s', async (_, archive, told) => {
    const journey = await measured(archive, told);
    expect(await journey.publish()).toBe(0);
    expect(kept(journey)).toBeNull();
    expect(ownComments(fake)[0]).toContain('### perf-lab: 1 regressed');
  });
  it('is_missed_in_the_log', async () => {
    const { gh, job } = await measured(Buffer.from('no zip')), said: string[] = [];
    await fetchExplanation(await takeRequest(gh, job.env, NOW), job.path('.'), line => said.push(line));
    expect(said).toEqual(['the explanation of what moved is left out: `not a whole zip archive`']);
  });
});
