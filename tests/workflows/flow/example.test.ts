import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { repository } from '../rules/files.ts';
import { engine } from './hosted.ts';
import { isNightly } from './nightly.ts';
import { keep } from './pictures.ts';
import { Request } from './request.ts';

let request: Request | undefined;
afterAll(async () => {
  if (request !== undefined) process.stdout.write(`the slowest steps of the empty repository:\n${request.slowest}`);
  await request?.end();
}, 60_000);

const OWNER = 'your-organisation';
const page = readFileSync(join(repository, 'docs/pull-requests.md'), 'utf8');
/** What the page tells people to type. */
const commands = [...page.matchAll(/<!-- commands: .* -->\n```bash\n([^]*?)```/g)].map(([, text]) => text!);

// What moved is measured again three minutes later: that wait is for `--all`.
const command = isNightly ? '/benchmark' : '/benchmark --sessions 1';
const left = !isNightly && process.env['CI'] !== 'true';
if (left) process.stdout.write('an empty repository follows docs/pull-requests.md: left out, it builds and measures for minutes (`./perf-lab test --all`)\n');

it('the page leads through an empty repository in three blocks', () => {
  expect(commands).toHaveLength(3);
  expect(commands.join('')).toContain(OWNER);
});

/** Event to comment on GitHub's own runner, as far as one computer can play it: real builds, real launches, the workflow files' own steps, no machine of one's own. */
it.skipIf(left)('an empty repository gets a verdict by what the page says', async () => {
  request = await Request.run({
    page: { commands: commands.join(''), owner: OWNER },
    command,
    change: checkout => {
      const file = join(checkout, 'src/Library/Numbers.cs'), text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace('public static long Sum(string list) => ', 'public static long Sum(string list) => Again(list) / 2 + Again(list) / 2 + Again(list) % 2;\n\n    private static long Again(string list) => '));
    },
  });
  expect(request.results, request.story).toEqual({ benchmark: 'success' });
  expect(request.comment, request.story).toMatch(/### perf-lab: .+ is [0-9.]+( %|x) slower/);
  expect(request.comment).toContain(`executor: \`${engine()['DOCKER_HOST'] === undefined ? 'process' : 'docker'}\``);
  expect(request.comment).toContain('measured on one of GitHub\'s own runners');
  expect(request.check).toMatchObject({ status: 'completed', conclusion: 'neutral' });
  expect(request.runner.labels['benchmark/machine/measure']).toEqual(['ubuntu-24.04']);
  expect(request.runner.log.map(({ job }) => job).filter(job => /lab-(up|down)/.test(job))).toEqual([]);
  keep('hosted', request.comment, request);
}, 900_000);
