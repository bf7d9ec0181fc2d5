import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { trend } from '../src/trend.ts';
import type { Trend } from '../src/history/trend-file.ts';
import { pushCommit } from './fake/git-routes.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { Job, testClient } from './support/lab.ts';
import { sha256 } from './support/request.ts';
import { AFTER, ANCHOR, BEFORE, HEAD, change, publishable, trendOf } from './support/trend-steps.ts';
import { zip } from './support/zip.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); fake.state.history = [ANCHOR, BEFORE, AFTER, HEAD]; });

describe('what a week says', () => {
  const ready = (more: Record<string, string> = {}, found?: Trend): Job => publishable(fake, more, found);
  const run = (at: Job): Promise<number> => trend('publish', testClient(fake), at.env);
  const body = (): string => fake.state.issues.find(({ title }) => title === 'perf-lab: weekly performance')!.body;
  const ran = (name: string, minutes: number, more: object = {}): void => {
    fake.state.jobs.push({ run: 900, name, conclusion: 'success', started_at: '2026-03-02T03:00:00Z', completed_at: new Date(Date.parse('2026-03-02T03:00:00Z') + minutes * 60_000).toISOString(), ...more });
  };

  it('lets_an_experiment_count_only_by_its_plan', async () => {
    const archive = zip([{ name: 'samples.ndjson', data: Buffer.from('z') }]);
    fake.state.artifacts.push({ id: 77, name: 'confirm-samples', run: 900, zip: archive });
    const plan = '{"confirm":1}';
    const confirm = (digest: string) => ({ PERF_LAB_CONFIRM_PLAN_DIGEST: sha256(plan), PERF_LAB_CONFIRM_SAMPLES_ID: '77', PERF_LAB_CONFIRM_SAMPLES_DIGEST: digest });
    const at = ready(confirm(sha256(archive)));
    at.env['PERF_LAB_CONFIRM_PLAN'] = at.write('confirm-plan.json', plan);
    await run(at);
    expect(at.read('called')).toContain('trend/confirm/samples.ndjson');
    expect(at.read('called')).toMatch(/^history import \S+trend\/bundle \S+weekly\/samples\.ndjson \S+confirm\/samples\.ndjson$/m);
    expect(fake.state.issues.at(-1)!.body).not.toContain('does not count');
    expect(at.read('called')).toMatch(/compare \S+confirm\/samples\.ndjson --plan \S+confirm-plan\.json/);
    const other = ready(confirm('0'.repeat(64)));
    other.env['PERF_LAB_CONFIRM_PLAN'] = other.write('confirm-plan.json', plan);
    await run(other);
    expect(other.read('called')).not.toContain('confirm/samples.ndjson');
    expect(fake.state.issues.at(-1)!.body).toContain('The experiment of this run does not count');
  });

  it('keeps_the_session_of_head_against_itself_by_its_plan_only_and_a_failed_one_makes_the_run_red', async () => {
    const archive = zip([{ name: 'samples.ndjson', data: Buffer.from('z') }]), plan = '{"aa":1}';
    fake.state.artifacts.push({ id: 78, name: 'aa-samples', run: 900, zip: archive });
    const aa = (digest: string) => ({ PERF_LAB_AA_PLAN_DIGEST: sha256(plan), PERF_LAB_AA_SAMPLES_ID: '78', PERF_LAB_AA_SAMPLES_DIGEST: digest });
    const at = ready(aa(sha256(archive)));
    at.env['PERF_LAB_AA_PLAN'] = at.write('aa-plan.json', plan);
    expect(await run(at)).toBe(0);
    expect(at.read('called')).toMatch(/compare \S+aa\/samples\.ndjson --plan \S+aa-plan\.json/);
    expect(at.read('called')).toMatch(/history import \S+bundle \S+weekly\/samples\.ndjson \S+aa\/samples\.ndjson/);
    const other = ready(aa('0'.repeat(64)));
    other.env['PERF_LAB_AA_PLAN'] = other.write('aa-plan.json', plan);
    await run(other);
    expect(other.read('called')).not.toContain('aa/samples.ndjson');
    expect(fake.state.issues.at(-1)!.body).toContain('The session of head against itself does not count');
    expect(await run(ready({ PERF_LAB_RESULT_AA: 'failure' }))).toBe(1);
    expect(fake.state.issues.at(-1)!.body).toContain('Failed while measuring head against itself');
  });

  it('says_how_far_the_anchor_to_come_is_and_when_it_can_take_over', async () => {
    const next = { from: ANCHOR.slice(0, 12), to: BEFORE.slice(0, 12), series: 3, needed: 5 };
    await run(ready({}, { ...trendOf(), nextAnchor: { ...next, ready: 2, fewest: 4 } }));
    expect(fake.state.issues.at(-1)!.body).toMatch(/The anchor to come is \[`2{12}`\]\(\S+\/commit\/2{12}\): 2 of 3 series measured both in 5 sessions or more \(the fewest: 4\)/);
    await run(ready({}, { ...trendOf(), nextAnchor: { ...next, ready: 3, fewest: 5 } }));
    expect(fake.state.issues.at(-1)!.body).toContain('can take over**: all 3 series');
    await run(ready({}, { ...trendOf(), nextAnchor: { ...next, to: '<b>`x', ready: 3, fewest: 5 } }));
    expect(fake.state.issues.at(-1)!.body).toContain('The anchor to come, `<b>\'x`, can');
  });

  it('costs_the_minutes_in_which_a_machine_was_held', async () => {
    ran('trend / weekly / measure', 40);
    ran('measure', 19.5);
    for (const other of ['remeasure', 'measure / x', 'trend / measured', 'build']) ran(other, 600);
    ran('trend / measure', 600, { completed_at: null });
    ran('trend / measure', -600);
    await run(ready());
    expect(body()).toContain('- Cost: 60 minutes of machine time, 0.19 in the subscription\'s currency.');
  });

  it.each<[string, Record<string, string>]>([['a machine without a price', { PERF_LAB_MACHINE: 'ryzen' }], ['no machine', { PERF_LAB_MACHINE: '' }], ['a machine that is not there', { PERF_LAB_MACHINE: 'moon' }], ['no perf-lab.yaml', { PERF_LAB_CONFIG: '/nowhere' }], ['no name of it', { PERF_LAB_CONFIG: '' }]])('costs_minutes_alone_with_%s', async (_, env) => {
    ran('measure', 60);
    await run(ready(env));
    expect(body()).toContain('- Cost: 60 minutes of machine time.\n');
  });

  it('costs_nothing_when_nothing_was_measured', async () => {
    await run(ready());
    expect(body()).not.toContain('- Cost:');
    expect(body()).toContain('suite `pr` on `azure-d4s`');
  });

  it.each([['confirmed', 'confirmed it'], ['recovered', 'confirmed it'], ['not-confirmed', 'did not find it'], ['environment', 'did not find it, and the machine changed there'], ['due', 'says nothing about it: no values']] as const)('tells_what_the_experiment_came_to: %s', async (status, told) => {
    await run(ready({ PERF_LAB_CHANGE: 'a'.repeat(12) }, trendOf(change('a', { status }))));
    expect(body()).toContain(`This run measured the commits around the change \`aaaaaaaaaaaa\` against each other, and ${told}`);
  });

  it.each(['identical-build', 'untouched'])('tells_that_an_experiment_would_have_measured_the_same_twice: %s', async verdict => {
    await run(ready({ PERF_LAB_CHANGE: 'a'.repeat(12) }, trendOf(change('a', { status: 'environment', experiment: { session: 's', change: 0, low: null, high: null, pValue: null, rounds: 0, verdict } }))));
    expect(body()).toContain('Nothing that it runs differs between the commits around the change `aaaaaaaaaaaa`');
  });

  it.each(['b'.repeat(12), ''])('tells_of_no_experiment_with_a_change_that_is_not_there: %j', async id => {
    await run(ready({ PERF_LAB_CHANGE: id }));
    expect(body()).not.toContain('This run measured');
  });

  it('names_the_program_that_reproduces', async () => {
    await run(ready({ PERF_LAB_PROGRAM: 'lab/perf-lab' }));
    expect(fake.state.issues[0]!.body).toContain('\nlab/perf-lab run primes ');
  });

  it('tells_each_note_once_and_what_a_stranger_did_first', async () => {
    await run(ready());
    const at = ready();
    at.write('trend/notes.json', JSON.stringify(['A note.', 'A note.', 'Another.']));
    const commit = fake.state.git.commits.get(fake.state.git.refs.get('heads/perf-lab-data')!)!;
    pushCommit(fake.state, 'perf-lab-data', fake.state.git.trees.get(commit.tree)!, { parent: fake.state.git.refs.get('heads/perf-lab-data')! });
    await run(at);
    expect(body()).toMatch(/### The history\n\n- 1 commit on `perf-lab-data` since the last run is not of this workflow: .*\n- A note\.\n- Another\.\n\n/);
  });

  it('without_a_journal_is_red_and_says_where_the_reason_is', async () => {
    const at = ready();
    fs.rmSync(at.path('trend/weekly/samples.ndjson'));
    expect(await run(at)).toBe(1);
    expect(body()).toContain('- No journal of this week can be used; the log of the job `look` says why.');
    const failed = ready({ PERF_LAB_RESULT_MEASURE: 'failure' });
    fs.rmSync(failed.path('trend/weekly/samples.ndjson'));
    await run(failed);
    expect(body()).not.toContain('No journal of this week');
    expect(body()).toContain('Last success: none yet');
  });

  it('of_a_week_that_failed_and_was_measured_is_red', async () => {
    expect(await run(ready({ PERF_LAB_RESULT_CONFIRM: 'failure' }))).toBe(1);
    expect(body()).toContain('### no change found in 1');
    expect(body()).toContain('Last success: none yet');
  });

  it('is_of_the_day_of_the_newest_session', async () => {
    await run(ready({}, { ...trendOf(), newest: null }));
    expect(body()).toContain(`- Last success: ${new Date().toISOString().slice(0, 10)}.`);
  });

  it('says_nothing_of_the_history_when_there_is_nothing_to_say', async () => {
    await run(ready());
    expect(body()).not.toContain('### The history\n\n- ');
    const failed = ready({ PERF_LAB_RESULT_TOOLS: 'failure' });
    fs.rmSync(failed.path('trend'), { recursive: true });
    await run(failed);
    expect(body()).not.toContain('### The history\n\n- ');
  });

  it('names_no_commits_where_none_were_chosen', async () => {
    await run(ready({ PERF_LAB_HEAD: '' }));
    expect(body()).not.toContain('against the anchor [');
  });

  it('of_a_journal_that_can_not_be_judged_is_red', async () => {
    const at = ready();
    at.write('comparison.answer', '');
    expect(await run(at)).toBe(1);
    expect(body()).toContain('- No journal of this week can be used; the log of the job `look` says why.');
  });

  it('takes_no_experiment_without_a_plan_of_one', async () => {
    const at = ready({ PERF_LAB_CONFIRM_SAMPLES_ID: '77', PERF_LAB_CONFIRM_SAMPLES_DIGEST: '0'.repeat(64) });
    await run(at);
    expect(body()).not.toContain('does not count');
    expect(fake.seen.some(({ path }) => path.includes('/artifacts/'))).toBe(false);
  });
});
