import fs from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gate } from '../src/gate.ts';
import { Refusal } from '../src/request/refusal.ts';
import { takeRequest } from '../src/thread/request-at-hand.ts';
import { runner } from '../src/runner.ts';
import { status } from '../src/status.ts';
import { startFakeGitHub, type FakeGitHub, type Fault } from './fake/server.ts';
import { BOT, NOW, type State } from './fake/state.ts';
import { comment, Job, testClient } from './support/lab.ts';
import { isTaken } from './support/nightly.ts';
import { Journey, publishSteps, summary } from './support/request.ts';

const TABLE = new URL('./github-faults.md', import.meta.url);

const message = (text: string) => ({ json: { message: text } });
/** One fault, once, at one call: what comes in place of the answer. */
const FAULTS: Readonly<Record<string, Fault>> = {
  '502 before': { status: 502, ...message('Bad Gateway') },
  '502 after': { after: { status: 502, ...message('Bad Gateway') } },
  'lost before': 'abort',
  'lost after': { after: 'abort' },
  '429': { status: 429, ...message('Too many requests'), headers: { 'retry-after': '2' } },
  '403 limit': { status: 403, ...message('You have exceeded a secondary rate limit') },
  '403': { status: 403, ...message('Resource not accessible by integration') },
  '401': { status: 401, ...message('Bad credentials') },
  '404': { status: 404, ...message('Not Found') },
  '409': { status: 409, ...message('Conflict') },
  '410': { status: 410, ...message('Gone') },
  '422': { status: 422, ...message('Validation Failed') },
  'HTML': { status: 200, raw: '<html>', headers: { 'content-type': 'text/html' } },
  'empty': { status: 200, raw: '' },
  'redirect': { status: 307, headers: { location: 'http://127.0.0.1:9/' } },
};

const isWritten = process.env['PERF_LAB_WRITE'] === '1';
/** Stands in the place of what the ordinary run does not try. */
const LEFT = '·';

/** The page without the cells that were not tried. */
const leaveOut = (page: string, tried: string): string => {
  const lines = tried.split('\n');
  return page.split('\n').map((line, at) => line.split(' | ').map((cell, column) => (lines[at]?.split(' | ')[column]?.startsWith(LEFT) === true ? cell.replace(/^\w+/, LEFT) : cell)).join(' | ')).join('\n');
};

interface Command { readonly name: string; readonly run: () => Promise<number> }

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });

const copy = (state: State): State => structuredClone(state);
// What people see: ids and times apart.
const seen = (state: State): string => JSON.stringify([
  state.comments.filter(c => c.user.id === BOT.id).map(c => [c.body, c.minimised]), state.checks.map(({ id: _, ...check }) => check), state.runners.map(r => r.name),
]);
const reactions = (state: State): string => JSON.stringify(state.reactions.map(r => r.content));

/** Runs a command with every fault at every one of its calls, and says how each ends. */
async function table(name: string, before: State, command: Command['run']): Promise<string> {
  const attempt = async (fault?: (index: number) => Fault | undefined): Promise<number | string> => {
    fake.seen.length = 0;
    fake.fault = fault === undefined ? undefined : (_, index) => fault(index);
    try {
      return await command();
    } catch (error) {
      if (error instanceof Refusal) throw error;
      return (error as Error).message;
    } finally {
      fake.fault = undefined;
    }
  };
  fake.state = copy(before);
  expect(await attempt()).toBe(0);
  const [good, goodReactions, calls] = [seen(fake.state), reactions(fake.state), fake.calls()];
  const rows: string[] = [];
  for (const [index, call] of calls.entries()) {
    const cells: string[] = [];
    for (const [kind, fault] of Object.values(FAULTS).entries()) {
      if (!isWritten && !isTaken(index, kind)) {
        cells.push(LEFT);
        continue;
      }
      fake.state = copy(before);
      const end = await attempt(at => (at === index ? fault : undefined));
      expect(fake.state.comments.filter(c => c.user.id === BOT.id && c.body.includes(' req=')).length, `comments after ${call}`).toBeLessThanOrEqual(1);
      expect(fake.state.checks.length, `checks after ${call}`).toBeLessThanOrEqual(1);
      if (end === 0) {
        cells.push(seen(fake.state) !== good ? 'part' : reactions(fake.state) !== goodReactions ? 'plain' : 'ok');
      } else if (typeof end === 'number' && end >= 20) {
        cells.push('no');
      } else {
        expect(await attempt(), `running again after ${call}`).toBe(0);
        expect(seen(fake.state), `state after running again after ${call}`).toBe(good);
        cells.push('red');
      }
    }
    rows.push(`| ${index + 1} \`${call}\` | ${cells.join(' | ')} |`);
  }
  return [`## ${name}`, '', `| call | ${Object.keys(FAULTS).join(' | ')} |`, `|---|${'---|'.repeat(Object.keys(FAULTS).length)}`, ...rows, ''].join('\n');
}

const HEAD = `# Every call × every fault

Generated by \`.github/perf-lab/test/faults.test.ts\` (\`npm run faults\` writes it anew; the test fails when it is out of date). A fake GitHub gives one fault, once, at
one call of a command; "after" means that the effect had happened and only the answer was lost. Always checked: never two comments of one request, never two checks.

- **ok**: ends as without the fault.
- **plain**: ends well, without one reaction; nobody waits for that.
- **part**: ends well and says in the log what could not be shown (a comment not minimised, a queue not counted, a conversation that takes no comments: the result is in the job summary and the check).
- **no**: a refusal with its reply; nothing was started.
- **red**: the job fails and says what to do; running it again ended, in this test, exactly as without the fault.

Whole requests, each with one to three faults of storage, jobs and GitHub drawn from a seed: [forty of them](../../../tests/workflows/faults/random-faults.md), and how each ended.
`;

it('every_call_with_every_fault_ends_as_the_table_in_docs_says', async () => {
  const job = new Job(fake);
  fake.reset();
  job.write('event.json', JSON.stringify(comment(fake, '/benchmark')));
  const start = copy(fake.state);
  const parts = [HEAD, await table('`gate`', start, () => gate({ env: job.env, gh: testClient(fake), now: NOW }))];

  fake.reset();
  const journey = (await Journey.accepted(fake)).journal().runner({ comparison: summary({ unchanged: 4 }) });
  const accepted = copy(fake.state);
  const hand = () => takeRequest(testClient(fake), journey.job.env, NOW);
  parts.push(await table('`status waiting`', accepted, async () => await status('waiting', await hand())));
  parts.push(await table('`status measuring`', accepted, async () => await status('measuring', await hand())));
  parts.push(await table('`publish`', accepted, async () => await publishSteps(await hand())));

  fake.reset();
  job.env['PERF_LAB_MACHINE'] = 'azure-d4s';
  job.env['PERF_LAB_JIT_FILE'] = job.path('jit');
  const clock = { now: () => NOW, wait: async () => {}, note: () => {} };
  parts.push(await table('`runner register`', copy(fake.state), () => runner('register', testClient(fake), job.env, clock)));

  const text = parts.join('\n');
  if (isWritten) fs.writeFileSync(TABLE, text);
  expect(text).toBe(leaveOut(fs.readFileSync(TABLE, 'utf8'), text));
}, 300_000);    // against a hang: it takes half a minute on a quiet machine, and many times that beside others
