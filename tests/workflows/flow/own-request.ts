import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Asked } from './request.ts';

/** Fails when the text is not there: a request that changes nothing would measure nothing. */
export function edit(file: string, from: string | RegExp, to: string): void {
  const text = readFileSync(file, 'utf8'), changed = text.replace(from, to);
  if (changed === text) throw new Error(`${file} does not hold ${from}`);
  writeFileSync(file, changed);
}

/** A pull request of perf-lab itself that makes a .NET workload slower, with launches of a fraction of a second. Each step is told as it ends: all of it takes a quarter of an hour. */
export const OWN_REQUEST: Asked = {
  itself: true,
  command: '/benchmark --workload channel-actors --runtime net10.0 --rounds 0+13',
  prepare: checkout => { edit(join(checkout, 'workloads/channel-actors/workload.yaml'), /launch: .*/, 'launch: { warm-up: 0.1s, measure: 0.2s, timeout: 30s }'); },
  change: checkout => { edit(join(checkout, 'workloads/actors/bare/Actor.cs'), '                Receive(message);', '                Thread.SpinWait(1);\n                Receive(message);'); },
  told: ({ job, step, code, seconds }) => { process.stdout.write(`  ${seconds.toFixed(1).padStart(6)} s  ${job}, ${step}${code === 0 ? '' : `: exit ${code}`}\n`); },
};
