import { createRequire } from 'node:module';
import fs from 'node:fs';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cancel } from '../src/cancel.ts';
import { runner } from '../src/runner.ts';
import { RequestFile } from '../src/request/request.ts';
import { startFakeGitHub, type Call, type FakeGitHub } from './fake/server.ts';
import { NOW, HEAD } from './fake/state.ts';
import { comment, runGate, testClient } from './support/lab.ts';
import { Journey } from './support/request.ts';

interface Operation { parameters?: ({ $ref: string } | { name: string; in: string })[]; requestBody?: { content: Record<string, unknown> } }
interface Api { paths: Record<string, Record<string, Operation>>; components: { parameters: Record<string, { name: string; in: string }> } }

// GitHub's own description of its REST API, from the package that Octokit's types are made of.
const api = JSON.parse(fs.readFileSync(createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json'), 'utf8')) as Api;
const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
ajv.addSchema(api as object, 'api');

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());

// Of several templates that fit, the one with the fewest parameters, as GitHub routes.
function templateOf({ method, path }: Call): string | undefined {
  return Object.keys(api.paths)
    .filter(template => api.paths[template]![method.toLowerCase()] && new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path))
    .sort((a, b) => a.split('{').length - b.split('{').length)[0];
}

const escape = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

function problems(call: Call): string[] {
  if (call.path === '/graphql') return [];
  const template = templateOf(call);
  if (template === undefined) return [`${call.method} ${call.path}: GitHub has no such call`];
  const method = call.method.toLowerCase();
  const { parameters = [], requestBody } = api.paths[template]![method]!;
  const names = parameters.map(p => ('$ref' in p ? api.components.parameters[p.$ref.split('/').at(-1)!]! : p)).filter(p => p.in === 'query').map(p => p.name);
  const unknown = [...call.query.keys()].filter(name => !names.includes(name)).map(name => `${method} ${template}: no parameter ${name}`);
  if (requestBody === undefined || call.body === undefined) return unknown;
  const pointer = ['paths', template, method, 'requestBody', 'content', 'application/json', 'schema'].map(escape).map(encodeURIComponent).join('/');
  const validate = ajv.compile({ $ref: `api#/${pointer}` });
  return validate(call.body) ? unknown : [...unknown, `${method} ${template}: ${ajv.errorsText(validate.errors)}`];
}

it('every_call_of_every_command_is_one_that_github_describes', async () => {
  fake.state.runs.push({ id: 901, workflow_id: 3, event: 'issue_comment', status: 'in_progress' });
  const journey = (await Journey.accepted(fake, { text: `/benchmark ${HEAD.slice(0, 12)}` })).journal().runner();
  await journey.status('plan');
  await journey.status('measuring');
  fake.state.comments = fake.state.comments.filter(c => c.id !== Number(journey.job.env['PERF_LAB_STATUS_COMMENT']));
  await journey.publish();
  await runGate(fake, comment(fake, '/benchmark x y'));
  await runGate(fake, comment(fake, '/benchmark x z'));
  await cancel(testClient(fake), { ...journey.job.env, GITHUB_RUN_ID: '1', PERF_LAB_RUN_TO_CANCEL: '901' });
  const clock = { now: () => NOW, wait: async () => {}, note: () => {} };
  const env = { ...journey.job.env, PERF_LAB_JIT_FILE: journey.job.path('jit') };
  await runner('register', testClient(fake), env, clock);
  const id = String(fake.state.runners[0]!.id);
  await runner('wait', testClient(fake), { ...env, PERF_LAB_RUNNER_ID: id }, clock);
  await runner('remove', testClient(fake), { ...env, PERF_LAB_RUNNER_ID: id }, clock);
  expect(new Set(fake.calls()).size).toBeGreaterThan(22);
  expect([...new Set(fake.seen.flatMap(problems))]).toEqual([]);
  journey.job.remove();
});

it('the_contract_would_notice', () => {
  const call = (method: string, path: string, body: unknown, query = '') => problems({ method, path, body, query: new URLSearchParams(query) } as Call);
  expect(call('POST', '/repos/o/r/issues/comments/5/reactions', { content: 'applause' })).not.toEqual([]);
  expect(call('POST', '/repos/o/r/actions/runners/generate-jitconfig', { name: 'n', labels: ['x'] })).not.toEqual([]);
  expect(call('GET', '/repos/o/r/pulls/5', undefined, 'pages=2')).not.toEqual([]);
  expect(call('GET', '/repos/o/r/pull/5', undefined)).not.toEqual([]);
});

it('request_json_follows_the_schema_that_the_runner_reads_by', () => {
  const schema = JSON.parse(fs.readFileSync(new URL('../../../schemas/request.schema.json', import.meta.url), 'utf8')) as { properties: { words: { properties: object } } };
  const example = JSON.parse(fs.readFileSync(new URL('../../../tests/fixtures/formats/request.json', import.meta.url), 'utf8')) as { words: object };
  const validate = new Ajv({ strict: false }).compile(schema);
  for (const change of [{}, { base: 'x' }, { more: 1 }, { words: { ...example.words, pgo: ['maybe'] } }, { words: { ...example.words, rounds: '8' } }, { words: { ...example.words, suite: 'A' } }, { repository: 'a/b/c' }, { pullRequest: 0 }]) {
    const request = { ...example, ...change };
    expect([JSON.stringify(change), RequestFile.safeParse(request).success]).toEqual([JSON.stringify(change), validate(request)]);
  }
  expect(Object.keys(RequestFile.shape)).toEqual(Object.keys(schema.properties));
});
