import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from './fake/server.ts';
import { BASE, HEAD } from './fake/state.ts';
import { comment, ownComments, runGate } from './support/lab.ts';

let fake: FakeGitHub;
beforeAll(async () => { fake = await startFakeGitHub(); });
afterAll(() => fake.stop());
beforeEach(() => { fake.reset(); });

describe('the gate', () => {
  it('turns_a_command_into_a_request_a_comment_and_a_check', async () => {
    const { code, outputs, request } = await runGate(fake, comment(fake, '/benchmark pr --runtime net8.0,net10.0 --pgo on'));
    expect(code).toBe(0);
    expect(request).toEqual({
      schema: 'perf-lab/request/1', repository: 'example/library', pullRequest: 5, commentId: 1001, requesterId: 42, base: BASE, head: HEAD,
      words: { suite: 'pr', workloads: [], runtimes: ['net8.0', 'net10.0'], pgo: ['on'], gc: [], frameworks: [], machine: null, rounds: null },
    });
    expect(outputs).toMatchObject({ decision: 'run', head: HEAD, base: BASE, 'pull-request': '5', 'comment-id': '1001', 'requester-id': '42', machine: 'azure-d4s', 'machine-kind': 'azure' });
    expect(fake.state.reactions).toEqual([{ comment: 1001, content: 'eyes', user: 7 }]);
    expect(ownComments(fake)).toHaveLength(1);
    expect(ownComments(fake)[0]).toMatch(/^<!-- perf-lab:v1 pr=5 req=1001 -->\n<!-- perf-lab:state stage=accepted run=900 by=42 /);
    expect(fake.state.checks).toMatchObject([{ name: 'perf-lab', head_sha: HEAD, external_id: '1001', status: 'queued' }]);
  });

  it('reacts_before_it_does_anything_else', async () => {
    await runGate(fake, comment(fake, '/benchmark'));
    expect(fake.calls()[0]).toBe('POST /issues/comments/:id/reactions');
  });
});
