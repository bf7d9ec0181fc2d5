import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inLine } from '../src/gate/accept.ts';
import { readEvent } from '../src/gate/event.ts';
import { chooseNames, readConfig } from '../src/request/names.ts';
import { Refusal } from '../src/request/refusal.ts';
import { readLabConfig } from '../src/request/lab-config.ts';
import { NO_WORDS, type Words } from '../src/request/words.ts';
import { stateLine, type Stage } from '../src/thread/state.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BASE, BOT, HEAD, newRun, WRITTEN, type Pull } from './fake/state.ts';
import { comment, CONFIG, Job, ownComments, runGate } from './support/lab.ts';
import { expectRefusal } from './support/refusal.ts';
import { Journey, summary } from './support/request.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const pull = (): Pull => fake.state.pulls.get(5)!;
const later = { env: { GITHUB_RUN_ID: '901' } };
const refusalOf = (act: () => unknown): Refusal => {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};
/** A comment of ours about a request of alice, and its run. */
const earlier = (run: number, { stage = 'measuring', base = BASE, head = HEAD, command = '/benchmark pr', at = WRITTEN, request = run, status = 'in_progress' } = {}): void => {
  const id = ++fake.state.lastId;
  const state = stateLine({ stage: stage as Stage, run, attempt: 1, requester: 42, base, head, machine: 'azure-d4s', command });
  fake.state.comments.push({ id, node_id: `IC_${id}`, issue: 5, body: `<!-- perf-lab:v1 pr=5 req=${request} -->\n${state}\ntext`, user: BOT, created_at: at, updated_at: at });
  fake.state.runs.push({ ...newRun(run), status });
};

describe('names of a command', () => {
  const named = (words: Partial<Words>, config = CONFIG) => chooseNames({ ...NO_WORDS, ...words }, readLabConfig(config));
  const bare = CONFIG.replace('suite: pr, machine: azure-d4s, ', '');
  it('are_filled_in_from_the_file', () => {
    expect(named({})).toEqual({ words: { ...NO_WORDS, suite: 'pr' }, machine: 'azure-d4s', kind: 'azure', runsOn: null });
    expect(named({ workloads: ['a'] }).words.suite).toBeNull();
    expect(named({ suite: 'quick', machine: 'ryzen' })).toMatchObject({ words: { suite: 'quick' }, machine: 'ryzen', kind: 'metal' });
  });
  it('must_be_given_where_the_file_has_none', () => {
    expect(refusalOf(() => named({}, bare)).sentences).toEqual([
      'Name a suite or `--workload`: `perf-lab.yaml` has no `github.suite` for a bare command.', 'Name a `--machine`: `perf-lab.yaml` has no `github.machine` for a bare command.',
    ]);
    expect(refusalOf(() => named({ workloads: ['a'] }, bare)).sentences).toEqual(['Name a `--machine`: `perf-lab.yaml` has no `github.machine` for a bare command.']);
  });
  it('need_no_machine_where_there_is_one_only', () => {
    const one = bare.replace('  ryzen: { kind: metal }\n', '');
    expect(named({ suite: 'pr' }, one).machine).toBe('azure-d4s');
  });
  it('that_nobody_knows_are_refused_with_the_help_and_the_nearest', () => {
    const refusal = refusalOf(() => named({ suite: 'quik', machine: 'zzzzzz' }));
    expect([refusal.code, refusal.withHelp]).toEqual(['unknown-name', true]);
    expect(refusal.sentences).toEqual(['`quik` is no suite of this lab. Did you mean `quick`?', '`zzzzzz` is no machine of this lab.']);
  });
  it.each([['abcdef1', true], ['abcdef12345', true], ['abcdef', false], ['abcdef123456a', false], ['xabcdef1', false]])('that_may_be_a_commit_say_so: %s', (suite, isOne) => {
    expect(refusalOf(() => named({ suite })).sentences[0]!.includes('12 digits')).toBe(isOne);
  });
  it('come_from_a_file_that_is_told_when_it_is_wrong', () => {
    const job = new Job(fake);
    const wrong = Array.from({ length: 12 }, (_, i) => `  Bad${i}: { workloads: [a] }`).join('\n');
    const refusal = refusalOf(() => readConfig(job.write('perf-lab.yaml', `schema: perf-lab/config/1\nsuites:\n${wrong}\n`)));
    expect([refusal.code, refusal.sentences.length]).toEqual(['lab-config', 11]);
    expect(() => readConfig(job.folder)).toThrow('EISDIR');
  });
});

describe('an event', () => {
  const read = (change: (event: any) => void, name = 'issue_comment') => {
    const event = comment(fake, '/benchmark') as any;
    change(event);
    return readEvent(new Job(fake).write('event.json', JSON.stringify(event)), name, BOT.id);
  };
  it('is_a_comment', () => { expect(read(() => {})).toEqual({ pullRequest: 5, commentId: 1001, body: '/benchmark', userId: 42 }); });
  it.each<[string, (event: any) => void, string]>([
    ['only new comments count', event => { event.action = 'edited'; }, 'issue_comment'], ['an issue, not a pull request', event => { delete event.issue.pull_request; }, 'issue_comment'],
    ['written by a bot', event => { event.comment.user.type = 'Bot'; }, 'issue_comment'], ['written by a bot', event => { event.comment.user.id = BOT.id; }, 'issue_comment'], ['the event is not issue_comment', () => {}, 'issues'],
  ])('is_ignored_with_the_reason: %s', (why, change, name) => { expect(read(change, name)).toEqual({ ignored: expect.stringContaining(why) as string }); });
});

describe('the comment, read again', () => {
  const answer = (status: number): void => { fake.fault = call => (call.method === 'GET' && /\/issues\/comments\/\d+$/.test(call.path) ? { status, json: { message: 'Gone' } } : undefined); };
  it('is_gone_for_410_too', async () => { answer(410); await expectRefusal(fake, 'comment-gone', comment(fake, '/benchmark')); });
  it('is_not_gone_because_github_fails', async () => { answer(403); await expect(runGate(fake, comment(fake, '/benchmark'))).rejects.toThrow('Gone'); });
  it.each([null, { id: 43, login: 'mallory' }])('of_nobody_or_somebody_else_is_refused: %j', async user => {
    const event = comment(fake, '/benchmark'), { issue, ...stands } = fake.state.comments[0]!;
    fake.fault = call => (call.method === 'GET' && /\/issues\/comments\/\d+$/.test(call.path) ? { status: 200, json: { ...stands, user, issue_url: `https://api.github.com/repos/example/library/issues/${issue}` } } : undefined);
    await expectRefusal(fake, 'comment-differs', event);
  });
});

describe('who may', () => {
  it('is_nobody_when_the_account_is_gone', async () => {
    fake.fault = call => (call.path.endsWith('/permission') ? { status: 200, json: { permission: 'admin', user: null } } : undefined);
    await expectRefusal(fake, 'requester-changed', comment(fake, '/benchmark'));
  });
  it('is_told_where_the_rule_stands', async () => {
    pull().head.repo = { id: 666, pushed_at: '2026-11-20T09:00:00Z' };
    expect(await expectRefusal(fake, 'fork-needs-permission', comment(fake, `/benchmark ${HEAD}`))).toContain('(perf-lab.yaml, `github.fork-permission`)');
  });
  it('gets_no_grammar_when_the_grammar_was_right', async () => {
    pull().state = 'closed';
    const reply = await expectRefusal(fake, 'pull-request-closed', comment(fake, '/benchmark'));
    expect(reply).not.toContain('/benchmark cancel | status | help');
    expect(reply).toContain('\n\nThe pull request is closed. Reopen it, then write the command again.\n\n');
  });
});

describe('which commit', () => {
  const SHA = `${'a'.repeat(20)}${'b'.repeat(20)}`;
  beforeEach(() => { pull().head.sha = SHA; fake.state.mergeBases.set(`${'c'.repeat(40)}...${SHA}`, BASE); });
  it('is_told_by_its_first_digits_and_not_by_its_last', async () => {
    await expectRefusal(fake, 'sha-is-not-head', comment(fake, `/benchmark ${'b'.repeat(12)}`));
    expect((await runGate(fake, comment(fake, `/benchmark ${'a'.repeat(12)}`))).request.head).toBe(SHA);
  });
  it.each([404, 409, 422])('is_ambiguous_when_github_answers_%i', async status => {
    fake.fault = call => (/\/commits\/a{12}$/.test(call.path) ? { status, json: { message: 'no' } } : undefined);
    await expectRefusal(fake, 'sha-ambiguous', comment(fake, `/benchmark ${'a'.repeat(12)}`));
  });
  it('is_no_decision_when_github_refuses_to_tell', async () => {
    fake.fault = call => (/\/commits\/a{12}$/.test(call.path) ? { status: 403, json: { message: 'Resource not accessible' } } : undefined);
    await expect(runGate(fake, comment(fake, `/benchmark ${'a'.repeat(12)}`))).rejects.toThrow('not accessible');
  });
  it('has_a_base_that_was_changed_in_the_second_of_the_comment', async () => {
    fake.state.events.push({ issue: 5, event: 'base_ref_changed', created_at: WRITTEN });
    await expectRefusal(fake, 'base-changed', comment(fake, '/benchmark'));
  });
  it('has_a_base_that_no_other_event_changes', async () => {
    fake.state.events.push({ issue: 5, event: 'head_ref_force_pushed', created_at: '2026-11-20T10:00:10Z' });
    expect((await runGate(fake, comment(fake, '/benchmark'))).code).toBe(0);
  });
  it('is_not_unrelated_because_github_fails', async () => {
    fake.fault = call => (call.path.includes('/compare/') ? { status: 403, json: { message: 'Resource not accessible' } } : undefined);
    await expect(runGate(fake, comment(fake, '/benchmark'))).rejects.toThrow('not accessible');
  });
});

describe('how often', () => {
  const asked = (count: number, more: Parameters<typeof earlier>[1] = {}): void => { for (let i = 0; i < count; i++) earlier(100 + i, { stage: 'done', status: 'completed', ...more }); };
  const callsForRuns = (): number => fake.calls().filter(call => call === 'GET /actions/runs/:id').length;
  it('is_not_asked_while_it_can_not_matter', async () => {
    asked(9);
    await runGate(fake, comment(fake, '/benchmark'));
    expect(callsForRuns()).toBe(1);    // our own
  });
  it('is_asked_until_the_limit_and_no_further', async () => {
    asked(15);
    await expectRefusal(fake, 'user-limit', comment(fake, '/benchmark'));
    expect(callsForRuns()).toBe(11);
  });
  it('does_not_count_what_the_same_comment_asked_before', async () => {
    asked(9);
    const event = comment(fake, '/benchmark');
    earlier(900, { request: event.comment.id });
    expect((await runGate(fake, event)).outputs['decision']).toBe('run');
  });
  it('counts_24_hours_to_the_second', async () => {
    asked(10, { at: '2026-11-19T10:00:20Z' });    // the clock of the gate is 20 seconds further than the comment
    await expectRefusal(fake, 'user-limit', comment(fake, '/benchmark'));
    fake.reset();
    asked(10, { at: '2026-11-19T10:00:19Z' });
    expect((await runGate(fake, comment(fake, '/benchmark'))).outputs['decision']).toBe('run');
  });
});

describe('the same request', () => {
  it.each<[string, Parameters<typeof earlier>[1]]>([['another head', { head: 'd'.repeat(40) }], ['another base', { base: 'd'.repeat(40) }], ['other words', { command: '/benchmark quick' }]])('is_another_one_with_%s', async (_, how) => {
    earlier(700, how);
    expect((await runGate(fake, comment(fake, '/benchmark'))).outputs['decision']).toBe('run');
  });
  it('is_led_to_the_first_and_its_own_comment_goes', async () => {
    earlier(700);
    expect((await runGate(fake, comment(fake, '/benchmark'))).outputs['code']).toBe('already-running');
    expect(ownComments(fake).filter(body => body.includes(' req='))).toHaveLength(1);
  });
  it('gives_way_to_a_comment_that_came_before_its_own_in_the_same_moment', async () => {
    fake.fault = call => {
      if (call.method === 'POST' && call.path.endsWith('/issues/5/comments') && fake.state.runs.length === 2) earlier(700);
      return undefined;
    };
    expect((await runGate(fake, comment(fake, '/benchmark'))).outputs['code']).toBe('already-running');
    expect(ownComments(fake).filter(body => body.includes(' req='))).toEqual([expect.stringContaining('run=700 ')]);
  });
  it.each([[null, []], [0, ['nobody holds `x` or waits for it']], [1, ['1 request before this one holds `x` or waits for it']], [2, ['2 requests before this one hold `x` or wait for it']]])('waits_in_a_line_of_%j', (requests, told) => { expect(inLine(requests, 'x')).toEqual(told); });
});

describe('what is answered at once', () => {
  it('status_lists_the_last_five', async () => {
    for (let i = 0; i < 7; i++) earlier(100 + i, { stage: 'done', status: 'completed' });
    await runGate(fake, comment(fake, '/benchmark status'), later);
    const lines = ownComments(fake).at(-1)!.split('\n').filter(line => line.startsWith('- '));
    expect(lines).toHaveLength(5);
    expect(lines[0]).toContain('#issuecomment-1007)');
  });
  it('status_believes_no_other_workflow_and_says_so_when_there_is_nothing', async () => {
    earlier(100);
    fake.state.runs.at(-1)!.workflow_id = 4;
    await runGate(fake, comment(fake, '/benchmark status'), later);
    expect(ownComments(fake).at(-1)!.split('\n')).toContain('Nothing was asked for on this pull request yet.');
    expect(ownComments(fake).at(-1)).not.toContain('- [');
    expect(ownComments(fake).at(-1)).not.toContain('changed');
  });
  it('cancel_never_finds_the_run_that_asks', async () => {
    earlier(901);
    fake.state.runs = fake.state.runs.filter((run, i) => run.id !== 901 || i > 1);
    expect((await runGate(fake, comment(fake, '/benchmark cancel'), later)).outputs['code']).toBe('nothing-to-cancel');
  });
});

describe('accept', () => {
  const verdict = async (report: string): Promise<void> => {
    await (await Journey.accepted(fake)).journal().runner({ comparison: summary({ regressed: 2 }), report }).publish();
    fake.state.runs[0]!.status = 'completed';
  };
  const rows = async (table: string): Promise<string> => {
    await verdict(`**2 regressed**\n\n${table}\n`);
    await runGate(fake, comment(fake, '/benchmark accept fine'), later);
    return /Rows: (.*)\.$/m.exec(ownComments(fake)[0]!)?.[1] ?? '';
  };
  it('names_cell_and_arm_and_each_once', async () => {
    expect(await rows('| 🔴 **8.0 % slower**<br>7.1 to 8.8 % | `a / x`<br>`net8.0` | 1 → 2 ms |\n| 🔴 **8.0 % slower** | `a / x`<br>`net8.0` | 1 → 2 ms |\n| 🔴 **2.0x slower** | `b` | 1 → 2 ms |')).toBe('`a / x` `net8.0`, `b`');
  });
  it('names_a_row_whole_that_a_phone_may_break', async () => {
    expect(await rows('| 🔴 **2.0x slower**<br>in 2 of 2 sessions | `MessageTemplate`<wbr>`ParsingBenchmarks.`<wbr>`Parse` | 1 → 2 ms |')).toBe('`MessageTemplateParsingBenchmarks.Parse`');
  });
  it('names_rows_that_are_folded', async () => {
    expect(await rows('<details><summary>1 more cell: 1 regressed</summary>\n\n| change | cell | base → head |\n| --- | --- | --- |\n| 🔴 **2.0x slower** | `b` | 1 → 2 ms |\n\n</details>')).toBe('`b`');
  });
  it.each([
    ['in a quotation', '> | 🔴 **8 % slower** | `a` | 1 → 2 |'], ['behind a table', 'x | 🔴 **8 % slower** | `a` | 1 → 2 |'], ['without the mark', '| **8 % slower** | `a` | 1 → 2 |'], ['with more behind it', '| 🔴 **8 % slower** | `a` | 1 → 2 | x'],
    ['improved', '| 🟢 **8 % faster** | `a` | 1 → 2 |'], ['with its mark in the name', '| ⚪ no change | `🔴 | a` | 1 → 2 |'], ['with words for a name', '| 🔴 **8 % slower** | a | 1 → 2 |'],
  ])('takes_no_row_that_is_none: %s', async (_, table) => { expect(await rows(`${table}\n| 🔴 **3 % slower** | \`b\` | 1 → 2 ms |`)).toBe('`b`'); });
  it('names_twenty_rows_without_counting_none', async () => {
    expect((await rows(Array.from({ length: 20 }, (_, i) => `| 🔴 **8 % slower** | \`r${i}\` | 1 → 2 ms |`).join('\n'))).endsWith('`r19`')).toBe(true);
  });
  it('links_the_run_that_measured', async () => {
    await rows('| 🔴 **3 % slower** | `b` | 1 → 2 ms |');
    expect(fake.state.checks[0]).toMatchObject({ conclusion: 'success', details_url: 'https://github.com/example/library/actions/runs/900', external_id: '1001' });
    expect(fake.state.checks).toHaveLength(1);
  });
});
