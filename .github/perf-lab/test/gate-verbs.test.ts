import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { HEAD, type Pull } from './fake/state.ts';
import { comment, CONFIG, Job, MALLORY, ownComments, runGate } from './support/lab.ts';
import { expectRefusal } from './support/refusal.ts';
import { Journey, summary } from './support/request.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const pull = (): Pull => fake.state.pulls.get(5)!;
const later = { env: { GITHUB_RUN_ID: '901' } };
const fork = (): void => { pull().head.repo = { id: 666, pushed_at: '2026-11-20T09:00:00Z' }; fake.state.permissions.set('alice', 'admin'); };

/** Whatever is wrong with the pull request or with perf-lab.yaml. */
const STATES: readonly [string, () => void, string | undefined][] = [
  ['closed', () => { pull().state = 'closed'; }, undefined],
  ['a draft', () => { pull().draft = true; }, undefined],
  ['of a deleted fork', () => { pull().head.repo = null; }, undefined],
  ['beside a broken perf-lab.yaml', () => {}, 'schema: perf-lab/config/1\nsuites: {'],
  ['beside a wrong perf-lab.yaml', () => {}, CONFIG.replace('minutes: 120', 'minutes: soon')],
];

describe('verbs', () => {
  it('help_and_status_are_answered_in_place', async () => {
    expect((await runGate(fake, comment(fake, '/benchmark help'))).outputs).toEqual({ decision: 'done' });
    expect(ownComments(fake)[0]).toContain('machines: `azure-d4s`, `ryzen`; without one: `azure-d4s`');
    await runGate(fake, comment(fake, '/benchmark'));
    await runGate(fake, comment(fake, '/benchmark status'), later);
    expect(ownComments(fake).at(-1)).toContain('- [accepted](');
    expect(ownComments(fake).at(-1)).toContain(`[\`${HEAD.slice(0, 12)}\`](https://github.com/example/library/commit/${HEAD}) on \`azure-d4s\``);
  });
  it.each(STATES)('all_work_on_a_pull_request_that_is: %s', async (_, spoil, config) => {
    await runGate(fake, comment(fake, '/benchmark'));
    spoil();
    const more = { ...later, ...(config === undefined ? {} : { config }) };
    expect((await runGate(fake, comment(fake, '/benchmark cancel'), more)).outputs).toEqual({ 'decision': 'cancel', 'run-to-cancel': '900' });
    expect((await runGate(fake, comment(fake, '/benchmark status'), more)).outputs).toEqual({ decision: 'done' });
    expect(ownComments(fake).at(-1)).toContain('- [accepted](');
    expect((await runGate(fake, comment(fake, '/benchmark help'), more)).outputs).toEqual({ decision: 'done' });
    expect(ownComments(fake).at(-1)).toContain('/benchmark rerun [<head sha>]');
    expect(ownComments(fake).at(-1)).toContain(config === undefined ? 'suites: `quick`, `pr`' : 'can\'t be read');
  });
  it('all_work_without_a_perf_lab_yaml_and_a_measurement_is_refused_by_name', async () => {
    const nowhere = { env: { PERF_LAB_CONFIG: '/nowhere/perf-lab.yaml' } };
    expect((await runGate(fake, comment(fake, '/benchmark help'), nowhere)).code).toBe(0);
    expect(await expectRefusal(fake, 'lab-config', comment(fake, '/benchmark'), nowhere)).toMatch(/has no `perf-lab\.yaml`\. It names suites and machines: docs\/pull-requests\.md/);
  });
  it('a_locked_conversation_is_answered_in_the_summary_only', async () => {
    pull().locked = true;
    expect((await runGate(fake, comment(fake, '/benchmark help'))).outputs).toEqual({ decision: 'done' });
    expect(ownComments(fake)).toEqual([]);
  });
  it('help_with_1200_suites_is_cut_and_says_where_the_others_are', async () => {
    const many = Array.from({ length: 1200 }, (_, i) => `  ${'s'.repeat(58)}${i}: { workloads: [a] }`).join('\n');
    const { code } = await runGate(fake, comment(fake, '/benchmark help'), { config: CONFIG.replace(/suites:\n(?: .*\n)+/, `suites:\n${many}\n  pr: { workloads: [a] }\n`) });
    expect(code).toBe(0);
    expect(ownComments(fake)[0]).toContain('and 1101 more, all in `perf-lab.yaml`');
    expect(ownComments(fake)[0]).toContain('machines: `azure-d4s`');
  });

  it('cancel_names_the_run_that_is_under_way', async () => {
    await runGate(fake, comment(fake, '/benchmark'));
    const { outputs } = await runGate(fake, comment(fake, '/benchmark cancel'), later);
    expect(outputs).toEqual({ 'decision': 'cancel', 'run-to-cancel': '900' });
  });
  it.each<[string, () => void]>([['of another workflow', () => { fake.state.runs[0]!.workflow_id = 4; }], ['of another person', () => { fake.state.runs[0]!.actor.id = 43; }], ['that nobody knows', () => { fake.state.runs.shift(); }]])('cancel_does_not_believe_a_comment_with_a_run: %s', async (_, change) => {
    await runGate(fake, comment(fake, '/benchmark'));
    change();
    fake.state.checks = [];
    await expectRefusal(fake, 'nothing-to-cancel', comment(fake, '/benchmark cancel'), later);
  });
  it('cancel_without_a_run_is_refused', async () => { await expectRefusal(fake, 'nothing-to-cancel', comment(fake, '/benchmark cancel')); });
  it('cancel_by_somebody_who_may_not_write_is_refused', async () => { await expectRefusal(fake, 'not-authorised', comment(fake, '/benchmark cancel', { user: MALLORY })); });

  it('rerun_repeats_the_words_at_the_head_of_now', async () => {
    await runGate(fake, comment(fake, '/benchmark quick --pgo off'));
    fake.state.runs[0]!.status = 'completed';
    const { request } = await runGate(fake, comment(fake, '/benchmark rerun'), later);
    expect(request.words).toMatchObject({ suite: 'quick', pgo: ['off'] });
  });
  it('rerun_on_a_fork_takes_the_commit_and_asks_for_it', async () => {
    fork();
    await runGate(fake, comment(fake, `/benchmark quick ${HEAD}`));
    fake.state.runs[0]!.status = 'completed';
    fake.state.checks = [];
    await expectRefusal(fake, 'fork-needs-sha', comment(fake, '/benchmark rerun'), later);
    expect((await runGate(fake, comment(fake, `/benchmark rerun ${HEAD}`), later)).request).toMatchObject({ head: HEAD, words: { suite: 'quick' } });
  });
  it.each(['/benchmark cancel', 'rm -rf', '/benchmark --nope'])('rerun_of_what_somebody_wrote_into_our_comment_is_refused: %s', async typed => {
    await runGate(fake, comment(fake, '/benchmark quick'));
    fake.state.checks = [];
    fake.state.runs[0]!.status = 'completed';
    const ours = fake.state.comments.find(({ body }) => body.includes('perf-lab:state'))!;
    ours.body = ours.body.replace(/command=[\w-]+/, `command=${Buffer.from(typed).toString('base64url')}`);
    await expectRefusal(fake, 'nothing-to-rerun', comment(fake, '/benchmark rerun'), later);
  });
  it('rerun_repeats_what_was_refused_only_where_there_is_nothing_else', async () => {
    const asked = async (text: string, stage: string): Promise<void> => {
      await runGate(fake, comment(fake, text));
      const ours = fake.state.comments.at(-1)!;
      ours.body = ours.body.replace('state stage=accepted', `state stage=${stage}`);
      expect(ours.body).toContain(`stage=${stage}`);
    };
    await asked('/benchmark --rounds 8+21', 'refused');
    expect((await runGate(fake, comment(fake, '/benchmark rerun'), later)).request).toMatchObject({ words: { rounds: '8+21' } });
    fake.reset();
    await asked('/benchmark --rounds 8+22', 'failed');
    await asked('/benchmark --rounds 8+23', 'refused');
    expect((await runGate(fake, comment(fake, '/benchmark rerun'), later)).request).toMatchObject({ words: { rounds: '8+22' } });
  });
  it('rerun_repeats_a_command_that_what_was_filled_in_makes_longer_than_one_may_be_typed', async () => {
    const [first, ...more] = Array.from({ length: 6 }, (_, i) => `My.${String(i).repeat(34)}`), typed = `/benchmark --filter ${[first, ...more].join(',')}`;
    const filters = `${typed}${'x'.repeat(256 - typed.length)}`;
    await runGate(fake, comment(fake, filters));
    fake.state.runs[0]!.status = 'completed';
    fake.state.checks = [];
    expect((await runGate(fake, comment(fake, '/benchmark rerun'), later)).request).toMatchObject({ words: { filters: filters.slice('/benchmark --filter '.length).split(',') } });
  });
  it('rerun_without_an_earlier_request_is_refused', async () => { await expectRefusal(fake, 'nothing-to-rerun', comment(fake, '/benchmark rerun')); });
});

const ROW = '| 🔴 **8.7 % slower**<br>8.5 to 9.0 % | `primes / limit 150` | 2.66 → 2.45 k/s |';
const REPORT = `**1 regressed**\n\n| change, + is slower | cell | base → head |\n| --- | --- | --- |\n${ROW}\n| ⚪ no change | \`json\` | 1 → 1 ms |\n`;

describe('accept', () => {
  const verdict = async (counts: Record<string, number> = { regressed: 1 }, report = REPORT): Promise<void> => {
    const journey = (await Journey.accepted(fake)).journal().runner({ comparison: summary(counts), report });
    journey.job.env['PERF_LAB_FAIL_ON'] = 'regression';
    await journey.publish();
    fake.state.runs[0]!.status = 'completed';
  };
  const says = async (text: string, more: object = {}) => await runGate(fake, comment(fake, text), { ...later, ...more });

  it('turns_the_check_green_with_name_reason_and_rows', async () => {
    await verdict();
    expect(fake.state.checks).toMatchObject([{ conclusion: 'failure' }]);
    expect((await says('/benchmark accept the new cache is worth it @org/team')).outputs).toEqual({ decision: 'done' });
    expect(fake.state.checks).toMatchObject([{ conclusion: 'success', output: { title: 'regressions accepted by alice' } }]);
    const sentence = '**Accepted** by [alice](https://github.com/alice): `the new cache is worth it @org/team`. Rows: `primes / limit 150`.';
    expect(ownComments(fake)[0]).toContain(`### perf-lab: 1 regressed\n\n${sentence}\n\n| change`);
    expect(fake.state.checks[0]!.output!.summary).toContain(sentence);
    expect(fake.state.reactions.at(-1)!.content).toBe('rocket');
  });
  it('names_the_rows_that_allocate_more_too', async () => {
    await verdict({ regressed: 1, allocatesMore: 1 }, `**1 regressed**\n\n${ROW}\n${ROW.replace('🔴', '🟠').replace('150', '7')}\n${ROW.replace('🔴', '🟢').replace('150', '8')}\n`);
    await says('/benchmark accept both');
    expect(ownComments(fake)[0]).toContain('Rows: `primes / limit 150`, `primes / limit 7`.');
  });
  it.each(['refused', 'failed', 'cancelled'])('is_about_the_last_verdict_though_a_later_request_was_%s', async stage => {
    await verdict();
    await Journey.accepted(fake);
    const later_ = fake.state.comments.at(-1)!;
    later_.body = later_.body.replace('state stage=accepted', `state stage=${stage}`);
    expect(later_.body).toContain(`stage=${stage}`);
    expect((await says('/benchmark accept because')).outputs).toEqual({ decision: 'done' });
    expect(ownComments(fake)[0]).toContain('**Accepted** by');
  });
  it('twice_says_both_and_the_same_event_again_says_it_once', async () => {
    await verdict();
    const event = comment(fake, '/benchmark accept one');
    await runGate(fake, event, later);
    await runGate(fake, event, later);
    await says('/benchmark accept two');
    expect(ownComments(fake)[0]!.match(/\*\*Accepted\*\*/g)).toHaveLength(2);
  });
  it('is_asked_again_after_a_push', async () => {
    await verdict();
    pull().head.sha = 'd'.repeat(40);
    const { outputs } = await says('/benchmark accept why not');
    expect(outputs).toEqual({ decision: 'refused', code: 'verdict-outdated' });
    expect(fake.state.checks).toMatchObject([{ conclusion: 'failure' }]);
    expect(ownComments(fake).at(-1)).toContain('have that one measured first');
  });
  it.each<[string, () => Promise<void>, RegExp]>([
    ['no verdict', async () => {}, /no verdict on this pull request yet/], ['one under way', async () => { await runGate(fake, comment(fake, '/benchmark')); }, /is still under way\. Wait for its verdict, or cancel it: `\/benchmark cancel`/],
    ['nothing regressed', async () => { await verdict({ unchanged: 2 }, '**no change found in 2**\n'); }, /Nothing got slower or allocates more/],
    ['a verdict of another workflow', async () => { await verdict(); fake.state.runs[0]!.workflow_id = 4; }, /no verdict on this pull request yet/],
  ])('is_refused_where_there_is: %s', async (_, prepare, why) => {
    await prepare();
    const conclusions = fake.state.checks.map(check => check.conclusion);
    expect((await says('/benchmark accept because')).outputs).toEqual({ decision: 'refused', code: 'nothing-to-accept' });
    expect(ownComments(fake).at(-1)).toMatch(why);
    expect(fake.state.checks.map(check => check.conclusion)).toEqual(conclusions);
  });
  it.each(['read', 'none'])('by_somebody_with_permission_%s_is_refused', async permission => {
    await verdict();
    fake.state.permissions.set('mallory', permission);
    expect((await runGate(fake, comment(fake, '/benchmark accept mine', { user: MALLORY }), later)).outputs['code']).toBe('not-authorised');
    expect(fake.state.checks).toMatchObject([{ conclusion: 'failure' }]);
  });
  it('names_twenty_rows_and_counts_the_others', async () => {
    await verdict({ regressed: 25 }, `**25 regressed**\n\n${Array.from({ length: 25 }, (_, i) => ROW.replace('150', String(i))).join('\n')}\n`);
    await says('/benchmark accept all');
    expect(ownComments(fake)[0]).toContain('`primes / limit 19` and 5 more.');
  });
  it('is_somebody_else_s_word_with_his_name', async () => {
    await verdict();
    fake.state.users.push({ id: 44, login: 'bob', type: 'User' });
    fake.state.permissions.set('bob', 'write');
    fake.state.runs[1]!.actor.id = 44;
    await runGate(fake, comment(fake, '/benchmark accept fine', { user: { id: 44, login: 'bob', type: 'User' } }), later);
    expect(ownComments(fake)[0]).toContain('by [bob](https://github.com/bob)');
  });
});
