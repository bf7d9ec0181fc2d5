import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { makeJournal } from './made-journal.ts';
import { isNightly } from './nightly.ts';
import { Request } from './request.ts';
import { ServedAzure } from './served-azure.ts';
import { keepSection } from './whole-request.ts';

const azures: ServedAzure[] = [], requests: Request[] = [];
let watching: NodeJS.Timeout | undefined;
afterEach(() => { clearInterval(watching); });
afterAll(async () => { await Promise.all([...azures, ...requests].map(one => one.end())); }, 60_000);

const left = !isNightly;
if (left) process.stdout.write('a request from login to reaper against the fake Azure: left out, it takes two minutes, because lab start and stop wait in real time (`./perf-lab test --all`)\n');

/** A /benchmark on a machine of one's own: every step real but the measurement. */
async function benchmark(azure: ServedAzure): Promise<Request> {
  const request = await Request.run({
    command: '/benchmark', more: azure.more,
    prepare: checkout => { writeFileSync(join(checkout, 'lab.json'), azure.lab); },
    change: checkout => { writeFileSync(join(checkout, 'README.md'), 'head\n'); },
    before: (job, one) => {
      one.fake.state.pollsUntilOnline = Infinity;
      // What the machine's first boot does: its runner comes online when Azure has made it with GitHub's one-shot configuration.
      watching ??= setInterval(() => { boot(azure, one); }, 200);
      if (!job.endsWith('/measure')) return undefined;
      const [runner] = one.fake.state.runners;
      if (azure.state.power !== 'running' || runner?.status !== 'online' || one.runner.labels[job]?.join() !== runner.labels.join()) return 'failure';
      one.fake.state.runners = [];    // it took its one job
      return { result: 'success', outputs: one.measured(makeJournal({ plan: one.file('benchmark.plan/plan.json'), effects: {}, noise: 0.002 })) };
    },
  });
  requests.push(request);
  return request;
}

function boot(azure: ServedAzure, { fake }: Request): void {
  const { power, customData } = azure.state, blob = Buffer.from(JSON.stringify({ '.runner': 'x', '.credentials': 'y' })).toString('base64');
  if (power === 'running' && Buffer.from(customData ?? '', 'base64').toString().includes(blob)) for (const runner of fake.state.runners) runner.status = 'online';
}

const steps = (request: Request, job: string) => request.runner.log.filter(line => line.job === job);
const nothingIsLeft = ({ state }: ServedAzure): void => {
  expect([state.power, state.capacity, state.parts]).toEqual(['empty', 0, []]);
  expect(Object.keys(state.tags).filter(tag => /lease|started|orphan/.test(tag))).toEqual([]);
  expect(Buffer.from(state.model, 'base64').toString()).toMatch(/^(#cloud-config\n)?$/);    // nothing of the runner's configuration
};

describe.skipIf(left)('a request on a machine in Azure, through the workflow files', () => {
  it('logs in, has a machine made, waits for it, measures, and deletes it; the reaper finds nothing', async () => {
    const azure = await ServedAzure.start();
    azures.push(azure);
    const request = await benchmark(azure);
    expect(request.results, request.story).toEqual({ benchmark: 'success' });
    expect(request.comment, request.story).toContain('### perf-lab: no change found in 1');
    expect(request.runner.labels['benchmark/machine/measure']).toEqual([expect.stringMatching(/^run-900-1-bench-[0-9a-f]{32}$/)]);
    expect(steps(request, 'benchmark/machine/lab-up').filter(({ code }) => code !== 0), request.story).toEqual([]);
    expect(request.story).not.toContain('".credentials"');
    nothingIsLeft(azure);
    const { calls, made } = azure.state, up = steps(request, 'benchmark/machine/lab-up'), down = steps(request, 'benchmark/machine/lab-down');
    expect([made, calls.filter(call => /start|delete|schedule/.test(call))]).toEqual([1, ['lab-power start', 'lab-power schedule', 'lab-power delete', 'lab-power unschedule']]);

    const reaped = await request.dispatch('.github/workflows/reaper.yml', { PERF_LAB: 'on' });
    expect(reaped['reaper']!.result, request.story).toBe('success');
    expect(request.story).toContain('bench: empty');
    expect(azure.strangers).toEqual([]);
    nothingIsLeft(azure);
    keep([['lab-up', up], ['measure (a made journal in its place)', []], ['lab-down', down], ['reap', steps(request, 'reaper/reap')]], calls);
  }, 400_000);

  it('is told that the quota does not suffice, and leaves nothing', async () => {
    const azure = await ServedAzure.start(3);
    azures.push(azure);
    const request = await benchmark(azure);
    expect(steps(request, 'benchmark/machine/lab-up').map(({ output }) => output).join('\n')).toMatch(/quota/i);
    expect(request.runner.log.filter(({ job, code }) => job === 'benchmark/machine/lab-down' && code !== 0)).toEqual([]);
    expect(request.comment, request.story).toContain('the machine');
    expect(request.comment).not.toContain('no change found');
    nothingIsLeft(azure);
  }, 400_000);
});

type Lines = ReturnType<typeof steps>;

/** Its section of results/whole-request.md. */
function keep(jobs: readonly (readonly [string, Lines])[], calls: readonly string[]): void {
  const tidy = (text: string): string => text.replace(/::add-mask::\S+/g, '').replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME').replace(/bench[0-9a-f]{8}|bench_[0-9a-f]{8}/g, 'bench_XXXXXXXX').replace(/[0-9a-f]{32}/g, 'RANDOM').split('\n').map(line => line.trim()).filter(line => line !== '' && !/deprecat|npm (warn|notice)|ExperimentalWarning|node --trace/i.test(line)).join('<br>').replaceAll('|', '\\|');
  const changing = calls.filter(call => !/ (poll|list|read)$/.test(call));
  const counted = [...new Set(changing)].map(call => { const times = changing.filter(other => other === call).length; return `\`${call}\`${times > 1 ? ` (${times} times)` : ''}`; });
  keepSection('From login to reaper, against the fake Azure', `Times of this run mean nothing: the fake's operations take a tenth of theirs.

| job | step | exit | said |
|---|---|---|---|
${jobs.flatMap(([job, lines]) => lines.length === 0 ? [`| ${job} | | | |`] : lines.map(({ step, code, output }) => `| ${job} | ${step.replace(/@[0-9a-f]{40}.*$/, '')} | ${code} | ${tidy(output)} |`)).join('\n')}

What Azure was asked to change, by \`lab-power\`, in order of the first call: ${counted.join(', ')}. Afterwards: capacity 0, no machine, card, address or disk, no lease, the used custom data blanked.`);
}
