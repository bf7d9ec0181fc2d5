import { Minimised } from '../github/answers.ts';
import { graphql } from '../github/graphql.ts';
import { deleteComment, findComment, postComment, updateComment, type OwnComment, type Thread } from './comments.ts';
import type { Marker } from './marker.ts';
import { isEnd, readState, STAGES, type Stage, type State } from './state.ts';
import type { Workplace } from '../process/environment.ts';

/** The comment of one request, wherever its life stands. `known`: its id from an earlier job, which saves looking for it. */
export interface Living {
  readonly thread: Thread;
  readonly marker: Marker;
  readonly known: number | null;
}

/** The comment as it is now; null when somebody deleted it or took its marker away. */
export const findLiving = async ({ thread, marker, known }: Living): Promise<OwnComment | null> =>
  known === null ? null : await findComment(thread, known, marker);

/** Sets the text, in the comment that was found or in a new one. */
export const setLiving = async ({ thread, marker }: Living, found: OwnComment | null, body: string): Promise<OwnComment> =>
  found === null ? await postComment(thread, marker, body) : await updateComment(thread, found, body);

/** The end that this very attempt has already told, or null: what comes late then keeps quiet. */
export const endOf = (found: OwnComment | null, at: Workplace): Stage | null => endOfState(found === null ? null : readState(found.body), at);

export function endOfState(state: State | null, at: Workplace): Stage | null {
  const isThisOne = state?.run === at.runId && state.attempt === at.runAttempt;
  return isThisOne && isEnd(state.stage) ? state.stage : null;
}

/** Whether this very attempt has said more already: jobs that tell progress wait for the same ones and end in no order. */
export function isBehind(stage: Stage, state: State | null, at: Workplace): boolean {
  return state?.run === at.runId && state.attempt === at.runAttempt && STAGES.indexOf(state.stage) > STAGES.indexOf(stage);
}

/** Our comment as it stands, with what others wrote into it since; null where it is to be written anew. */
export interface Standing { readonly comment: OwnComment | null; readonly body: string }

/** A comment that somebody minimised would hide the verdict: it goes, and the verdict comes as a new one. */
export async function dropWhenMinimised(thread: Thread, found: OwnComment): Promise<Standing> {
  const query = 'query($id: ID!) { node(id: $id) { ... on IssueComment { isMinimized body } } }';
  const { node } = await graphql(thread.gh, query, { id: found.nodeId }, Minimised, 'our comment'), body = node?.body ?? '';
  if (node?.isMinimized !== true) return { comment: found, body };
  await deleteComment(thread, found.id);
  return { comment: null, body };
}
