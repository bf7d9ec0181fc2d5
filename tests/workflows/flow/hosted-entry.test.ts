import { describe, expect, it } from 'vitest';
import { makeJournal } from './made-journal.ts';
import { itNightly } from './nightly.ts';
import type { Asked, Request } from './request.ts';
import { requests } from './requests.ts';
import type { JobRecord } from './step-runner.ts';

const run = requests();

const OWNER = 'octo-org';
/** The small repository with the workflow of the example, which calls the lab of that owner. */
const calls = (entry: string, more = ''): NonNullable<Asked['page']> => ({ owner: OWNER, commands: `
cp -R ../perf-lab/tests/workflows/fixtures/library/. .
mkdir -p .github/workflows
sed "s/OWNER/${OWNER}/; s/0\\{40\\}/$(git -C ../perf-lab rev-parse HEAD)/; s/benchmark-hosted.yml/${entry}/" ../perf-lab/examples/library/.github/workflows/benchmark.yml >.github/workflows/benchmark.yml
${more}
git add .
git commit --quiet -m first
` });
const several = 'sed -i "s/ubuntu-22.04 }/ubuntu-22.04, count: 4 }/; s/minutes: 120/minutes: 20/" perf-lab.yaml';
const nothing = (): void => {};

/** In place of each machine: a journal of no change, whose figures come from a seed. */
const made = (job: string, request: Request): JobRecord | undefined => {
  if (!job.endsWith('/measure')) return undefined;
  const shard = Number(/\/shard-([1-8])\/measure$/.exec(job)?.[1] ?? 0), plan = request.file('benchmark.plan/plan.json');
  if (shard === 0) return { result: 'success', outputs: request.measured(makeJournal({ plan, effects: {}, noise: 0.002 })) };
  const journal = makeJournal({ plan, effects: {}, noise: 0.002, shard, session: `made-${shard}` });
  const { id, archive } = request.artifacts.upload(`samples-shard-${shard}`, 'samples.ndjson', Buffer.from(journal), { overwrite: true })!;
  return { result: 'success', outputs: { id: String(id), archive } };
};

describe.concurrent('a repository that grants no login', () => {
  it('gets a verdict of GitHub\'s own machine, with the rights of its workflow and no attestation', async () => {
    const request = await run({ page: calls('benchmark-hosted.yml'), scopedTokens: true, command: '/benchmark --machine github', change: nothing, before: made });
    expect(request.results, request.story).toEqual({ benchmark: 'success' });
    expect(request.comment, request.story).toContain('### perf-lab: no change found in 1');
    expect(request.comment).toContain('PERF_LAB_ROOT=$PWD ../perf-lab/perf-lab');
    expect(request.check).toMatchObject({ status: 'completed', conclusion: 'success' });
    expect([request.attestations.kept, request.attestations.said]).toEqual([[], []]);
    expect(Object.keys(request.runner.labels)).toEqual(['gate', 'plan', 'bases', 'build-base/build', 'build-head/build', 'machine/status-measuring', 'machine/measure', 'machine/publish'].map(job => `benchmark/${job}`));
    expect(request.runner.labels['benchmark/machine/measure']).toEqual(['ubuntu-22.04']);
  }, 300_000);

  itNightly('gets one of several of them', async () => {
    const request = await run({ page: calls('benchmark-hosted.yml', several), command: '/benchmark wide --machine github', change: nothing, before: made });
    expect(request.results, request.story).toEqual({ benchmark: 'success' });
    expect(request.comment, request.story).toMatch(/### perf-lab: no change found in \d\d/);
    const measured = Object.entries(request.runner.labels).filter(([job]) => job.endsWith('/measure'));
    expect(measured.length).toBeGreaterThan(1);
    expect(measured.map(([, labels]) => labels)).toEqual(measured.map(() => ['ubuntu-22.04']));
    expect(request.runner.log.map(({ job }) => job)).not.toContain('benchmark/publish');
  }, 300_000);

  itNightly('is told what failed, where measuring did', async () => {
    const request = await run({ page: calls('benchmark-hosted.yml'), command: '/benchmark --machine github', change: nothing, before: job => job.endsWith('/measure') ? 'failure' : undefined });
    expect(request.comment, request.story).toContain('### perf-lab: failed while measuring');
  }, 300_000);

  it('can\'t have a machine of its own, and is told what to change', async () => {
    const request = await run({ page: calls('benchmark-hosted.yml'), command: '/benchmark', change: nothing, before: made });
    expect(request.comment, request.story).toContain('`bench` is a machine of your own (`kind: azure`)');
    expect(request.comment).toContain('let the workflow call `benchmark-run.yml` with the permissions `id-token: write` and `attestations: write`');
    expect(Object.keys(request.runner.labels)).toEqual(['benchmark/gate']);
    expect(request.check).toBeUndefined();
  }, 300_000);

  it('can\'t call the workflow that logs in: GitHub starts nothing', async () => {
    await expect(run({ page: calls('benchmark-run.yml'), command: '/benchmark --machine github', change: nothing, before: made }))
      .rejects.toThrow(/The workflow is not valid\. Error calling workflow 'octo-org\/perf-lab\/\.github\/workflows\/benchmark-run\.yml@[0-9a-f]{40}'\. The nested job '[a-z-]+' is requesting 'id-token: write/);
  });
});
