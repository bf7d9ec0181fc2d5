import fs from 'node:fs';
import { expect, it } from 'vitest';
import { EXIT_CODES } from '../src/gate/refusal.ts';
import { COMMENT_CHARS } from '../src/publish/final-body.ts';
import { MAX_COMMAND_CHARS } from '../src/request/command.ts';
import { LIMIT_MS, POLL_MS, QUIET_MS } from '../src/runner/wait.ts';

const page = fs.readFileSync(new URL('../../../docs/github.md', import.meta.url), 'utf8');

it('docs_list_every_refusal_with_its_exit_code', () => {
  const rows = Object.fromEntries([...page.matchAll(/^\| `([a-z-]+)` \| ([0-9]+) \|/gm)].map(([, code, exit]) => [code, Number(exit)]));
  expect(rows).toEqual(EXIT_CODES);
});

it('docs_state_the_constants_of_the_code', () => {
  expect(page).toContain(`at most ${MAX_COMMAND_CHARS} characters`);
  expect(page).toContain(`cut to ${COMMENT_CHARS.toLocaleString('en')} characters`);
  expect(page).toContain(`quiet for ${QUIET_MS / 1000} s, asks every ${POLL_MS / 1000} s, and gives up after ${LIMIT_MS / 60_000} minutes`);
});

it('no_lock_file_names_a_registry', () => {
  expect(fs.readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')).not.toContain('"resolved"');
});
