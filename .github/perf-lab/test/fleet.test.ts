import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { machinesDone } from '../src/fleet/progress.ts';
import { fewerCame, readShards, together, whichFailed } from '../src/fleet/shards.ts';
import { MOST_MACHINES } from '../src/request/lab-config.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { NOW } from './fake/state.ts';
import { CONFIG, comment, Job, ownComments, runGate } from './support/lab.ts';
import { Journey, sha256, summary } from './support/request.ts';
import { zip } from './support/zip.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const only = (): string => { expect(ownComments(fake)).toHaveLength(1); return ownComments(fake)[0]!; };
const header = (shard: unknown): string => `${JSON.stringify({ kind: 'session', shard })}\n`;

interface Machine { readonly result?: string; readonly outputs?: Record<string, unknown> }

/** A request whose plan is spread over `machines`, and what each machine's job said of itself. */
async function spread(machines: number): Promise<Journey & { calls: Record<string, Machine> }> {
  const journey = await Journey.accepted(fake);
  const plan = JSON.stringify({
    schema: 'perf-lab/plan/1',
    plan: { cells: [{}, {}, {}, {}], shards: Array.from({ length: machines }, (_, at) => [`c00${at}`]), estimate: { leastSeconds: 1800, mostSeconds: 3600, longestShard: { leastSeconds: 600, mostSeconds: 1200 } } },
  });
  Object.assign(journey.job.env, { PERF_LAB_PLAN: journey.job.write('plan.json', plan), PERF_LAB_PLAN_DIGEST: sha256(plan) });
  return Object.assign(journey, { calls: {} });
}

/** The shard's journal, as its job uploads it. */
function uploaded(shard: number, content = header(shard), name = `samples-shard-${shard}`): Machine {
  const archive = zip([{ name: 'samples.ndjson', data: Buffer.from(content) }]), id = ++fake.state.lastId;
  fake.state.artifacts.push({ id, name, run: 900, zip: archive });
  return { result: 'success', outputs: { id: String(id), archive: sha256(archive), result: 'success' } };
}

async function published(journey: Journey, calls: Record<string, Machine>, answers: Parameters<Journey['runner']>[0] = { comparison: summary({ unchanged: 4 }), report: '**no change found in 4**\n' }): Promise<string> {
  journey.job.env['PERF_LAB_SHARDS'] = JSON.stringify({ 'status-measuring': { result: 'success', outputs: {} }, ...calls });
  expect(await journey.runner(answers).publish()).toBe(0);
  return only();
}

const compared = (journey: Journey): string[] => (/^compare\n(.*?)\n--plan\n/s.exec(journey.job.read('called'))?.[1] ?? '').split('\n').map(path => path.split('/').at(-1)!);

describe('publishing what several machines measured', () => {
  it('judges_all_journals_at_once', async () => {
    const journey = await spread(3);
    expect(await published(journey, { 'shard-1': uploaded(1), 'shard-2': uploaded(2), 'shard-3': uploaded(3), 'shard-4': { result: 'skipped', outputs: {} } })).toContain('### perf-lab: no change found in 4');
    expect(compared(journey)).toEqual(['samples-1.ndjson', 'samples-2.ndjson', 'samples-3.ndjson']);
    expect(fake.state.checks).toMatchObject([{ conclusion: 'success' }]);
  });
  it('names_a_machine_that_failed_and_shows_the_rest', async () => {
    const journey = await spread(3);
    const told = await published(journey, { 'shard-1': uploaded(1), 'shard-2': { result: 'failure', outputs: { result: 'failure' } }, 'shard-3': uploaded(3) }, { comparison: summary({ unchanged: 3, failed: 1 }), report: '**no change found in 3, 1 failed**\n', code: 1 });
    expect(told).toContain('### perf-lab: partly measured: no change found in 3, 1 failed');
    expect(told).toContain('Machine 2 of 3 failed while measuring; the log of the run says why. What follows is all that was measured.');
    expect(compared(journey)).toEqual(['samples-1.ndjson', 'samples-3.ndjson']);
    expect(fake.state.checks).toMatchObject([{ conclusion: 'neutral' }]);
  });
  it('a_cancel_while_half_of_them_run_keeps_what_is_done', async () => {
    const journey = await spread(4);
    const gone = { result: 'cancelled', outputs: {} };
    const told = await published(journey, { 'shard-1': uploaded(1), 'shard-2': uploaded(2), 'shard-3': gone, 'shard-4': gone }, { comparison: summary({ unchanged: 2, failed: 2 }), report: '**no change found in 2, 2 failed**\n', code: 1 });
    expect(told).toContain('### perf-lab: cancelled; measured until then: no change found in 2, 2 failed');
    expect(told).toContain('Cancelled while measuring.');
  });
  it('one_machine_out_of_time_is_no_cancel', async () => {
    const journey = await spread(2);
    fake.state.jobs.push({ run: 900, name: 'benchmark / fleet / shard-2 / measure', conclusion: 'cancelled', started_at: '2026-11-20T10:00:00Z', completed_at: '2026-11-20T16:00:00Z' });
    expect(await published(journey, { 'shard-1': uploaded(1), 'shard-2': { result: 'cancelled', outputs: {} } })).toContain('Out of time while measuring');
  });
  it('nothing_of_any_machine_is_no_result', async () => {
    const told = await published(await spread(2), { 'shard-1': { result: 'failure', outputs: {} }, 'shard-2': { result: 'failure', outputs: {} } });
    expect(told).toContain('### perf-lab: failed while measuring');
    expect(told).toContain('Machines 1 and 2 of 2 failed');
  });
  it('asks_only_for_as_many_as_the_plan_says', async () => {
    const journey = await spread(2);
    await published(journey, { 'shard-1': uploaded(1), 'shard-2': uploaded(2), 'shard-3': uploaded(3) });
    expect(compared(journey)).toEqual(['samples-1.ndjson', 'samples-2.ndjson']);
  });
});

describe('fewer machines than were asked for', () => {
  const spreadOver = (shards: readonly number[]) => ({ spread: { result: 'success', outputs: { shards: JSON.stringify(shards), machines: '2', plan: 'plan-spread', digest: 'x' } } });
  it('is_said_and_no_failure', async () => {
    const journey = await spread(2);
    journey.job.env['PERF_LAB_MACHINES'] = '4';
    const told = await published(journey, { ...spreadOver([0, 1, 0, 2]), 'shard-1': { result: 'skipped', outputs: {} }, 'shard-2': uploaded(2, header(1)), 'shard-3': { result: 'skipped', outputs: {} }, 'shard-4': uploaded(4, header(2)) });
    expect(told).toContain('### perf-lab: no change found in 4');
    expect(told).toContain('4 machines were asked for and 2 came, so they measured all of it; the log of the run says what kept the others.');
    expect(compared(journey)).toEqual(['samples-2.ndjson', 'samples-4.ndjson']);
    expect(fake.state.checks).toMatchObject([{ conclusion: 'success' }]);
  });
  it('one_that_came_measures_the_whole_plan', async () => {
    const journey = await spread(1), plan = journey.job.read('plan.json').replace(/"shards":\[\[[^\]]*\]\],/, '');
    Object.assign(journey.job.env, { PERF_LAB_MACHINES: '2', PERF_LAB_PLAN: journey.job.write('plan.json', plan), PERF_LAB_PLAN_DIGEST: sha256(plan) });
    const told = await published(journey, { ...spreadOver([0, 1]), 'shard-2': uploaded(2, header(undefined)) });
    expect(told).toContain('2 machines were asked for and 1 came, so it measured all of it');
    expect(compared(journey)).toEqual(['samples-2.ndjson']);
  });
  it('a_machine_can_not_take_the_shard_of_another_place', async () => {
    const journey = await spread(2);
    const told = await published(journey, { ...spreadOver([0, 1, 2]), 'shard-2': uploaded(2, header(2)), 'shard-3': uploaded(3, header(2)) });
    expect(told).toContain('Machine 2: The journal was refused: it says it is shard `2`.');
    expect(compared(journey)).toEqual(['samples-3.ndjson']);
  });
  it('none_at_all_failed_while_starting', async () => {
    const journey = await spread(2);
    journey.job.env['PERF_LAB_RESULT_LAB_UP'] = 'failure';
    expect(await published(journey, spreadOver([0, 0]))).toContain('### perf-lab: failed while starting the machine');
  });
});

describe('a machine that lies', () => {
  it.each<[string, () => Machine, string]>([
    ['uploads_what_another_was_to_measure', () => uploaded(2, header(1)), 'it says it is shard `1`'],
    ['says_it_is_no_shard_at_all', () => uploaded(2, header(undefined)), 'it says it is shard `null`'],
    ['names_the_artifact_of_another', () => uploaded(2, header(2), 'samples-shard-1'), 'is not samples-shard-2 of this run'],
    ['uploads_another_file_than_it_said', () => { const { outputs } = uploaded(2); return { result: 'success', outputs: { ...outputs, archive: 'f'.repeat(64) } }; }, 'another digest'],
    ['names_an_artifact_that_is_gone', () => ({ result: 'success', outputs: { id: '999999', archive: 'f'.repeat(64) } }), 'something deleted it'],
  ])('%s_loses_its_own_cells_only', async (_, lie, why) => {
    const journey = await spread(2);
    const told = await published(journey, { 'shard-1': uploaded(1), 'shard-2': lie() });
    expect(told).toContain('Machine 2: ');
    expect(told).toContain(why);
    expect(compared(journey)).toEqual(['samples-1.ndjson']);
    expect(fs.existsSync(journey.job.path('samples-2.ndjson'))).toBe(false);
  });
  it('can_not_upload_for_one_that_said_nothing', async () => {
    const journey = await spread(2);
    uploaded(2);    // under the right name, and no output of shard 2 says so
    await published(journey, { 'shard-1': uploaded(1), 'shard-2': { result: 'failure', outputs: {} } });
    expect(compared(journey)).toEqual(['samples-1.ndjson']);
  });
  it('a_first_line_that_can_not_be_read_is_the_runners_to_refuse', async () => {
    const journey = await spread(2);
    await published(journey, { 'shard-1': uploaded(1), 'shard-2': uploaded(2, '{"kind":\n') });
    expect(compared(journey)).toEqual(['samples-1.ndjson', 'samples-2.ndjson']);
  });
  it('outputs_of_another_form_count_as_none', () => {
    const [one, two, three] = readShards(JSON.stringify({ 'shard-1': { result: 'success', outputs: { id: '0x1', archive: 'x', result: 'great' } }, 'shard-2': 'nonsense' }), 3);
    expect([one, two, three]).toEqual([
      { number: 1, shard: 1, result: 'success', id: null, digest: null }, { number: 2, shard: 2, result: 'skipped', id: null, digest: null }, { number: 3, shard: 3, result: 'skipped', id: null, digest: null },
    ]);
  });
});

it.each([['1'.repeat(16), 'x'], ['1x', `x${'a'.repeat(64)}`], ['x1', `${'a'.repeat(64)}a`], ['0', `sha256:${'a'.repeat(63)}`]])('ids_and_digests_are_taken_whole_or_not_at_all: %s %s', (id, archive) => {
  expect(readShards(JSON.stringify({ 'shard-1': { result: 'success', outputs: { id, archive, result: 'success' } } }), 1)).toMatchObject([{ id: null, digest: null }]);
});
it('outputs_that_are_none_at_all_count_as_none', () => {
  expect(readShards(JSON.stringify({ 'shard-1': { result: 'success', outputs: 'nonsense' } }), 1)).toEqual([{ number: 1, shard: null, result: 'success', id: null, digest: null }]);
});
it('fewer_came_only_when_some_came_and_some_did_not', () => {
  const came = (count: number) => Array.from({ length: count }, (_, at) => ({ number: at + 1, shard: at + 1, result: 'success' as const, id: null, digest: null }));
  expect([fewerCame(came(0), 3), fewerCame(came(3), 3), fewerCame(came(4), 3)]).toEqual([null, null, null]);
  expect([fewerCame(came(1), 3), fewerCame(came(2), 3)]).toEqual([expect.stringContaining('so it measured'), expect.stringContaining('so they measured')]);
});

it('a_job_beside_the_measuring_that_fails_fails_no_machine', () => {
  const shards = readShards(JSON.stringify({ 'shard-1': { result: 'failure', outputs: { result: 'success' } } }), 1);
  expect(together(shards)).toBe('success');
  expect(together([{ number: 1, shard: 1, result: 'skipped', id: null, digest: null }])).toBe('failure');
});

it('names_every_machine_that_failed', () => {
  const shard = (number: number, result: 'success' | 'failure') => ({ number, shard: number, result, id: null, digest: null });
  expect(whichFailed([shard(1, 'failure'), shard(2, 'success'), shard(3, 'failure'), shard(4, 'failure')])).toBe('Machines 1, 3 and 4 of 4 failed while measuring; the log of the run says why.');
});

describe('progress', () => {
  const job = (name: string, began: number | null, minutes: number | null, conclusion: string | null = minutes === null ? null : 'success') => ({
    name, conclusion, started_at: began === null ? null : new Date(NOW + began * 60_000).toISOString(), completed_at: minutes === null ? null : new Date(NOW + (began! + minutes) * 60_000).toISOString(),
  });
  it.each([
    ['none is done', [job('benchmark / fleet / shard-1 / measure', 0, null)], 10, '0 of 3 machines done'],
    ['one is done, the others run', [job('fleet / shard-1 / measure', 0, 12), job('fleet / shard-2 / measure', 0, null), job('fleet / shard-3 / measure', 1, null)], 12, '1 of 3 machines done, about 1 min left'],
    ['one has not begun', [job('fleet / shard-1 / measure', 0, 12), job('fleet / shard-2 / measure', 0, null), job('fleet / shard-3 / measure', null, null)], 12, '1 of 3 machines done, about 12 min left'],
    ['one is not listed', [job('fleet / shard-1 / measure', 0, 12), job('fleet / shard-2 / measure', 0, 10)], 12, '2 of 3 machines done, about 11 min left'],
    ['one is late', [job('fleet / shard-1 / measure', 0, 5), job('fleet / shard-2 / measure', 0, 5), job('fleet / shard-3 / measure', 0, null)], 30, '2 of 3 machines done, the rest soon'],
    ['one took longer than it could', [job('fleet / shard-1 / measure', 0, 60), job('fleet / shard-2 / measure', 50, null), job('fleet / shard-3 / measure', 50, null)], 60, '1 of 3 machines done, about 10 min left'],
    ['one that is done says no times', [job('fleet / shard-1 / measure', null, null, 'success'), job('fleet / shard-2 / measure', 0, null)], 2, '1 of 3 machines done'],
    ['one failed after a late start', [job('fleet / shard-1 / measure', 0, 12), job('fleet / shard-2 / measure', 11, 1, 'failure'), job('fleet / shard-3 / measure', 10, null)], 20, '2 of 3 machines done, about 2 min left'],
    ['one failed at once', [job('fleet / shard-1 / measure', 0, 1, 'failure')], 2, '1 of 3 machines done'],
    ['all are done', [1, 2, 3].map(one => job(`fleet / shard-${one} / measure`, 0, 12)), 12, '3 of 3 machines done'],
    ['which of them came is another three', [job('fleet / shard-2 / measure', 0, 12), job('fleet / shard-5 / measure', 0, null), job('fleet / shard-8 / measure', 0, 12), job('fleet / shard-1 / measure', 0, 0, 'skipped')], 10, '2 of 3 machines done, about 2 min left'],
    ['others have such names', [job('fleet / shard-9 / measure', 0, 12), job('fleet / shard-1 / status-measured', 0, 12), job('fleet / shard-1 / measures', 0, 12), job('x-shard-1 / measure', 0, 12)], 12, '0 of 3 machines done'],
  ])('when %s', (_, jobs, minute, told) => { expect(machinesDone(jobs, 3, 1200, NOW + minute * 60_000)).toBe(told); });

  it('adds_up_in_the_comment', async () => {
    const journey = await spread(3);
    await journey.status('plan');
    expect(only()).toContain('- estimate: 10 to 20 minutes for 4 cells on 3 machines, at most 0.19 in the subscription\'s currency');
    await journey.status('measuring');
    expect(only()).toContain('- 3 machines measure at once\n- expected end: 10:10 UTC to 10:20 UTC');
    fake.state.jobs.push({ run: 900, name: 'benchmark / fleet / shard-2 / measure', conclusion: 'success', started_at: '2026-11-20T09:50:20Z', completed_at: '2026-11-20T10:00:20Z' });
    await journey.status('measured');
    expect(only()).toContain('### perf-lab: measuring');
    expect(only()).toContain('- 1 of 3 machines done, about 10 min left');
  });
});

describe('perf-lab.yaml', () => {
  const asked = async (machine: string) => (await runGate(fake, comment(fake, '/benchmark --machine several'), { config: CONFIG.replace('ryzen: { kind: metal }', `several: ${machine}`) })).outputs;
  it.each(['{ kind: hosted, count: 8 }', '{ kind: hosted, count: 1 }', '{ kind: azure, count: 2 }'])('%s is taken', async machine => { expect((await asked(machine))['decision']).toBe('run'); });
  it.each(['{ kind: hosted, count: 0 }', '{ kind: hosted, count: 9 }', '{ kind: hosted, count: 1.5 }', '{ kind: metal, count: 2 }'])('%s is refused', async machine => { expect((await asked(machine))['code']).toBe('lab-config'); });
});

it('the_workflow_has_the_same_calls_for_each_machine', () => {
  const text = fs.readFileSync(new URL('../../workflows/benchmark-fleet.yml', import.meta.url), 'utf8');
  const { jobs } = parse(text) as { jobs: Record<string, { if?: string; needs?: string[] }> };
  const numbers = Array.from({ length: MOST_MACHINES }, (_, at) => at + 1);
  expect(Object.keys(jobs).filter(job => /^(start|shard)-/.test(job))).toEqual([...numbers.map(number => `start-${number}`), ...numbers.map(number => `shard-${number}`)]);
  // The second of each, with its number in place of 2.
  for (const number of numbers.slice(1)) {
    for (const job of ['start', 'shard']) {
      const second = JSON.stringify(jobs[`${job}-2`]).replaceAll('start-2', `start-${number}`).replaceAll('inputs.machine }}-2', `inputs.machine }}-${number}`).replace('machines >= 2', `machines >= ${number}`).replace(")[1]", `)[${number - 1}]`);
      expect(JSON.stringify(jobs[`${job}-${number}`])).toBe(second);
    }
  }
  expect(jobs['publish']!.needs).toEqual(['spread', 'status-measuring', ...numbers.map(number => `shard-${number}`)]);
  expect(jobs['spread']!.needs).toEqual(numbers.map(number => `start-${number}`));
});
