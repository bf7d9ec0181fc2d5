import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { Job, ownComments } from './support/lab.ts';
import { Journey, summary } from './support/request.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const done = async (): Promise<Journey> => (await Journey.accepted(fake)).journal().runner({ comparison: summary({ unchanged: 3 }), report: '**no change found in 3**\n' });

describe('what only decorates the last word', () => {
  it.each([
    ['/pulls/5', '@alice, the answer to', false], ['/issues/comments/1001', 'The answer to', true],
    ['/actions/workflows/trend.yml', '@alice, the answer to', true], ['/graphql', 'The answer to', false],
  ])('is_left_out_where_it_can_not_be_had_and_the_rest_is_told: %s', async (path, whose, isRepeatable) => {
    const journey = await done();
    fake.fault = call => (call.path.endsWith(path) && call.method !== 'PATCH' ? { status: 401, json: { message: 'Bad credentials' } } : undefined);
    expect(await journey.publish()).toBe(0);
    const told = ownComments(fake).filter(body => body.includes('### perf-lab: no change found in 3'));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`\n\n${whose} [the command]`);
    expect([told[0]!.includes(' repeats it'), told[0]!.includes('**Warning**')]).toEqual([isRepeatable, false]);
    expect(fake.state.checks).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
  });
  it('warns_of_a_weekly_trend_that_stands_still_and_of_no_other', async () => {
    await (await done()).publish();
    expect(ownComments(fake).at(-1)).not.toContain('**Warning**');
    fake.state.trendWorkflow = { state: 'active', created_at: '2020-01-01T00:00:00Z', successes: [] };
    await (await done()).publish();
    expect(ownComments(fake).at(-1)).toContain('\n\n**Warning**: the weekly trend has not succeeded once in ');
  });
  it('is_asked_for_nowhere_when_there_is_no_comment_that_takes_it', async () => {
    fake.state.pulls.get(5)!.locked = true;
    const journey = await done(), before = fake.seen.length;
    expect(await journey.publish()).toBe(0);
    expect(fake.calls().slice(before)).toContain('POST /issues/:id/comments');
    expect(fake.calls().slice(before)).not.toContain('GET /pulls/:id');
  });
  it('is_not_in_the_check', async () => {
    await (await done()).publish();
    const body = '\n### perf-lab: no change found in 3\n\n\n\n**Next**: `/benchmark help` says what can be asked.\n\nThe answer to ';
    expect(fake.state.checks[0]!.output!.summary).toContain(body);
  });
  it('comes_after_the_summary_and_the_verdict', async () => {
    const journey = await done(), before = fake.seen.length;
    await journey.publish();
    const calls = fake.calls().slice(before);
    const first = (call: string): number => calls.indexOf(call);
    expect(first('PATCH /issues/comments/:id')).toBeLessThan(first('GET /pulls/:id'));
    expect(first('PATCH /check-runs/:id')).toBeLessThan(first('GET /pulls/:id'));
  });
  it('is_not_taken_off_again_by_the_same_attempt', async () => {
    const journey = await done();
    await journey.publish();
    const before = fake.seen.length;
    await journey.publish();    // another edit that mentions would notify once more
    expect(fake.seen.slice(before).filter(({ method, path }) => method !== 'GET' && path.includes('/comments/') && !path.endsWith('/reactions'))).toEqual([]);
  });
  it('a_summary_is_there_when_nothing_else_can_be_written', async () => {
    const journey = await done();
    fake.fault = call => (!call.path.includes('/artifacts') ? { status: 401, json: { message: 'Bad credentials' } } : undefined);
    await expect(journey.publish()).rejects.toMatchObject({ status: 401 });
    expect(journey.job.read('summary')).toContain('### perf-lab: no change found in 3');
  });
  it('a_comment_that_can_not_be_written_keeps_the_check_not_back', async () => {
    const journey = await done();
    fake.fault = call => (call.method === 'PATCH' && call.path.includes('/issues/comments/') ? { status: 422, json: { message: 'no' } } : undefined);
    await expect(journey.publish()).rejects.toMatchObject({ status: 422 });
    expect(fake.state.checks).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
  });
  it('links_the_page_once_it_has_an_address', async () => {
    const journey = await done();
    await journey.publish(77);
    expect(ownComments(fake).at(-1)).toContain('[report.html](https://github.com/example/library/actions/runs/900/artifacts/77)');
  });
  it.each(['0', '77)[x](https://evil.example', '-1', ''])('links_no_page_by_a_word_that_is_no_id: %j', async id => {
    const journey = await done();
    journey.job.env['PERF_LAB_PAGE_ID'] = id;
    await journey.publish();
    expect(ownComments(fake).at(-1)).toContain('The [raw files](https://github.com/example/library/actions/runs/900#artifacts).');
    expect(ownComments(fake).at(-1)).not.toContain('report.html');
  });
  it('keeps_what_somebody_accepted_before_its_frame_came', async () => {
    const journey = await done(), sentence = '**Accepted** by [alice](https://github.com/alice): `why`. Rows: `a`.';
    fake.fault = call => {
      const said = fake.state.comments.at(-1)!;
      if (call.path.endsWith('/pulls/5') && said.body.includes('### perf-lab: no change') && !said.body.includes(sentence)) said.body = said.body.replace(/(### perf-lab: [^\n]*\n)/, `$1\n${sentence}\n`);
      return undefined;
    };
    await journey.publish(77);
    expect(ownComments(fake).at(-1)).toMatch(/### perf-lab: no change found in 3\n\n\*\*Accepted\*\* by \[alice\][^\n]*\n\n/);
    expect(ownComments(fake).at(-1)!.match(/\*\*Accepted\*\*/g)).toHaveLength(1);
    expect(ownComments(fake).at(-1)).toContain('artifacts/77');
  });
  it('adds_nothing_to_what_an_earlier_attempt_said', async () => {
    const journey = await done();
    journey.job.write('said.json', JSON.stringify({ ending: { title: 'old' }, comment: { id: 1 } }));
    fake.fault = call => (!call.path.includes('/artifacts') ? { status: 401, json: { message: 'Bad credentials' } } : undefined);
    await expect(journey.publish()).rejects.toMatchObject({ status: 401 });
    expect(journey.job.read('said.json')).toBe('');
  });
});
