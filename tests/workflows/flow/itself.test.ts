import { afterAll, expect, it } from 'vitest';
import { engine } from './hosted.ts';
import { isNightly } from './nightly.ts';
import { OWN_REQUEST } from './own-request.ts';
import { keep, keepCalls } from './pictures.ts';
import { Request } from './request.ts';

let request: Request | undefined;
afterAll(async () => {
  if (request !== undefined) process.stdout.write(`the slowest steps of the pull request:\n${request.slowest}`);
  await request?.end();
}, 60_000);

const left = !isNightly;
if (left) process.stdout.write('perf-lab measures a pull request of its own: left out, it takes minutes (`./perf-lab test --all`)\n');

/** A pull request of perf-lab itself, with everything real but GitHub and the machine's power: the published runner, a .NET workload built from two commits, an engine. */
it.skipIf(left)('perf-lab measures a pull request of its own', async () => {
  request = await Request.run({
    ...OWN_REQUEST,
    before: job => (/lab-(up|down)$/.test(job) ? 'success' : undefined),
  });
  expect(request.results, request.story).toEqual({ benchmark: 'success' });
  expect(request.comment).toMatch(/### perf-lab: .+ is [0-9.]+( %|x) slower/);
  expect(request.comment).toContain(`executor: \`${engine()['DOCKER_HOST'] === undefined ? 'process' : 'docker'}\``);
  expect(request.check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
  expect(request.fake.seen.length).toBeLessThanOrEqual(45);
  keep('measured', request.comment, request);
  keepCalls(request.fake.calls());
}, 1_200_000);
