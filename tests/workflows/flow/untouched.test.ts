import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeJournal } from './made-journal.ts';
import { commentPage, held } from './pictures.ts';
import { requests } from './requests.ts';

const run = requests();
const ROWS = 200;

const edit = (file: string, from: string, to: string): void => {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
  writeFileSync(file, text.replace(from, to));
};

/** Two hundred rows that differ by a name, as benchmarks do, and time for them. */
const many = (checkout: string): void => {
  const names = Array.from({ length: ROWS }, (_, index) => `M${String(index + 1).padStart(3, '0')}`).join(', ');
  edit(join(checkout, 'workloads/primes/workload.yaml'), 'parameters:\n', `parameters:\n  benchmark: { default: M001, values: [${names}] }\n`);
  edit(join(checkout, 'perf-lab.yaml'), 'suites:\n', `suites:\n  many: { workloads: [primes], set: { benchmark: [${names}] } }\n`);
  edit(join(checkout, 'perf-lab.yaml'), 'minutes: 120', 'minutes: 1200');
};

/** Names come from a stranger's assembly. */
const hostile = 'Evil.`|</details>\u202E@alice';
const change = {
  methods: ['Sieve.Next', 'Sieve.Strike', hostile, 'Sieve.Old'],
  runs: { c017: ['Sieve.Next'], c101: ['Sieve.Next', 'Sieve.Strike'], c150: ['Sieve.Strike'], c200: [hostile] },
};

it('a request of 200 rows, of which the change can touch 4, measures these and says so', async () => {
  const request = await run({
    command: '/benchmark many', prepare: many, change: () => undefined,
    before: (job, one) => {
      if (/lab-(up|down)$/.test(job)) return 'success';
      if (!job.endsWith('/measure')) return undefined;
      const plan = one.file('benchmark.plan/plan.json');
      return { result: 'success', outputs: one.measured(makeJournal({ plan, effects: { c017: -0.12, c101: 0, c150: 0, c200: 0 }, noise: 0.004, change })) };
    },
  });
  expect(request.results, request.story).toEqual({ benchmark: 'success' });
  expect(request.comment, request.story).toMatch(/### perf-lab: M017 is 1\d\.\d % slower.*196 of 200 not measured: nothing that they run changed/);
  expect(request.comment).toContain('196 of 200 benchmarks not measured: nothing that they run changed');
  expect(request.comment).toContain('changed, run by no benchmark: ');
  expect(request.comment.length).toBeLessThanOrEqual(60_000);
  expect(request.comment).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
  // No name of a stranger closes a fold or calls anybody: as a page it stands in code.
  const page = commentPage(request.comment);
  expect(page.split('<details>').length).toBe(page.split('</details>').length);
  expect(page.replace(/<code>[^<]*<\/code>/g, '')).not.toMatch(/@alice(?!, the answer)/);
  expect(request.check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
  const { now, kept } = held('untouched', request.comment, request);
  expect(now).toBe(kept);
}, 300_000);
