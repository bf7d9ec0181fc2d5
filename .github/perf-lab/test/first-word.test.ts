import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseCommand } from '../src/request/command.ts';
import { readWord, spoken } from '../src/request/first-word.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { comment, Job, ownComments, runGate } from './support/lab.ts';
import { Journey, summary } from './support/request.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const env = { PERF_LAB_WORD: '/perf' };

describe('another first word', () => {
  it('is_heard_in_place_of_ours', async () => {
    expect((await runGate(fake, comment(fake, '/benchmark'), { env })).outputs).toEqual({ decision: 'ignored' });
    expect((await runGate(fake, comment(fake, '/perfect'), { env })).outputs).toEqual({ decision: 'ignored' });
    const { outputs, request } = await runGate(fake, comment(fake, '/perf pr --pgo on'), { env });
    expect(outputs).toMatchObject({ decision: 'run' });
    expect(request).toMatchObject({ word: '/perf', words: { suite: 'pr', pgo: ['on'] } });
  });
  it('stands_in_everything_that_is_shown_and_in_nothing_that_is_read_again', async () => {
    await runGate(fake, comment(fake, '/perf help'), { env });
    await runGate(fake, comment(fake, '/perf nothing'), { env: { ...env, GITHUB_RUN_ID: '901' } });
    const journey = (await Journey.accepted(fake, { text: '/perf', env })).journal().runner({ comparison: summary({ regressed: 1 }), report: '**1 regressed**\n' });
    await journey.status('plan');
    const shown = (): string => [...ownComments(fake), ...fake.state.checks.map(({ output }) => output?.summary ?? ''), journey.job.read('summary')].join('\n');
    expect(shown()).toContain('`/perf cancel` stops it.');
    expect(shown()).not.toContain('/benchmark');
    await journey.publish();
    expect(shown()).toContain('`/perf rerun` repeats it; `/perf help` says what else can be asked.');
    expect(shown()).not.toContain('/benchmark');
    expect((await runGate(fake, comment(fake, '/perf rerun'), { env: { ...env, GITHUB_RUN_ID: '901' } })).outputs).toMatchObject({ decision: 'run' });
  });
  it('stays_as_it_is_in_paths_and_hidden_lines', () => {
    expect(spoken('<!-- /benchmark -->\n`/benchmark`, a/benchmark, /benchmarks, (/benchmark pr)', '/perf')).toBe('<!-- /benchmark -->\n`/perf`, a/benchmark, /benchmarks, (/perf pr)');
    expect([spoken('`/benchmark`', undefined), spoken('`/benchmark`', '/benchmark')]).toEqual(['`/benchmark`', '`/benchmark`']);
  });
  it('is_one_of_a_second_line_too', () => {
    expect(parseCommand('/perf\n/perf pr', '/perf')).toMatchObject({ kind: 'wrong', code: 'command-form' });
    expect(parseCommand('/perf\n/benchmark pr', '/perf')).toMatchObject({ kind: 'run' });
  });
  it.each(['perf', 'x/perf', '/', '/Perf', '/a b', `/a${'b'.repeat(39)}`, '/perf\n'])('is_of_a_closed_form: %j', word => { expect(() => readWord(word)).toThrow('a slash and up to 39 small letters'); });
  it('is_benchmark_where_nothing_is_said', () => { expect([readWord(''), readWord(undefined), readWord('/perf-2')]).toEqual(['/benchmark', '/benchmark', '/perf-2']); });
});
