import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { engine } from './hosted.ts';
import { keep, keepCalls } from './pictures.ts';
import { Request } from './request.ts';

let request: Request | undefined;
afterAll(async () => {
  if (request !== undefined) process.stdout.write(`the slowest steps of the pull request:\n${request.slowest}`);
  await request?.end();
}, 60_000);

const edit = (file: string, from: string | RegExp, to: string): void => {
  const text = readFileSync(file, 'utf8'), changed = text.replace(from, to);
  if (changed === text) throw new Error(`${file} does not hold ${from}`);
  writeFileSync(file, changed);
};

const left = process.env['PERF_LAB_TEST_ALL'] !== '1';
if (left) process.stdout.write('perf-lab measures a pull request of its own: left out, it takes minutes (`./perf-lab test --all`)\n');

/** A pull request of perf-lab itself, with everything real but GitHub and the machine's power: the published runner, a .NET workload built from two commits, an engine. */
it.skipIf(left)('perf-lab measures a pull request of its own', async () => {
  request = await Request.run({
    itself: true,
    command: '/benchmark --workload channel-actors --runtime net10.0 --rounds 0+13',
    prepare: checkout => { edit(join(checkout, 'workloads/channel-actors/workload.yaml'), /launch: .*/, 'launch: { warm-up: 0.1s, measure: 0.2s, timeout: 30s }'); },
    change: checkout => { edit(join(checkout, 'workloads/actors/bare/Actor.cs'), 'Receive(message);', 'Thread.SpinWait(400);\n                Receive(message);'); },
    before: job => (/lab-(up|down)$/.test(job) ? 'success' : undefined),
  });
  expect(request.results, request.story).toEqual({ benchmark: 'success' });
  expect(request.comment).toContain('### perf-lab: 1 regressed');
  expect(request.comment).toContain(`executor: \`${engine()['DOCKER_HOST'] === undefined ? 'process' : 'docker'}\``);
  expect(request.check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
  expect(request.fake.seen.length).toBeLessThanOrEqual(45);
  keep('measured', request.comment, request);
  keepCalls(request.fake.calls());
}, 600_000);
