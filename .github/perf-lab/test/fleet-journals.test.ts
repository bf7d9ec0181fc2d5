import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { fetchJournals, type Journals } from '../src/fleet/journals.ts';
import type { Shard } from '../src/fleet/shards.ts';
import type { AtHand } from '../src/thread/request-at-hand.ts';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { Job, testClient } from './support/lab.ts';
import { sha256 } from './support/request.ts';
import { zip } from './support/zip.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(async () => { Job.removeAll(); await fake.stop(); });
beforeEach(() => { fake.reset(); });

const AT = { owner: 'example', repo: 'library', runId: 900, runAttempt: 1, apiUrl: '', serverUrl: 'https://github.com' };
const header = (shard: unknown): string => `${JSON.stringify({ kind: 'session', shard })}\n`;
const nothingOf = (number: number): Shard => ({ number, shard: number, result: 'failure', id: null, digest: null });

function uploaded(number: number, content: string): Shard {
  const archive = zip([{ name: 'samples.ndjson', data: Buffer.from(content) }]), id = ++fake.state.lastId;
  fake.state.artifacts.push({ id, name: `samples-shard-${number}`, run: 900, zip: archive });
  return { number, shard: number, result: 'success', id, digest: sha256(archive) };
}

async function fetched(...shards: Shard[]): Promise<Journals & { readonly there: readonly string[] }> {
  const folder = new Job(fake).path('.');
  const journals = await fetchJournals({ gh: testClient(fake), at: { ...AT, apiUrl: fake.url } } as unknown as AtHand, shards, folder);
  return { ...journals, there: fs.readdirSync(folder).filter(name => name.endsWith('.ndjson')) };
}

it('no_machine_that_said_a_journal_is_no_journal', async () => {
  expect(await fetched(nothingOf(1), nothingOf(2))).toEqual({ journal: { kind: 'none' }, files: [], there: [] });
});
it('all_refused_is_refused_with_each_reason', async () => {
  expect(await fetched(uploaded(1, header(7)), uploaded(2, 'null\n'))).toEqual({
    journal: { kind: 'refused', sentence: 'Machine 1: The journal was refused: it says it is shard `7`. Machine 2: The journal was refused: it says it is shard `null`.' }, files: [], there: [],
  });
});
it('one_that_counts_is_kept_with_the_reasons_of_the_others', async () => {
  expect(await fetched(uploaded(1, header(1)), uploaded(2, header(-1.2345678901234567e-300)), nothingOf(3))).toEqual({
    journal: { kind: 'there', notes: ['Machine 2: The journal was refused: it says it is shard `-1.2345678901234568e`.'] }, files: ['samples-1.ndjson'], there: ['samples-1.ndjson'],
  });
});
it.each([[404, true], [403, false], [500, false]])('an_artifact_that_GitHub_answers_%i_for_costs_its_own_cells_only: %s', async (status, isGone) => {
  const shards = [uploaded(1, header(1)), uploaded(2, header(2))], path = `/artifacts/${shards[1]!.id}`;
  fake.fault = call => (call.path.endsWith(path) ? { status, json: { message: 'not now' } } : undefined);
  const found = fetched(...shards);
  if (isGone) expect(await found).toMatchObject({ journal: { kind: 'there', notes: ['Machine 2: The journal was refused: `the artifact samples-shard-2 is gone: it was uploaded, and something deleted it`.'] }, files: ['samples-1.ndjson'] });
  else await expect(found).rejects.toMatchObject({ status });
});
