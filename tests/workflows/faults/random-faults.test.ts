import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Fault, FaultRule } from '../../../.github/perf-lab/test/fake/server.ts';
import { repository } from '../rules/files.ts';
import { isNightly } from '../flow/nightly.ts';
import { FaultyRequest, type Faults } from './faulty-request.ts';
import type { Result } from '../flow/step-runner.ts';

// Forty requests, each with one to three faults drawn from its number; the ordinary run takes the first twelve. What is real and what is played stands at FaultyRequest.
const PAGE = join(repository, 'tests/workflows/faults/random-faults.md');
const isWriting = process.env['PERF_LAB_WRITE'] === '1', COUNT = isNightly || isWriting ? 40 : 12;

const message = (text: string) => ({ json: { message: text } });
/** What GitHub may do to a job: for one call, or as long as the job lasts. */
const API: Readonly<Record<string, Fault>> = {
  '502 all the time': { status: 502, ...message('Bad Gateway') }, '503 once': { status: 503, ...message('Service Unavailable') }, 'an answer lost once': { after: 'abort' },
  '401 all the time': { status: 401, ...message('Bad credentials') }, '403 once': { status: 403, ...message('Resource not accessible by integration') }, '422 once': { status: 422, ...message('Validation Failed') },
  'a rate limit once': { status: 429, ...message('Too many requests'), headers: { 'retry-after': '2' } },
};
const JOBS = ['gate', 'status-plan', 'status-waiting', 'machine/status-measuring', 'machine/publish', 'publish'];
const ENDING = ['plan', 'bases', 'build-base/build', 'build-head/build', 'machine/lab-up', 'machine/measure', 'status-plan', 'machine/publish'];
const FILES = ['tools', 'plan', 'bases', 'build-base', 'build-head', 'samples'];
const LATER = ['plan', 'build-head/build', 'machine/measure', 'machine/publish', 'publish'];

function generator(seed: number): (of: number) => number {
  let state = seed * 7919 + 17;
  for (let i = 0; i < 3; i++) state = state * 48271 % 2147483647;
  return of => (state = state * 48271 % 2147483647) % of;
}

function drawn(seed: number): { faults: Faults; told: string[] } {
  const random = generator(seed), pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const faults = { full: [] as string[], deleted: {} as Record<string, string>, ends: {} as Record<string, Result>, api: {} as Record<string, FaultRule>, doesNotBuild: [] as string[] }, told: string[] = [];
  for (let left = 1 + random(3); left > 0; left--) {
    const kind = random(5);
    if (kind === 0) {
      const file = pick(FILES);
      faults.full.push(file);
      told.push(`no room for \`${file}\``);
    } else if (kind === 1) {
      const file = pick(FILES), job = pick(LATER);
      faults.deleted[`benchmark/${job}`] = file;
      told.push(`\`${file}\` deleted before ${job}`);
    } else if (kind === 2) {
      const job = pick(ENDING), end = pick(['failure', 'cancelled'] as const);
      faults.ends[`benchmark/${job}`] = end;
      told.push(`${job}: ${end}`);
    } else if (kind === 3) {
      const side = pick(['base', 'head']);
      faults.doesNotBuild.push(side);
      told.push(`${side} does not build`);
    } else {
      const job = pick(JOBS), [name, fault] = pick(Object.entries(API)), at = random(4);
      let call = -1;
      faults.api[`benchmark/${job}`] = () => (++call === at || name.endsWith('all the time') ? fault : undefined);
      told.push(`${name} in ${job}${name.endsWith('once') ? `, call ${at + 1}` : ''}`);
    }
  }
  return { faults, told };
}

/** What each heading may be said of: the facts of the request, as they were played. */
function isTrue(title: string, { faults, artifacts, ran }: { faults: Faults; artifacts: FaultyRequest['artifacts']; ran: readonly string[] }): boolean {
  const ended = (job: string): Result | undefined => faults.ends[`benchmark/${job}`], isFull = (name: string): boolean => faults.full.includes(name), gone = Object.values(faults.deleted);
  const broke = (job: string, ...files: string[]): boolean => ended(job) === 'failure' || files.some(name => isFull(name) || gone.includes(name));
  const side = title.includes('base') ? 'base' : 'head';
  if (title === 'no change found in 3') return artifacts.names.includes('samples') && ran.includes('benchmark/machine/measure');
  if (title === 'cancelled') return Object.values(faults.ends).includes('cancelled');
  if (title === 'failed while building perf-lab') return broke('plan', 'tools');
  if (title === 'failed while planning') return broke('plan', 'plan', 'tools');
  if (title === 'failed while making the base of the containers') return broke('bases', 'bases', 'tools', 'plan');
  if (title === `failed while building ${side}`) return broke(`build-${side}/build`, `build-${side}`, 'tools', 'plan');
  if (title === `${side} does not build`) return faults.doesNotBuild.includes(side);
  if (title === 'neither base nor head builds') return ['base', 'head'].every(one => faults.doesNotBuild.includes(one));
  if (title === 'failed while starting the machine') return broke('machine/lab-up', 'tools');
  if (title === 'failed while measuring') return broke('machine/measure', ...FILES);
  if (title === 'no result') return gone.length > 0 || Object.keys(faults.api).length > 0;
  return title === 'failed before anything was started' && faults.api['benchmark/gate'] !== undefined;
}

it(`each of ${COUNT} requests with random faults ends in one true sentence`, async () => {
  const rows: string[] = [], requests: FaultyRequest[] = [];
  try {
    for (let seed = 1; seed <= COUNT; seed++) {
      const { faults, told } = drawn(seed), request = await FaultyRequest.run(faults);
      requests.push(request);
      const about = `request ${seed}: ${told.join('; ')}`;
      const open = (): boolean => request.comments.some(body => /stage=(accepted|building|waiting|measuring) /.test(body)) || request.comments.length === 0;
      // What GitHub let nobody say is red, and said when it is run again.
      const isLate = open();
      if (isLate) {
        expect([about, request.isRed]).toEqual([about, true]);
        await request.again();
      }
      const [body = '', ...more] = request.comments;
      expect([about, more, open()], body).toEqual([about, [], false]);
      const title = /^### perf-lab: (.*)$/m.exec(body)?.[1] ?? '';
      if (!isLate) expect([about, title, isTrue(title, { faults, artifacts: request.artifacts, ran: request.ran })]).toEqual([about, title, true]);
      const check = request.fake.state.checks.at(-1);
      if (body.includes(' req=') && !body.includes('before anything was started')) expect([about, check?.status, check?.output?.title]).toEqual([about, 'completed', title]);
      rows.push(`| ${seed} | ${told.join('; ')} | ${isLate ? 'red; run again: ' : ''}${title} |`);
      await request.end();
      requests.pop();
    }
  } finally {
    await Promise.all(requests.map(request => request.end()));
  }
  const text = [
    '# Forty requests with random faults', '',
    'Generated by [random-faults.test.ts](random-faults.test.ts) (`PERF_LAB_WRITE=1` writes it anew; the test fails when it is out of date). Each request has one to three faults, drawn from its number: no room in the',
    'storage, files deleted between two jobs, jobs that fail or are cancelled, commits that do not build, and a GitHub that fails one call of a job or all of them. Always checked: one comment, it is an end, its heading is true of what was played, and the check says the same.', '',
    'Real: the workflow files with their jobs, conditions, outputs, downloads and checks; gate, status and publish with the inputs that these hand them. Played: GitHub, its artifact service, perf-lab\'s own build, the plan, builds, measuring, and the runner that judges.', '',
    '| | faults | ends with |', '|--:|---|---|', ...rows, '',
  ].join('\n');
  if (isWriting) writeFileSync(PAGE, text);
  const page = readFileSync(PAGE, 'utf8');
  expect(text).toBe(COUNT === 40 ? page : `${page.split('\n').slice(0, -1 - 40 + COUNT).join('\n')}\n`);
}, 600_000);
