// Own time of the gate as a process: from its start to the first reaction arriving at GitHub, and to its end. Real pacing, fake GitHub on
// loopback. The file that jobs start, by the Node that starts this: node bench/first-reaction.ts [runs]
import { spawn } from 'node:child_process';
import { startFakeGitHub } from '../test/fake/server.ts';
import { comment, Job } from '../test/support/lab.ts';

const runs = Number(process.argv[2] ?? 10);
const fake = await startFakeGitHub();
const first: number[] = [];
const whole: number[] = [];
for (let i = 0; i < runs; i++) {
  fake.reset();
  const job = new Job(fake, { PATH: process.env['PATH'] ?? '' });
  job.write('event.json', JSON.stringify(comment(fake, `/benchmark ${'a'.repeat(40)}`)));
  const started = performance.now();
  let reaction = NaN;
  fake.fault = call => { if (call.path.endsWith('/reactions')) reaction = performance.now() - started; return undefined; };
  const gate = spawn(process.execPath, [new URL('../dist/gate.mjs', import.meta.url).pathname], { env: job.env, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise(done => { gate.on('exit', done); });
  if (code !== 0 || fake.state.checks.length !== 1) throw new Error(`the gate ended with ${String(code)}`);
  first.push(reaction);
  whole.push(performance.now() - started);
  job.remove();
}
await fake.stop();

const say = (what: string, values: number[]): void => {
  const sorted = values.toSorted((a, b) => a - b);
  process.stdout.write(`${what}: median ${(sorted[Math.floor(sorted.length / 2)]! / 1000).toFixed(2)} s, ${(sorted[0]! / 1000).toFixed(2)} to ${(sorted.at(-1)! / 1000).toFixed(2)} s, ${runs} runs, Node ${process.version}\n`);
};
say('process start to first reaction', first);
say('process start to its end', whole);
