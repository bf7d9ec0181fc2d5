import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseCommand } from '../src/request/command.ts';
import { commandLine } from '../src/request/words.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { HEAD } from './fake/state.ts';
import { comment, Job, runGate } from './support/lab.ts';
import { expectRefusal } from './support/refusal.ts';
import { Journey, summary } from './support/request.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const later = { env: { GITHUB_RUN_ID: '901' } };
const problems = (body: string): string => { const command = parseCommand(body); return command.kind === 'wrong' ? command.problems.join(' ') : `accepted as ${command.kind}`; };

describe('confirm', () => {
  it('measures_the_last_request_at_least_twice', async () => {
    await runGate(fake, comment(fake, '/benchmark quick --pgo off'));
    fake.state.runs[0]!.status = 'completed';
    const { request } = await runGate(fake, comment(fake, '/benchmark confirm'), later);
    expect(request.words).toMatchObject({ suite: 'quick', pgo: ['off'], machine: null, sessions: 2 });
  });
  it('keeps_more_sessions_and_takes_another_machine', async () => {
    await runGate(fake, comment(fake, '/benchmark quick --sessions 3'));
    fake.state.runs[0]!.status = 'completed';
    const { request, outputs } = await runGate(fake, comment(fake, '/benchmark confirm --machine ryzen'), later);
    expect(request.words).toMatchObject({ suite: 'quick', machine: 'ryzen', sessions: 3 });
    expect(outputs['machine']).toBe('ryzen');
  });
  it.each([['rerun', { within: 1.5, sessions: null }], ['confirm', { within: null, rounds: null, sessions: 2 }]])('measures_fixed_rounds_where_the_last_request_had_minutes_and_rerun_its_minutes: %s', async (verb, words) => {
    await runGate(fake, comment(fake, '/benchmark quick --within 90s'));
    fake.state.runs[0]!.status = 'completed';
    expect((await runGate(fake, comment(fake, `/benchmark ${verb}`), later)).request.words).toMatchObject({ suite: 'quick', ...words });
  });
  it('stays_on_the_machine_of_the_last_request_when_it_names_none', async () => {
    await runGate(fake, comment(fake, '/benchmark quick --machine ryzen'));
    fake.state.runs[0]!.status = 'completed';
    expect((await runGate(fake, comment(fake, '/benchmark confirm'), later)).outputs['machine']).toBe('ryzen');
  });
  it('is_more_than_rerun_which_measures_as_often_as_before', async () => {
    await runGate(fake, comment(fake, '/benchmark quick'));
    fake.state.runs[0]!.status = 'completed';
    expect((await runGate(fake, comment(fake, '/benchmark rerun'), later)).request.words).toMatchObject({ suite: 'quick', sessions: null });
  });
  it('without_an_earlier_request_is_refused', async () => { await expectRefusal(fake, 'nothing-to-rerun', comment(fake, '/benchmark confirm')); });
  it('takes_a_machine_and_a_commit_and_nothing_else', () => {
    expect(parseCommand(`/benchmark confirm --machine ryzen ${HEAD}`)).toEqual({ kind: 'confirm', machine: 'ryzen', sha: HEAD });
    for (const more of ['pr', '--pgo on', '--rounds 0+20', '--sessions 3', '--within 10m', '--runtime net8.0']) expect(problems(`/benchmark confirm ${more}`)).toContain('takes the words of the last request');
    expect(problems('/benchmark confirm --machine')).toContain('needs a value');
    expect(problems('/benchmark pr confirm')).toContain('goes alone');
  });
  it.each(['0', '11', '-1', '1e1', '2.0', '٣', '999'])('sessions_are_a_number_from_1_to_10: %s', count => {
    expect(problems(`/benchmark --sessions ${count}`)).toMatch(/not a number from 1 to 10|plain ASCII/);
  });
  it('one_session_is_enough', () => { expect(parseCommand('/benchmark --sessions 1')).toMatchObject({ kind: 'run', words: { sessions: 1 } }); });
  it('sessions_are_written_again', () => {
    const command = parseCommand('/benchmark pr --sessions 10');
    expect(command.kind === 'run' ? commandLine(command.words) : '').toBe('/benchmark pr --sessions 10');
  });
});

describe('what did not hold', () => {
  it('is_neither_green_nor_red_and_says_why', async () => {
    const journey = (await Journey.accepted(fake)).journal().runner({ comparison: summary({ unchanged: 3, doesNotHold: 1 }), report: '**1 did not hold when measured again**\n' });
    journey.job.env['PERF_LAB_FAIL_ON'] = 'regression';
    await journey.publish();
    expect(fake.state.checks).toMatchObject([{ conclusion: 'neutral', output: { title: '1 did not hold when measured again' } }]);
    expect(fake.state.checks[0]!.output!.summary).toContain('flagged once and not again');
  });
});
