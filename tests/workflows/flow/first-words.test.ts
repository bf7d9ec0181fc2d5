import { expect, it } from 'vitest';
import { requests } from './requests.ts';
import { keepFirstWords } from './whole-request.ts';

const run = requests();

/** Seconds from the start of the gate's job, its first step included, until a reaction is at GitHub, and to the job's end. */
async function firstWords(): Promise<{ reaction: number; end: number }> {
  let started = NaN, reaction = NaN;
  const request = await run({
    command: '/benchmark help', change: () => undefined,
    before: (job, { fake }) => {
      if (job === 'benchmark/gate') started = performance.now();
      fake.fault = call => { if (call.path.endsWith('/reactions') && Number.isNaN(reaction)) reaction = performance.now(); return undefined; };
      return undefined;
    },
  });
  expect(request.comment, request.story).toContain('suites: `pr`, `wide`');
  expect(request.fake.state.reactions.map(({ content }) => content)).toContain('eyes');
  const seconds = request.runner.log.filter(({ job, isWhole }) => job === 'benchmark/gate' && !isWhole).reduce((sum, line) => sum + line.seconds, 0);
  return { reaction: (reaction - started) / 1000, end: seconds };
}

it('somebody who comments sees within ten seconds of the job\'s start that he was heard', async () => {
  const all = [];
  for (let i = 0; i < 5; i++) all.push(await firstWords());
  expect(Math.max(...all.map(({ reaction }) => reaction))).toBeLessThanOrEqual(10);
  keepFirstWords(all);
}, 120_000);
