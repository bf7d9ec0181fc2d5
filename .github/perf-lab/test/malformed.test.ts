import { afterAll, beforeAll, expect, it } from 'vitest';
import { cancel } from '../src/cancel.ts';
import { gate } from '../src/gate.ts';
import { takeRequest } from '../src/thread/request-at-hand.ts';
import { explain } from '../src/process/main.ts';
import { runner } from '../src/runner.ts';
import { status } from '../src/status.ts';
import { whoAmI } from '../src/thread/who-am-i.ts';
import { startFakeGitHub, type Answer, type FakeGitHub } from './fake/server.ts';
import { HEAD, NOW, type State } from './fake/state.ts';
import { comment, Job, testClient } from './support/lab.ts';
import { isNightly, isTaken } from './support/nightly.ts';
import { Journey, publishSteps, summary } from './support/request.ts';

type Json = unknown;
type Members = Record<string, Json>;

const isMembers = (value: Json): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);
/** Every member one level down, changed. */
const each = (value: Json, change: (member: Json, name: string) => Json): Json =>
  Array.isArray(value) ? value.map((one, i) => change(one, String(i))) : isMembers(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)])) : change(value, '');
/** Every value that is neither list nor object, however deep. */
const leaves = (value: Json, change: (leaf: Json, name: string) => Json, name = ''): Json =>
  Array.isArray(value) || isMembers(value) ? each(value, (member, inner) => leaves(member, change, inner)) : change(value, name);
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** 27 answers with status 200 that are none, made of the right one. */
const KINDS: Readonly<Record<string, (right: Json) => Json | { raw: string }>> = {
  'an empty object': () => ({}),
  'an empty list': () => [],
  'a text': () => 'text',
  'a number': () => 7,
  'true': () => true,
  'a list of null': () => [null],
  'a list of numbers': () => [1, 2],
  'a list of lists': () => [[]],
  'a list of empty objects': () => [{}],
  'in a list': right => [right],
  'below data': right => ({ data: right }),
  'with errors that are no list': right => ({ data: right, errors: 7 }),
  'a message of an error': () => ({ message: 'Server Error' }),
  'every member null': right => each(right, () => null),
  'every member a text': right => each(right, () => 'text'),
  'every member an empty object': right => each(right, () => ({})),
  'every member an empty list': right => each(right, () => []),
  'every member negative': right => each(right, () => -1),
  'every member in a list': right => each(right, member => [member]),
  'members of members null': right => each(right, member => each(member, () => null)),
  'members of members of members null': right => each(right, member => each(member, inner => each(inner, () => null))),
  'numbers as texts': right => leaves(right, leaf => (typeof leaf === 'number' ? String(leaf) : leaf)),
  'texts as numbers': right => leaves(right, leaf => (typeof leaf === 'string' ? 5 : leaf)),
  'times that are none': right => leaves(right, (leaf, name) => (/_at$/.test(name) ? 'soon' : leaf)),
  'fractions and infinity': right => ({ raw: JSON.stringify(leaves(right, leaf => (typeof leaf === 'number' ? 0.5 : leaf))).replaceAll('0.5', '1e999') }),
  '10,000 levels deep': () => ({ raw: deep(10_000) }),
  'HTML': () => ({ raw: '<html></html>' }),
};

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });

interface Command { readonly name: string; readonly before: State; readonly run: () => Promise<unknown> }

/** Every command, each from the state that it finds. */
async function commands(): Promise<Command[]> {
  const all: Command[] = [];
  const add = (name: string, run: Command['run']): void => { all.push({ name, before: structuredClone(fake.state), run }); };
  const asGate = (name: string, text: string, prepare: () => Promise<void> = async () => {}, runId = '900') => (async () => {
    fake.reset();
    await prepare();
    const job = new Job(fake, { GITHUB_RUN_ID: runId });
    job.write('event.json', JSON.stringify(comment(fake, text)));
    add(name, () => gate({ env: job.env, gh: testClient(fake), now: NOW }));
  })();
  const verdict = async (): Promise<void> => {
    const report = '**1 regressed**\n\n| `x` | 1 | 2 | regressed: 8 % slower |\n';
    await (await Journey.accepted(fake)).journal().runner({ comparison: summary({ regressed: 1 }), report }).publish();
  };
  await asGate('gate', `/benchmark ${HEAD.slice(0, 12)}`);
  await asGate('gate rerun', '/benchmark rerun', verdict, '901');
  await asGate('gate cancel', '/benchmark cancel', async () => { await Journey.accepted(fake); }, '901');
  await asGate('gate status', '/benchmark status', verdict, '901');
  await asGate('gate help', '/benchmark help');
  await asGate('gate accept', '/benchmark accept it is worth it', verdict, '901');

  fake.reset();
  const journey = (await Journey.accepted(fake)).journal().runner({ comparison: summary({ unchanged: 4 }) });
  const hand = () => takeRequest(testClient(fake), journey.job.env, NOW);
  for (const step of ['plan', 'waiting', 'measuring']) add(`status ${step}`, async () => await status(step, await hand()));
  add('publish', async () => await publishSteps(await hand()));
  const env = { ...journey.job.env, PERF_LAB_SAMPLES_ID: '', PERF_LAB_RESULT_MEASURE: 'cancelled', PERF_LAB_STATUS_COMMENT: '', PERF_LAB_CHECK_RUN: '' };
  add('publish without ids', async () => await publishSteps(await takeRequest(testClient(fake), env, NOW)));
  add('cancel', () => cancel(testClient(fake), { ...journey.job.env, GITHUB_RUN_ID: '1', PERF_LAB_RUN_TO_CANCEL: '901' }));
  add('who am I', () => whoAmI(testClient(fake), { GITHUB_API_URL: fake.url }));

  const clock = { now: () => NOW, wait: async () => {}, note: () => {} };
  const job = new Job(fake, { PERF_LAB_MACHINE: 'azure-d4s', PERF_LAB_RUNNER_ID: '77' });
  Object.assign(job.env, { PERF_LAB_JIT_FILE: job.path('jit'), PERF_LAB_RUNNERS_FILE: job.path('runners') });
  fake.state.runners = [{ id: 77, name: 'run-1-1-azure-d4s', status: 'online', busy: false, labels: ['x'], polls: 9 }];
  for (const step of ['register', 'list', 'wait', 'remove']) add(`runner ${step}`, () => runner(step, testClient(fake), job.env, clock));
  return all;
}

/** A decision, or an error that we made: with a name, one line, and not of the kind that JavaScript makes when nobody looked. */
async function end(run: Command['run']): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (error) {
    const text = explain(error);
    const isOurs = error instanceof Error && !(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError);
    return isOurs && !/undefined|is not (a function|iterable)|Cannot read|\[object/.test(text) ? null : `${String((error as Error).name)}: ${text}`;
  }
}

it('every_call_with_27_kinds_of_malformed_answers_ends_as_a_named_error', async () => {
  expect(Object.keys(KINDS)).toHaveLength(27);
  const bad: string[] = [];
  let tried = 0;
  const seen = new Set<string>();
  for (const { name, before, run } of await commands()) {
    const restart = (): void => { fake.state = structuredClone(before); fake.seen.length = 0; };
    restart();
    fake.fault = undefined;
    expect(await end(run), name).toBeNull();
    const calls = [...fake.seen];
    for (const [index, call] of calls.entries()) {
      if (call.answer?.json === undefined) continue;    // 204 and redirects say nothing
      seen.add(`${call.method} ${call.path.replace(/\/(\d+|[0-9a-f]{12,}[0-9a-f.]*)(?=\/|$)/g, '/…')}`);
      for (const [number, [kind, make]] of Object.entries(KINDS).entries()) {
        if (!isTaken(index, number)) continue;
        restart();
        const made = make(structuredClone(call.answer.json));
        const answer: Answer = isMembers(made) && 'raw' in made ? { status: 200, raw: String(made['raw']) } : { status: 200, json: made };
        fake.fault = (_, at) => (at === index ? answer : undefined);
        tried++;
        const how = await end(run);
        if (how !== null) bad.push(`${name}, ${call.method} ${call.path}, ${kind}: ${how}`);
      }
    }
    fake.fault = undefined;
  }
  expect(bad).toEqual([]);
  expect(seen.size).toBeGreaterThan(20);
  expect(tried).toBeGreaterThan(isNightly ? 2000 : 650);
}, 600_000);

it('a_decision_is_never_made_of_a_malformed_answer', async () => {
  // Who may, what is measured, and what was changed: an answer that is none starts nothing.
  const [{ before, run }] = await commands() as [Command];
  fake.state = structuredClone(before);
  fake.seen.length = 0;
  await run();
  const deciding = fake.seen.map((call, index) => ({ call, index })).filter(({ call }) => /\/(permission|compare\/|pulls\/|issues\/comments\/\d+$|commits\/[^/]+$)/.test(call.path) && call.method === 'GET');
  expect(deciding.length).toBeGreaterThan(4);
  for (const { call, index } of deciding) {
    for (const [kind, make] of Object.entries(KINDS)) {
      if (kind === 'fractions and infinity' || kind === 'numbers as texts' || kind === 'times that are none') continue;    // some answers hold none
      fake.state = structuredClone(before);
      fake.seen.length = 0;
      const made = make(structuredClone(call.answer!.json));
      fake.fault = (_, at) => (at === index ? isMembers(made) && 'raw' in made ? { status: 200, raw: String(made['raw']) } : { status: 200, json: made } : undefined);
      await end(run);
      expect(fake.state.checks, `${call.path}: ${kind}`).toEqual([]);
    }
  }
  fake.fault = undefined;
}, 60_000);
