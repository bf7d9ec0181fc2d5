import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readLabConfig } from '../src/request/lab-config.ts';
import { inWords, readEstimate } from '../src/request/plan.ts';
import { clock } from '../src/thread/bodies.ts';
import { helpText } from '../src/thread/help.ts';
import { linkToBoth, linkToComment } from '../src/thread/links.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { CONFIG, Job, ownComments } from './support/lab.ts';
import { Journey, sha256 } from './support/request.ts';
import { at } from './support/trend.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

describe('problems of a plan', () => {
  const told = async (printed: string, text = '/benchmark'): Promise<string[]> => {
    const journey = await Journey.accepted(fake, { text });
    journey.job.problems(printed);
    expect(await journey.status('problems')).toBe(46);
    return ownComments(fake)[0]!.split('<details>')[0]!.split('\n').filter(line => line.startsWith('- ') && !/^- (suites|machines): /.test(line));
  };
  const many = (count: number): string => Array.from({ length: count }, (_, i) => `perf-lab: problem ${i}`).join('\n');

  it('are_told_thirty_at_a_time', async () => {
    expect(await told(many(30))).toHaveLength(30);
    fake.reset();
    const rows = await told(many(32));
    expect([rows.length, rows[29], rows[30]]).toEqual([31, '- `problem 29`', '- and 2 more']);
  });
  it('are_told_without_empty_lines_and_without_our_own_name', async () => { expect(await told('perf-lab: one\n\n  \n  two  \nx perf-lab: three\n')).toEqual(['- `one`', '- `two`', '- `x perf-lab: three`']); });
  it('are_read_up_to_a_size', async () => { expect(await told(`${'x'.repeat(63_998)}\nyz`)).toEqual([`- \`${'x'.repeat(399)}…\``, '- `y`']); });
  it.each<[string, string, string]>([
    ['/benchmark --runtime net99.0', 'runtime: \'net99.0\' is not known', '- `--runtime`: `runtime: \'net99.0\' is not known`'], ['/benchmark --runtime net99.0', 'net99.0: what is that', '- `--runtime`: `net99.0: what is that`'],
    ['/benchmark --runtime net99.0', 'x and \'net99.0\'', '- `--runtime`: `x and \'net99.0\'`'], ['/benchmark --runtime net99.0', 'x and \'net8.0\'', '- `x and \'net8.0\'`'], ['/benchmark --runtime net99.0', 'gc: x', '- `gc: x`'], ['/benchmark', 'runtime: x', '- `runtime: x`'],
    ['/benchmark --gc a --runtime b,c', 'x: \'c\', \'d\'', '- `--runtime`: `x: \'c\', \'d\'`'],
  ])('name_the_flag_that_was_typed: %s: %s', async (text, printed, row) => { expect(await told(printed, text)).toEqual([row]); });
  it('come_with_help_and_end_the_request', async () => {
    await told('one');
    expect(ownComments(fake)[0]).toContain('### perf-lab: refused (plan-problems)\n\nThe command can\'t be carried out:\n\n- `one`\n\n```text\n/benchmark [<suite>]');
    expect(fake.state.checks).toMatchObject([{ status: 'completed', conclusion: 'neutral', output: { title: 'refused: plan-problems', summary: expect.stringContaining('- `one`') } }]);
  });
  it('end_the_check_that_the_gate_began_without_looking_for_it', async () => {
    const before = fake.seen.length;
    await told('one');
    expect(fake.calls().slice(before).filter(call => call.includes('check-runs')).filter(call => call.startsWith('GET'))).toHaveLength(1);    // the gate's own
    expect(fake.state.checks).toHaveLength(1);
  });
  it('are_in_the_summary_and_the_outputs_of_the_job', async () => {
    const journey = await Journey.accepted(fake), { job } = journey;
    job.problems('one');
    await journey.status('problems');
    expect([job.outputs['decision'], job.outputs['code']]).toEqual(['refused', 'plan-problems']);
    expect(job.read('summary')).toContain('### perf-lab: refused (plan-problems)\n\nThe command');
  });
});

it('a_step_that_is_none_is_told_with_those_that_are', async () => {
  const written: string[] = [], journey = await Journey.accepted(fake);
  const write = vi.spyOn(process.stderr, 'write').mockImplementation(text => { written.push(String(text)); return true; });
  try {
    expect(await journey.status('plans')).toBe(2);
  } finally {
    write.mockRestore();
  }
  expect(written).toEqual(['perf-lab: status takes one of plan, problems, waiting, listed, measuring, measured\n']);
});

describe('progress', () => {
  it('of_one_machine_names_no_number_of_machines', async () => {
    const journey = await Journey.accepted(fake);
    await journey.status('measuring');
    expect(ownComments(fake)[0]!.split('\n').filter(line => line.startsWith('- ')).slice(2)).toEqual(['- machine `azure-d4s`', '- expected end: 10:15 UTC to 10:30 UTC', expect.stringContaining('[live log]')]);
  });
  it('says_that_the_request_goes_on', async () => {
    const journey = await Journey.accepted(fake);
    journey.job.write('output', '');    // what the gate said
    await journey.status('plan');
    expect(journey.job.outputs).toEqual({ decision: 'run' });
  });
  const end = async (leastSeconds: number, mostSeconds: number): Promise<string> => {
    const journey = await Journey.accepted(fake), plan = JSON.stringify({ schema: 'perf-lab/plan/1', plan: { cells: [{}], estimate: { leastSeconds, mostSeconds } } });
    Object.assign(journey.job.env, { PERF_LAB_PLAN: journey.job.write('plan.json', plan), PERF_LAB_PLAN_DIGEST: sha256(plan) });
    await journey.status('measuring');
    return ownComments(fake)[0]!;
  };
  it('expects_an_end_between_two_times_or_at_one', async () => {
    expect(await end(900, 1800)).toContain('- expected end: 10:15 UTC to 10:30 UTC\n');
    fake.reset();
    expect(await end(900, 910)).toContain('- expected end: 10:15 UTC\n');
  });
  it('stands_in_the_check_and_the_outputs', async () => {
    const journey = await Journey.accepted(fake);
    await journey.status('plan');
    expect(fake.state.checks).toMatchObject([{ status: 'in_progress', output: { title: 'building', summary: expect.stringContaining('estimate: 15 to 30 minutes') } }]);
    expect(journey.job.outputs['decision']).toBe('run');
    expect(ownComments(fake)[0]).toContain('\n### perf-lab: building\n\naccepted → **building** → waiting → measuring → verdict\n\n- command: `/benchmark pr`\n- head [`');
  });
  it('has_a_clock_of_hours_and_minutes', () => { expect(clock(Date.parse('2026-11-20T14:05:59Z'))).toBe('14:05 UTC'); });
});

describe('an estimate', () => {
  it.each<[Parameters<typeof inWords>[0], string]>([
    [{ leastMinutes: 11.2, mostMinutes: 30.1, cells: 4, cost: 0.104, machines: 1 }, '12 to 31 minutes for 4 cells, at most 0.10 in the subscription\'s currency'], [{ leastMinutes: 11.2, mostMinutes: 11.9, cells: 1, cost: null, machines: 1 }, '12 minutes for 1 cell'],
  ])('is_told_in_whole_minutes: %j', (estimate, words) => { expect(inWords(estimate)).toBe(words); });
  it('is_of_the_machine_and_its_price', () => {
    const job = new Job(fake), config = readLabConfig(CONFIG), plan = JSON.stringify({ schema: 'perf-lab/plan/1', plan: { cells: [{}, {}], estimate: { leastSeconds: 90, mostSeconds: 7200 } } });
    const of = (machine: string) => readEstimate(job.write('plan.json', plan), sha256(plan), config, machine);
    expect(of('azure-d4s')).toEqual({ leastMinutes: 1.5, mostMinutes: 120, cells: 2, cost: 0.38, machines: 1 });
    expect([of('ryzen').cost, of('moon').cost]).toEqual([null, null]);
  });
  it('of_an_open_plan_comes_when_its_benchmarks_are_listed', () => {
    const plan = JSON.stringify({ schema: 'perf-lab/plan/1', plan: { unlisted: ['My.Benchmarks', 'My.Others'], cells: [{}], estimate: { leastSeconds: 90, mostSeconds: 7200 } } });
    expect(inWords(readEstimate(new Job(fake).write('plan.json', plan), sha256(plan), readLabConfig(CONFIG), 'ryzen'))).toBe('when the benchmarks are built and listed');
  });
});

describe('help', () => {
  const of = (text: string): string[] => helpText(readLabConfig(`schema: perf-lab/config/1\n${text}`)).split('\n').slice(-2);
  it('lists_the_names_of_this_repository', () => {
    expect(helpText(readLabConfig(CONFIG)).split('\n').slice(-2)).toEqual(['- suites: `quick`, `pr`; without one: `pr`', '- machines: `azure-d4s`, `ryzen`; without one: `azure-d4s`']);
    expect(of('')).toEqual(['- suites: none', '- machines: none']);
  });
  it('lists_a_hundred_names_and_how_many_more', () => {
    const suites = (count: number): string => of(`suites:\n${Array.from({ length: count }, (_, i) => `  s${i}: {}\n`).join('')}`)[0]!;
    expect([suites(100).match(/`s\d+`/g)!.length, suites(100).includes(' more')]).toEqual([100, false]);
    expect([suites(102).match(/`s\d+`/g)!.length, suites(102).endsWith('`s99` and 2 more, all in `perf-lab.yaml`')]).toEqual([100, true]);
  });
  it('says_what_each_word_of_the_command_does_in_a_fold', () => {
    const [, shown, folded] = /^```text\n([^]*?)\n```\n[^]*?<details><summary>What each word does<\/summary>\n\n([^]*?)\n\n<\/details>\n\n/.exec(helpText(readLabConfig(CONFIG)))!;
    const words = [...shown!.matchAll(/--[a-z-]+|<[a-z ]+>|\b(?:cancel|status|rerun|confirm|accept)\b/g)].map(([word]) => word);
    expect(new Set(words).size).toBe(20);
    for (const word of words) expect(folded, word).toMatch(new RegExp(`^- .*\`${word}[^a-z-].*: [a-z].{12,}$`, 'm'));
  });
  it('is_given_without_a_perf_lab_yaml', () => {
    expect(helpText(null)).toContain('/benchmark accept REASON\n```\nThe first line');
    expect(helpText(null).split('\n').at(-1)).toBe('`perf-lab.yaml` of the default branch can\'t be read, so its suites and machines are not listed.');
  });
});

describe('links', () => {
  it('name_comments_and_commits', () => {
    expect(linkToComment(at, 5, 77)).toBe('https://github.com/example/library/pull/5#issuecomment-77');
    const [base, head] = ['a'.repeat(40), 'b'.repeat(40)], link = (sha: string): string => `[\`${sha.slice(0, 12)}\`](https://github.com/example/library/commit/${sha})`;
    expect(linkToBoth(at, { base, head })).toBe(`head ${link(head)} against its merge base ${link(base)} ([compare](https://github.com/example/library/compare/${base}...${head}))`);
  });
});
