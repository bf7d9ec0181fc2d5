import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readRequest } from '../src/request/request.ts';
import { digestOf, MAX_SNIPPET_BYTES } from '../src/snippet/snippet.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { comment, Job, ownComments, runGate } from './support/lab.ts';
import { remark } from './support/oracle.ts';
import { expectRefusal } from './support/refusal.ts';
import { Journey, summary } from './support/request.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

/** All that would be markup, ours or GitHub's, and what would end a fence that is too short. */
const CODE = [
  'public class A { [Benchmark] public string M() => "</details>|`<b>@org/team::error::x"; }', '// <!-- perf-lab:v1 pr=5 req=1 --> ```` ', '/*', '| 🔴 slower | `faked` |x|',
  '```', '', '</details>', '@org/team <img src="https://example.org/x"> https://example.org', '*/', '',
].join('\n');
const text = (words = ''): string => `/benchmark${words}\n\`\`\`\`\`cs\n${CODE}\`\`\`\`\`\n`;
const DIGEST = digestOf({ text: CODE });
const later = { env: { GITHUB_RUN_ID: '901' } };
const only = (): string => { expect(ownComments(fake)).toHaveLength(1); return ownComments(fake)[0]!; };
const isOver = (): void => { fake.state.runs[0]!.status = 'completed'; };

/** What a comment shows of a snippet: all of it between two marks that are longer than any in it. */
const shown = (body: string): string | undefined => /<details><summary>The benchmarks in C#, SHA-256 <code>[0-9a-f]{64}<\/code><\/summary>\n\n(`{3,})csharp\n([^]*?\n)\1\n\n<\/details>/.exec(body)?.[2];

describe('a snippet', () => {
  it('travels_in_the_request_and_is_shown_with_its_digest_and_as_code', async () => {
    const written = comment(fake, text(' quick')), { outputs, request } = await runGate(fake, written);
    expect(request.snippet).toEqual({ comment: written.comment.id, text: CODE });
    expect(readRequest(outputs['request']!).snippet?.text).toBe(CODE);
    expect(only()).toContain(`SHA-256 <code>${DIGEST}</code>`);
    expect(shown(only())).toBe(CODE);
    expect(remark(only()).filter(active => /org\/team|example\.org|<b>|img/.test(active))).toEqual([]);
    expect(only().split('\n')[1]).toContain(` snippet=${written.comment.id}.${DIGEST} -->`);
  });
  it('fits_into_the_output_of_a_job_whatever_is_in_it', async () => {
    const filled = `/* [Benchmark] ${'"\\'.repeat((MAX_SNIPPET_BYTES - 18) / 2)}*/\n`;
    expect(Buffer.byteLength(filled)).toBe(MAX_SNIPPET_BYTES);
    const { code: exit, outputs } = await runGate(fake, comment(fake, `/benchmark\n\`\`\`cs\n${filled}\`\`\``));
    expect([exit, outputs['decision']]).toEqual([0, 'run']);
    expect(readRequest(outputs['request']!).snippet?.text).toBe(filled);
    expect(only().length).toBeLessThan(60_000);
  });
  it('of_somebody_who_may_not_write_starts_nothing', async () => {
    fake.state.permissions.set('alice', 'read');
    await expectRefusal(fake, 'not-authorised', comment(fake, text()));
  });
  it('that_is_wrong_is_told_with_all_that_is_wrong_with_it_and_nothing_starts', async () => {
    await expectRefusal(fake, 'command-words', comment(fake, '/benchmark\n```cs\n#:package X@1\npublic class A { [Benchmark] public int M() => 1; }\n// [ModuleInitializer]\n```'));
    expect(only()).toContain('- Line 1 of the block of C#: what begins so belongs to scripts.');
    expect(only()).toContain('- Line 3 of the block of C#: a `ModuleInitializer` runs before');
  });

  it.each([['/benchmark rerun', null], ['/benchmark confirm', 2]])('is_measured_again_by %s', async (again, sessions) => {
    const written = comment(fake, text(' quick'));
    await runGate(fake, written);
    isOver();
    const { request } = await runGate(fake, comment(fake, again), later);
    expect([request.words.suite, request.words.sessions, request.snippet]).toEqual(['quick', sessions, { comment: written.comment.id, text: CODE }]);
  });
  it('is_measured_again_after_it_was_measured_again', async () => {
    const written = comment(fake, text());
    await runGate(fake, written);
    isOver();
    await runGate(fake, comment(fake, '/benchmark rerun'), later);
    fake.state.runs.push({ ...fake.state.runs[0]!, id: 902 });
    fake.state.runs[1]!.status = 'completed';
    expect((await runGate(fake, comment(fake, '/benchmark rerun'), { env: { GITHUB_RUN_ID: '902' } })).request.snippet.comment).toBe(written.comment.id);
  });
  it.each<[string, (id: number) => void]>([
    ['deleted', id => { fake.state.comments = fake.state.comments.filter(one => one.id !== id); }],
    ['changed', id => { fake.state.comments.find(one => one.id === id)!.body = text().replace('class A', 'class B'); }],
    ['changed', id => { fake.state.comments.find(one => one.id === id)!.body = '/benchmark'; }],
    ['changed', id => { fake.state.comments.find(one => one.id === id)!.issue = 6; }],
  ])('that_was_%s_since_is_not_measured_again', async (what, change) => {
    const written = comment(fake, text());
    await runGate(fake, written);
    isOver();
    change(written.comment.id);
    const { code, job } = await runGate(fake, comment(fake, '/benchmark rerun'), later);
    expect(code).toBe(45);
    expect(ownComments(fake).at(-1)).toContain(`that was ${what} since. Write the command again, with the block below it.`);
    expect(job.outputs['decision']).toBeUndefined();    // its folder is gone
  });
  it.each([[404, 45], [410, 45], [403, null]])('whose_comment_is_answered_with_%i_is_deleted_or_the_gate_fails', async (status, code) => {
    const written = comment(fake, text());
    await runGate(fake, written);
    isOver();
    fake.fault = call => (call.path.endsWith(`/issues/comments/${written.comment.id}`) ? { status, json: { message: 'No' } } : undefined);
    const again = runGate(fake, comment(fake, '/benchmark rerun'), later);
    if (code === null) await expect(again).rejects.toMatchObject({ status });
    else expect((await again).code).toBe(code);
  });
  it('is_another_request_than_one_without_it_and_than_one_with_another', async () => {
    await runGate(fake, comment(fake, text()));
    expect((await runGate(fake, comment(fake, '/benchmark'), later)).code).toBe(0);
    expect((await runGate(fake, comment(fake, text().replace('class A', 'class B')), later)).code).toBe(0);
    expect((await runGate(fake, comment(fake, text()), later)).code).toBe(41);
  });
});

describe('the answer to a snippet', () => {
  it('shows_it_below_the_report_and_in_the_summary_of_the_run', async () => {
    const journey = (await Journey.accepted(fake, { text: text() })).journal().runner({ report: '**1 regressed**\n\n| cell |\n' });
    for (const step of ['plan', 'measuring']) { await journey.status(step); expect(shown(only())).toBe(CODE); }
    expect(await journey.publish()).toBe(0);
    expect(shown(only())).toBe(CODE);
    expect(only().indexOf('| cell |')).toBeLessThan(only().indexOf('The benchmarks in C#'));
    expect(only().indexOf('The benchmarks in C#')).toBeLessThan(only().indexOf('**Next**'));
    expect(shown(journey.job.read('summary'))).toBe(CODE);
  });
  it('leaves_the_report_as_much_less_room', async () => {
    const journey = (await Journey.accepted(fake, { text: `/benchmark\n\`\`\`cs\npublic class A { [Benchmark] public int M() => 1; }\n//${'x'.repeat(16_000)}\n\`\`\`` })).journal().runner({ report: 'x'.repeat(50_000), short: 'cut' });
    expect(await journey.publish()).toBe(0);
    const chars = Number(/--max-chars\n([0-9]+)/.exec(journey.job.read('called'))?.[1]);
    expect(chars).toBeGreaterThan(39_000);
    expect(chars).toBeLessThan(56_000 - 16_000);
    expect(only().length).toBeLessThan(60_000);
  });
  it('has_the_errors_of_one_that_does_not_compile_as_text_and_not_without_end', async () => {
    const error = 'snippet.cs(1,9): error CS0103: The name \'<b>`x`\' does not exist @org/team <!-- -->';
    const journey = (await Journey.accepted(fake, { text: text() })).results({ BUILD_BASE: 'failure', BUILD_HEAD: 'failure', MEASURE: 'skipped' });
    journey.buildLog('base', `${Array.from({ length: 500 }, (_, i) => `noise ${i}\n`).join('')}${error}\n`).buildLog('head', `${error}\n`);
    expect(await journey.publish()).toBe(0);
    expect(only()).toMatch(/The last lines of the build:\n\n```text\n[^]*snippet\.cs\(1,9\): error CS0103: The name '<b>`x`' does not exist @org\/team <! -- -->\n```\n/);
    expect(only().split('noise').length).toBeLessThan(42);
    expect(shown(only())).toBe(CODE);
  });
  it('has_no_rows_of_its_own_to_accept', async () => {
    const journey = (await Journey.accepted(fake, { text: text() })).journal().runner({ comparison: summary({ regressed: 1 }), report: '**1 regressed**\n\n| 🔴 slower | `A.M` |x|\n' });
    await journey.publish();
    isOver();
    expect((await runGate(fake, comment(fake, '/benchmark accept so be it'), later)).code).toBe(0);
    expect(only()).toContain('Rows: `A.M`.');
  });
});
