import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { repository } from '../rules/files.ts';
import { makeJournal } from './made-journal.ts';
import { isNightly, itNightly } from './nightly.ts';
import { ReleasedRunner, SOURCES } from './released.ts';
import type { Asked, Request } from './request.ts';
import { requests } from './requests.ts';
import type { JobRecord } from './step-runner.ts';

const run = requests();
const served: ReleasedRunner[] = [];
/** GitHub with that release; one for each test. */
const serve = async (): Promise<ReleasedRunner> => {
  const github = await ReleasedRunner.serve();
  served.push(github);
  return github;
};
afterAll(async () => { await Promise.all(served.map(github => github.end())); });

/** In place of the machine: a journal of no change, whose figures come from a seed. */
const made = (job: string, request: Request): JobRecord | undefined => (job.endsWith('/measure') ? { result: 'success', outputs: request.measured(makeJournal({ plan: request.file('benchmark.plan/plan.json'), effects: {}, noise: 0.002 })) } : undefined);
const asked = (github: ReleasedRunner, pinned: string, more: Partial<Asked> = {}): Asked => ({ command: '/benchmark --machine github', change: () => {}, before: made, release: { pinned, sources: SOURCES }, more: { stubs: {}, env: {}, programs: github.programs }, ...more });
const steps = (request: Request, of: RegExp): string[] => request.runner.log.filter(({ step, code }) => of.test(step) && code === 0).map(({ job }) => job.replace('benchmark/', ''));

if (!isNightly) process.stdout.write('a pinned runner that is missing, or another: left out, it takes half a minute (`./perf-lab test --all`)\n');

describe.concurrent('the runner of the release that the caller\'s commit pins', () => {
  itNightly('is fetched by each job that starts it, and neither built nor handed from job to job', async () => {
    const github = await serve(), request = await run(asked(github, github.pinned()));
    expect(request.results, request.story).toEqual({ benchmark: 'success' });
    expect(request.comment, request.story).toContain('### perf-lab: no change found in 1');
    expect(steps(request, /\/actions\/runner$/)).toEqual(['bases', 'build-base/build', 'build-head/build', 'machine/publish']);
    expect(github.asked.filter(path => path.endsWith('.tar.gz'))).toHaveLength(5);    // and the job that plans
    // Nothing of 50 MB travels for the runner's sake; what containers stand on is another matter.
    const bytes = (name: string): number => request.artifacts.newest(name)!.bytes.length;
    expect(bytes('tools')).toBeLessThan(20e6);
    expect(Math.max(...request.artifacts.names.filter(name => name !== 'bases').map(bytes))).toBeLessThan(50e6);
    expect(existsSync(join(request.folder, 'benchmark.plan/tools/runner/lab/perf-lab.yaml'))).toBe(false);
  }, 300_000);

  it.skipIf(!isNightly).each([
    ['missing', (github: ReleasedRunner) => { github.file = null; }, /the runner of release 0\.1\.0 is missing: https:\/\/github\.com\/octo-org\/perf-lab\/releases\/download\/v0\.1\.0\/perf-lab-0\.1\.0-linux-x64\.tar\.gz answered 404\. Call a perf-lab whose release is whole/],
    ['another', (github: ReleasedRunner) => { github.file = Buffer.concat([github.archive, Buffer.from([0])]); }, /the runner of release 0\.1\.0 is not the one that was pinned: https:.* has the SHA-256 [0-9a-f]{64}, and not [0-9a-f]{64}\. Nothing of it was run\./],
  ] as const)('is refused where it is %s, and nothing is built', async (_, prepare, told) => {
    const github = await serve();
    prepare(github);
    const request = await run(asked(github, github.pinned()));
    expect(request.results, request.story).toEqual({ benchmark: 'success' });
    expect(request.comment, request.story).toMatch(told);
    expect(Object.keys(request.runner.labels)).toEqual(['benchmark/gate', 'benchmark/plan', 'benchmark/status-plan', 'benchmark/publish']);
    expect(request.artifacts.names).toEqual(['problems']);
    expect(request.check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
  }, 300_000);

  it.each([{ archive: 'abc' }, { address: 'http://example.org/x' }])('is refused where no address or no whole digest was pinned: %j', async wrong => {
    const github = await serve(), folder = mkdtempSync(join(tmpdir(), 'perf-lab-pinned-'));
    writeFileSync(join(folder, 'pinned'), github.pinned(wrong));
    const { status, stderr } = spawnSync(join(repository, '.github/release/fetch'), [join(folder, 'pinned'), join(folder, 'runner')], { encoding: 'utf8' });
    expect([status, stderr, existsSync(join(folder, 'runner'))]).toEqual([3, expect.stringContaining('names no SHA-256 and no https address'), false]);
    rmSync(folder, { recursive: true });
  });

  itNightly('that changes while the request runs is not run by the job that meets the other one', async () => {
    const github = await serve(), request = await run(asked(github, github.pinned(), { before: (job, one) => { if (job.endsWith('/build')) github.file = Buffer.from('another'); return made(job, one); } }));
    expect(request.comment, request.story).toMatch(/### perf-lab: failed while building|does not build/);
    expect(request.story).toContain('is not the one that was pinned');
  }, 300_000);

  itNightly('is not taken after a change of what it is made of: then it is built as in a lab without a release', async () => {
    const github = await serve(), request = await run(asked(github, github.pinned({ sources: '0'.repeat(64) })));
    expect(request.story).toContain('built from its sources: publish');
    expect(github.asked).toEqual([]);
  }, 300_000);
});
