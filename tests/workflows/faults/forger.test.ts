import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { addProject, listed } from '../flow/listed.ts';
import { makeJournal } from '../flow/made-journal.ts';
import { isNightly } from '../flow/nightly.ts';
import type { Request } from '../flow/request.ts';
import { requests } from '../flow/requests.ts';
import type { JobRecord, Result } from '../flow/step-runner.ts';
import { Lab } from '../flow/weekly.ts';

// Code of the pull request runs in build-head with the run's artifact token, which GitHub does not take back when the job ends: it may upload, replace and
// delete whatever the run holds, at any time. These tests play it. What is played: GitHub's artifact service (artifacts.ts), the machine's measuring, where a
// test does not need it; the workflow files' steps, the gate, the plan, the builds and the publishing are real.

const run = requests();
const nothing = (): void => {};

/** A program of the forger's in place of every one of ours: it would leave `owned` behind, and say what he likes. */
const EVIL = ((): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), 'perf-lab-forger-'));
  for (const action of ['build', 'lab-up', 'lab-down', 'measure', 'plan', 'publish', 'spread', 'status']) {
    mkdirSync(join(folder, 'tools/lab/.github/actions', action), { recursive: true });
    writeFileSync(join(folder, 'tools/lab/.github/actions', action, 'action.yml'), 'runs: { using: composite, steps: [{ shell: bash, run: touch "$HOME/owned" }] }\n');
  }
  const tar = execFileSync('tar', ['--create', '--directory', folder, 'tools']);
  rmSync(folder, { recursive: true });
  return tar;
})();

/** Half as fast becomes twice as fast: what a forger would like to read. */
const forged = (request: Request, plan = 'benchmark.plan/plan.json', shard?: number): Buffer =>
  Buffer.from(makeJournal({ plan: request.file(plan), effects: { c001: 1, c000: 1, c005: 1 }, noise: 0.002, ...(shard === undefined ? {} : { shard }) }));

/** What stands under the builds in containers takes a minute to make, and nothing here is launched in one. */
const BASES = Buffer.from('bases');

type Before = (job: string, request: Request) => Result | JobRecord | undefined;
/** Does something of the forger's just before a job; `rest` plays what else is not real. */
const before = (when: string, forge: (request: Request) => void, rest: Before = () => undefined): Before => {
  let isDone = false;
  return (job, request) => {
    if (!isDone && job === when) {
      isDone = true;
      forge(request);
    }
    if (job === 'benchmark/bases') return { result: 'success', outputs: { digest: createHash('sha256').update(BASES).digest('hex') } };
    if (job === 'benchmark/build-base/build') request.artifacts.replace('bases', 'bases.tar', BASES);
    return rest(job, request);
  };
};

const honest: Before = (job, request) => (job.endsWith('/measure') ? { result: 'success', outputs: request.measured(makeJournal({ plan: request.file('benchmark.plan/plan.json'), effects: {}, noise: 0.002 })) } : undefined);
const unmeasured = (end: Result): Before => job => (job.endsWith('/measure') ? end : undefined);

const HOSTED = '/benchmark --machine github';
const MEASURE = 'benchmark/machine/measure', PUBLISH = 'benchmark/machine/publish';

interface Ended { readonly comment: string; readonly title: string; readonly isOwned: boolean; readonly failed: readonly string[] }
async function ended(asked: { command?: string; change?: (checkout: string) => void; before: Before; prepare?: (checkout: string) => void }): Promise<Ended> {
  const request = await run({ command: HOSTED, change: nothing, ...asked });
  return {
    comment: request.comment, title: /^### perf-lab: (.*)$/m.exec(request.comment)?.[1] ?? '', isOwned: existsSync(join(request.folder, 'owned')),
    failed: request.runner.log.filter(({ code, step }) => code !== 0 && step === 'Check what arrived').map(({ job }) => job),
  };
}

/** What the forged journal would have said. */
const FORGED = /\d (improved|regressed)| is [0-9.]+( %|x) (faster|slower)/;
const GONE = (name: string): string => `A file of this run is gone or not as it was made (\`${name}\`), so nothing can be judged.`;

const left = !isNightly;
if (left) process.stdout.write('all forgers but one, the weekly trend\'s among them: left out, they take minutes (`./perf-lab test --all`)\n');

describe.concurrent('a forger', () => {
  it.skipIf(left).each<'cancelled' | 'failure' | 'skipped'>(['cancelled', 'failure', 'skipped'])('who uploads a journal where measuring was %s is not believed', async end => {
    const { title, comment } = await ended({ before: before(MEASURE, request => { request.artifacts.upload('samples', 'samples.ndjson', forged(request)); }, unmeasured(end)) });
    expect(comment).not.toMatch(FORGED);
    expect(title).toBe(end === 'cancelled' ? 'cancelled' : end === 'failure' ? 'failed while measuring' : 'no result');
  }, 300_000);

  it.skipIf(left)('who deletes the build of base, so that nothing is measured, and uploads a journal is not believed', async () => {
    const { title, comment } = await ended({ before: before(MEASURE, request => {
      request.artifacts.delete('build-base');
      request.artifacts.upload('samples', 'samples.ndjson', forged(request));
    }) });
    expect(comment).not.toMatch(FORGED);
    expect(title).toBe('failed while measuring');
  }, 300_000);

  it.each([['replaces', 'another digest'], ...left ? [] : [['deletes', 'something deleted it'], ['adds another to', 'no change found']]])('who %s the journal that was measured does not change what is believed', async (what, told) => {
    const { comment } = await ended({ before: before(PUBLISH, request => {
      const evil = forged(request);
      if (what === 'replaces') Object.assign(request.fake.state.artifacts.find(({ name }) => name === 'samples')!, { zip: Buffer.from('another archive') });
      else if (what === 'deletes') request.artifacts.replace('samples', 'samples.ndjson', evil);    // the service's way of replacing: gone, and another id
      else request.artifacts.beside('samples', 'samples.ndjson', evil);
    }, honest) });
    expect(comment).not.toMatch(FORGED);
    expect(comment).toContain(told);
  }, 300_000);

  it.skipIf(left)('who says why rows moved is not asked', async () => {
    const { comment } = await ended({ before: before(PUBLISH, request => { request.artifacts.upload('explanation', 'explanation.json', Buffer.from('{"schema":"perf-lab/explanation/1"}')); }, honest) });
    expect(comment).toContain('### perf-lab: no change found in 1');
  }, 300_000);

  it.skipIf(left).each([['tools', MEASURE, 'tools.tar'], ['plan', PUBLISH, 'plan.json']] as const)('who replaces %s runs nothing of his, and the answer says what is gone', async (name, when, file) => {
    const { comment, isOwned, title } = await ended({ before: before(when, request => { request.artifacts.replace(name, file, name === 'tools' ? EVIL : Buffer.from(request.file('benchmark.plan/plan.json').replace('"hash"', '"Hash"'))); }, name === 'tools' ? () => undefined : honest) });
    expect(isOwned).toBe(false);
    expect(comment).toContain(GONE(name));
    expect(title).toBe(name === 'tools' ? 'failed while measuring' : 'no result');
  }, 300_000);

  it.skipIf(left).each([['tools', MEASURE], ['plan', PUBLISH]])('who deletes %s does not keep the answer back', async (name, when) => {
    const { comment } = await ended({ before: before(when, ({ artifacts }) => { artifacts.delete(name); }, honest) });
    expect(comment).toContain(GONE(name));
  }, 300_000);

  it.skipIf(left).each(['build-base', 'build-head', 'bases'])('who replaces %s has nothing measured', async name => {
    const { title, failed, isOwned } = await ended({ before: before(MEASURE, ({ artifacts }) => { artifacts.replace(name, `${name.replace('build-', '')}.tar`, EVIL); }) });
    expect([title, failed, isOwned]).toEqual(['failed while measuring', [MEASURE], false]);
  }, 300_000);

  it.skipIf(left)('who replaces the list of the other arm completes no plan', async () => {
    const played = listed(['A.Parse'], ['A.Parse']);
    const { title, failed, comment } = await ended({
      command: '/benchmark bench --machine github', prepare: addProject,
      before: before('benchmark/complete', ({ artifacts }) => { artifacts.replace('benchmarks-base', 'benchmarks-base.json', Buffer.from('{"schema":"perf-lab/benchmarks/1"}')); }, played),
    });
    expect([title, failed]).toEqual(['failed while completing the plan', ['benchmark/complete']]);
    expect(comment).not.toMatch(FORGED);
  }, 300_000);

  it.skipIf(left)('who replaces what is built with builds nothing, and head is not blamed', async () => {
    const { title, failed, isOwned } = await ended({ before: before('benchmark/build-head/build', ({ artifacts }) => { artifacts.replace('tools', 'tools.tar', EVIL); }) });
    expect([title, failed[0], isOwned]).toEqual(['failed while building head', 'benchmark/build-head/build', false]);
  }, 300_000);

  it.skipIf(left)('who leaves a log under the other commit\'s name writes nothing into the comment', async () => {
    const { comment, title } = await ended({ before: before('benchmark/publish', ({ artifacts }) => { artifacts.upload('build-log-base', 'build.log', Buffer.from('base is broken, merge now')); }, job => (job === 'benchmark/build-base/build' ? 'failure' : undefined)) });
    expect(comment).not.toContain('merge now');
    expect(title).toBe('failed while building base');
  }, 300_000);

  it.skipIf(left)('who replaces what is wrong with a command writes nothing into the comment', async () => {
    const { comment, title } = await ended({ command: '/benchmark --workload prims', before: before('benchmark/status-plan', ({ artifacts }) => { artifacts.replace('problems', 'problems.txt', Buffer.from('perf-lab: click: here\n')); }) });
    expect(comment).not.toContain('click');
    expect(title).toBe('refused');
    expect(comment).toContain('the log of the job `plan` has it');
  }, 300_000);

  it.skipIf(left)('who uploads a request changes none: it is no artifact', async () => {
    const { comment } = await ended({ before: before('benchmark/plan', ({ artifacts }) => { artifacts.upload('request', 'request.json', Buffer.from('{}')); }, honest) });
    expect(comment).toContain('### perf-lab: no change found in 1');
  }, 300_000);
});

describe.skipIf(left)('a forger', () => {
  const labs: Lab[] = [];
  afterAll(async () => { await Promise.all(labs.map(lab => lab.end())); }, 60_000);
  const week = async (when: string, forge: (lab: Lab) => void, how: { pages?: boolean } = {}) => {
    const lab = await Lab.open();
    labs.push(lab);
    lab.commit();
    const { results } = await lab.week({ speed: () => 1, started: '2026-03-30T03:00:00Z', aa: true, ...how, before: job => { if (job === when) forge(lab); return undefined; } });
    return { lab, results };
  };

  it.each([['tools', 'tools.tar'], ['plan', 'plan.json'], ['aa-plan', 'aa-plan.json'], ['history', 'history.tar']])('of the weekly trend who replaces %s has nothing kept and nothing filed', async (name, file) => {
    const { lab, results } = await week('trend/publish', ({ artifacts }) => { artifacts.replace(name, file, EVIL); });
    expect([results['trend'], lab.files, lab.fake.state.issues]).toEqual(['failure', [], []]);
    expect(existsSync(join(lab.folder, 'run-1/owned'))).toBe(false);
  }, 300_000);

  it('of the weekly trend who takes the name of the pages first has none published', async () => {
    const { lab, results } = await week('trend/site', ({ artifacts }) => { artifacts.upload('github-pages', 'artifact.tar', Buffer.from('[["index.html","click here"]]')); }, { pages: true });
    expect([results, lab.site]).toEqual([{ trend: 'failure', pages: 'skipped' }, null]);
  }, 300_000);
});
