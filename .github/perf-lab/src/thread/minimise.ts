import * as z from 'zod';
import { graphql } from '../github/graphql.ts';
import type { OwnComment, Thread } from './comments.ts';
import { isEnd, readState } from './state.ts';

const MOST = 20;

/** Minimises, as outdated, our finished comments of earlier requests: one call for all of them. What still runs stays open. */
export async function minimiseOlder({ gh }: Thread, comments: readonly OwnComment[], request: number, note: (text: string) => void): Promise<void> {
  const older = comments.filter(({ marker, body }) => {
    const state = readState(body);
    return 'request' in marker && marker.request < request && state !== null && isEnd(state.stage);
  }).slice(-MOST);
  if (older.length === 0) return;
  const ids = Object.fromEntries(older.map(({ nodeId }, i) => [`id${i}`, nodeId]));
  const names = Object.keys(ids);
  const mutation = `mutation(${names.map(name => `$${name}: ID!`).join(', ')}) {
    ${names.map((name, i) => `m${i}: minimizeComment(input: { subjectId: $${name}, classifier: OUTDATED }) { minimizedComment { isMinimized } }`).join('\n    ')}
  }`;
  try {
    await graphql(gh, mutation, ids, z.unknown(), 'minimised comments');
  } catch (error) {
    note(`older comments could not be minimised: ${(error as Error).message}`);    // looks only: not worth failing for
  }
}
