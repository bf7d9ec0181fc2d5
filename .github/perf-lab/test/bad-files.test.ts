import fs from 'node:fs';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readEvent } from '../src/gate/event.ts';
import { readConfig } from '../src/request/names.ts';
import { Refusal } from '../src/request/refusal.ts';
import { ComparisonFile } from '../src/publish/judge.ts';
import { readLabConfig } from '../src/request/lab-config.ts';
import { readEstimate } from '../src/request/plan.ts';
import { RequestFile } from '../src/request/request.ts';
import { BadFile } from '../src/text/json-scan.ts';
import { parseFormat, readText } from '../src/text/file.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { comment, CONFIG, Job, ownComments } from './support/lab.ts';
import { Journey, summary } from './support/request.ts';

let fake: FakeGitHub;
let job: Job;
beforeAll(async () => { fake = await startFakeGitHub(); job = new Job(fake); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const REQUEST = fs.readFileSync(new URL('../../../tests/fixtures/formats/request.json', import.meta.url), 'utf8');
const PLAN = JSON.stringify({ schema: 'perf-lab/plan/1', plan: { cells: [{}], estimate: { leastSeconds: 1, mostSeconds: 2 } } });
const written = (bytes: Buffer) => ({ path: job.write('file', bytes), digest: createHash('sha256').update(bytes).digest('hex') });

const READERS: Readonly<Record<string, { readonly good: () => string; readonly read: (bytes: Buffer) => unknown }>> = {
  'request.json': { good: () => REQUEST, read: bytes => parseFormat(RequestFile, bytes, 'request.json') },
  'plan.json': { good: () => PLAN, read: bytes => { const { path, digest } = written(bytes); return readEstimate(path, digest, readLabConfig(CONFIG), 'ryzen'); } },
  'the event file': { good: () => JSON.stringify(comment(fake, '/benchmark')), read: bytes => readEvent(written(bytes).path, 'issue_comment', 1) },
  'comparison.json': { good: () => summary({}), read: bytes => parseFormat(ComparisonFile, bytes, 'comparison.json') },
};
const first = (text: string, member: string): string => text.replace('{', `{${member},`);

/** What happened to a file, and how that is named. */
const DAMAGES: Readonly<Record<string, readonly [harm: (text: string) => string | Buffer, named: RegExp]>> = {
  'a byte order mark in front': [text => `\ufeff${text}`, /: starts with a byte order mark: save it as UTF-8 without one$/],
  'a byte that is no UTF-8': [text => Buffer.concat([Buffer.from(text), Buffer.from([0xff])]), /: is not UTF-8$/],
  'half a character': [text => first(text, '"half":{"in":["\\ud83d"]}'), /: half\.in\[0\]: holds half a character/],
  'a member named by half a character': [text => first(text, '"\\udc00":1'), /: .: holds half a character/],
  'a number that is none': [text => first(text, '"huge":[1,-1e400]'), /: huge\[1\]: -1e400 is larger than a number can be/],
  'great depth': [text => first(text, `"deep":${'['.repeat(40)}${']'.repeat(40)}`), /: deep(\[0\]){31}: more than 32 levels deep$/],
  'depth without end': [text => first(text, `"deep":${'['.repeat(60_000)}`), /: (not JSON: |deep)/],
  'a member twice': [text => first(text, '"a":{"b":1,"\\u0062":2}'), /: a\.b: appears twice/],
  'a member named __proto__': [text => first(text, '"__proto__":{}'), /: __proto__: a member of this name is refused/],
  'its end missing': [text => text.trimEnd().slice(0, text.length / 2), /: not JSON: it ends in the middle$/],
  'a fault in the middle': [text => text.replace(':', '\n;'), /: not JSON: the fault is in line [23]$/],
  'nothing in it': [() => ' \n', /: not JSON: it is empty$/],
  'a list in it': [() => '[]', /: the whole: Invalid input: expected object, received array$/],
  'null in it': [() => 'null', /: the whole: Invalid input: expected object, received null$/],
};

describe.each(Object.entries(READERS))('%s', (name, { good, read }) => {
  it('is_read_when_nothing_is_wrong', () => { read(Buffer.from(good())); });

  it.each(Object.entries(DAMAGES))('with_%s_is_refused_by_name_and_place', (_, [harm, named]) => {
    const refuse = (): unknown => read(Buffer.from(harm(good()) as string));
    expect(refuse).toThrow(BadFile);
    expect(refuse).toThrow(named);
    expect(refuse).toThrow(new RegExp(`^${name}: `));
  });
});

it.each(['plan.json', 'the event file'])('%s_that_is_too_large_is_refused_unread', name => {
  expect(() => READERS[name]!.read(Buffer.alloc((64 << 20) + 1, ' '))).toThrow(/has 67108865 bytes, more than /);
});

/** Mistakes in perf-lab.yaml, each with all that is told. */
const YAML: Readonly<Record<string, readonly [text: string | Buffer, told: readonly RegExp[]]>> = {
  'a byte order mark': [`\ufeff${CONFIG}`, [/starts with a byte order mark/]],
  'no UTF-8': [Buffer.concat([Buffer.from(CONFIG), Buffer.from([0x23, 0xff])]), [/is not UTF-8/]],
  'half a character': [`${CONFIG}workload: "\\ud83d"`, [/line 10, workload: holds half a character/]],
  'numbers that are none': [`${CONFIG}policy: { margin: 1e400, keep-p: .nan }`, [/line 10, policy\.margin: 1e400 is no/, /line 10, policy\.keep-p: \.nan is no/]],
  'a price that is none': [CONFIG.replace('0.19', '-.inf'), [/^perf-lab\.yaml, line 7, machines\.azure-d4s\.price-per-hour: -\.inf is no finite number$/]],
  'great depth': [`${CONFIG}deep: ${'['.repeat(40)}${']'.repeat(40)}`, [/line 10, deep\[0\]\[0\]: more than 32 levels deep/]],
  'one level too many': [`${CONFIG}deep: ${'['.repeat(33)}${']'.repeat(33)}`, [/line 10, deep\[0\]\[0\]: more than 32 levels deep/]],
  'two lists as names': [`${CONFIG}? [a]\n: 1\n? [a]\n: 1`, [/line 12, .*a.*: appears twice/]],
  'depth that the parser does not survive': [`${CONFIG}deep: ${'['.repeat(100_000)}`, [/more than 32 levels deep/]],
  'its end missing': [CONFIG.slice(0, CONFIG.length - 20), [/line (9|10): (?!a second document)/]],
  'members twice': [`${CONFIG.replace('kind: metal', 'kind: metal, kind: azure')}suites: {}`, [/line 8, machines\.ryzen\.kind: appears twice/, /line 10, suites: appears twice/]],
  'a member twice and a mistake elsewhere': [CONFIG.replace('kind: metal', 'kind: metal, kind: azure').replace('suite: pr', 'suite: 1'), [/machines\.ryzen\.kind: appears twice/, /github\.suite: /]],
  'a name that means the prototype': [`${CONFIG}__proto__: { suites: 1 }`, [/line 10, __proto__: a member of this name is refused/]],
  'a second document': [`${CONFIG}---\n{}`, [/line 10: a second document begins here/]],
  'aliases that grow': [`${CONFIG}a: &a [1]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: [*c,*c,*c]`, [/Excessive alias count/]],
  'aliases that grow, and a second document': [`${CONFIG}a: &a [1]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: [*c,*c,*c]\n---\n{}`, [/line 14: a second document begins here/]],
  'nothing that has a line': ['{ github: {} }', [/^perf-lab\.yaml, schema: missing$/]],
  'nothing in it': ['', [/the whole: Invalid input: expected object, received null/]],
  'too many bytes': [`${CONFIG}#${'x'.repeat(300_000)}`, [/has 3\d{5} bytes, more than 262144: refused unread/]],
  'a machine of unknown kind': [CONFIG.replace('kind: metal', 'kind: spaceship'), [/line 8, machines\.ryzen\.kind: is not one of azure, metal, hosted$/]],
  'a runner of one\'s own as a hosted machine': [CONFIG.replace('kind: metal', 'kind: hosted, runs-on: self-hosted'), [/line 8, machines\.ryzen\.runs-on: is not the full name of an image of GitHub's own runners/]],
  'an image that moves': [CONFIG.replace('kind: metal', 'kind: hosted, runs-on: ubuntu-latest'), [/line 8, machines\.ryzen\.runs-on: is not the full name/]],
  'an image of somebody else': [CONFIG.replace('kind: metal', 'kind: hosted, runs-on: my-ubuntu-24.04'), [/line 8, machines\.ryzen\.runs-on: is not the full name/]],
  'suites that are a number': [CONFIG.replace(/suites:\n(  .*\n){2}/, 'suites: 7\n'), [/line 3, suites: Invalid input: expected record/]],
  'labels as an image': [CONFIG.replace('kind: metal', 'kind: hosted, runs-on: [ubuntu-24.04, gpu]'), [/line 8, machines\.ryzen\.runs-on: /]],
  'an expression as an image': [CONFIG.replace('kind: metal', 'kind: hosted, runs-on: "${{ github.token }}"'), [/line 8, machines\.ryzen\.runs-on: is not the full name/]],
  'a second label in an image': [CONFIG.replace('kind: metal', 'kind: hosted, runs-on: "ubuntu-24.04\\n"'), [/line 8, machines\.ryzen\.runs-on: is not the full name/]],
  'an image of a machine of one\'s own': [CONFIG.replace('kind: metal', 'kind: metal, runs-on: ubuntu-24.04'), [/line 8, machines\.ryzen\.runs-on: only a hosted machine has one/]],
  'a hosted machine with size and policy': [CONFIG.replace('kind: metal', 'kind: hosted, size: big, policy: metal'), [/line 8, machines\.ryzen\.size: a hosted machine has none/, /line 8, machines\.ryzen\.policy: a hosted machine has none/]],
  'a number of machines that stand ready': [CONFIG.replace('kind: metal', 'kind: metal, count: 2'), [/^perf-lab\.yaml, line 8, machines\.ryzen\.count: a machine that stands ready is one; take it out$/]],
  'a budget in percent': [`${CONFIG}budget: 5\n`, [/budget: /]],
  'a negative budget': [CONFIG.replace('minutes: 120, per-user-per-day: 10', 'minutes: -1, cost: -0.5, per-user-per-day: -1'), [/github\.budget\.minutes: /, /github\.budget\.cost: /, /github\.budget\.per-user-per-day: /]],
  'a machine of unknown policy': [CONFIG.replace('kind: metal', 'kind: metal, policy: none'), [/line 8, machines\.ryzen\.policy: is not one of azure, metal, any$/]],
  'a machine without a kind': [CONFIG.replace('{ kind: metal }', '{}'), [/line 8, machines\.ryzen\.kind: missing$/]],
  'a machine with a member that nobody knows': [CONFIG.replace('kind: metal', 'kind: metal, spot: true'), [/line 8, machines\.ryzen\.spot: unknown/]],
  'a machine with no name': [CONFIG.replace('ryzen:', 'Ryzen!:'), [/line 8, machines\.Ryzen!: is not a name/]],
  'cores of a machine': [CONFIG.replace('kind: metal', 'kind: metal, cpus: { workload: "2-3", lab: "0-1" }'), [/line 8, machines\.ryzen\.cpus: .*LAB_CPUS in \/etc\/perf-lab\/machine\.conf/]],
  'five mistakes': [CONFIG.replace('kind: metal', 'kind: x, policy: y, size: 1').replace('suite: pr', 'suite: 1, machines: 1'), [/ryzen\.kind/, /ryzen\.size/, /ryzen\.policy/, /github\.suite/, /github\.machines: unknown/]],
};

describe('perf-lab.yaml', () => {
  it.each(Object.entries(YAML))('with_%s_is_refused_by_line_and_member', (_, [text, told]) => {
    let lines: readonly string[] = [];
    try { readConfig(job.write('perf-lab.yaml', text)); } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      lines = error.sentences.slice(1).map(line => line.replace(/^- `|`$/g, ''));
    }
    expect(lines).toEqual(told.map(one => expect.stringMatching(one)));
  });
});

it('a_file_is_read_up_to_its_size', () => {
  const path = job.write('text', '12345');
  expect(readText(path, 'text', 5)).toBe('12345');
  expect(() => readText(path, 'text', 4)).toThrow('has 5 bytes, more than 4: refused unread');
});

it('perf_lab_yaml_may_have_32_levels', () => {
  expect(readConfig(job.write('perf-lab.yaml', `${CONFIG}deep: ${'['.repeat(32)}${']'.repeat(32)}`)).perUserPerDay).toBe(10);
});

it('perf_lab_yaml_with_a_budget_is_read', () => {
  expect(readConfig(job.write('perf-lab.yaml', CONFIG.replace('minutes: 120, per-user-per-day: 10', 'minutes: 30, cost: 1.5, per-user-per-day: 3'))).perUserPerDay).toBe(3);
});

it('a_comparison_that_is_none_is_named_in_the_comment', async () => {
  await (await Journey.accepted(fake)).journal().runner({ comparison: summary({ regressed: -1 }).replace('"failed":0', '"failed":"@org/team"') }).publish();
  expect(ownComments(fake)[0]).toContain('`perf-lab compare` ended with 0, and what it printed can\'t be used: `comparison.json: summary.regressed: Too small: expected number to be >=0; summary.failed: Invalid input: expected number, received string`.');
});
