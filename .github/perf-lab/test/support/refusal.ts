import { expect } from 'vitest';
import { EXIT_CODES, type RefusalCode } from '../../src/request/refusal.ts';
import type { FakeGitHub } from '../fake/server.ts';
import { ownComments, runGate } from './lab.ts';

/** The whole of a refusal: exit code, outputs, one reply, no request, no check. Returns the reply. */
export async function expectRefusal(fake: FakeGitHub, code: RefusalCode, event: unknown, more: Parameters<typeof runGate>[2] = {}): Promise<string> {
  const result = await runGate(fake, event, more);
  expect(result.outputs).toEqual({ decision: 'refused', code });
  expect(result.code).toBe(EXIT_CODES[code]);
  expect(result.request).toBeNull();
  expect(fake.state.checks).toEqual([]);
  const replies = ownComments(fake).filter(body => body.includes(' reply='));
  expect(replies).toHaveLength(1);
  return replies[0]!;
}
