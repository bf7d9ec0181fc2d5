import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { failureOf } from './github/client.ts';
import { clientFrom, required, runUrl } from './process/environment.ts';
import { explain, main, say } from './process/main.ts';
import { writeOutputs, writeSummary } from './process/outputs.ts';
import { idFrom, takeRequest, type AtHand } from './thread/request-at-hand.ts';
import type { Ending } from './publish/ending.ts';
import { finalBody, type Around } from './publish/final-body.ts';
import { findEnding } from './publish/find-ending.ts';
import { pullRequestNow } from './publish/moved.ts';
import { requesterOf } from './publish/requester.ts';
import { spoken } from './request/first-word.ts';
import { snippetFold, stateOf } from './thread/bodies.ts';
import { setCheck, stateOfCheck } from './thread/check.ts';
import { isClosedForComments, ownComments, type OwnComment } from './thread/comments.ts';
import { dropWhenMinimised, endOf, endOfState, setLiving } from './thread/living.ts';
import { markerLine } from './thread/marker.ts';
import { acceptedIn, withSentences } from './thread/accepted.ts';
import { minimiseOlder } from './thread/minimise.ts';
import { react } from './thread/reactions.ts';
import { staleTrend } from './trend/last-success.ts';

/** What `publish` said and `decorate` adds to. A file of this job between two of its steps: nothing that is hostile writes here. */
interface Said { readonly ending: Ending; readonly comment: OwnComment }

/**
 * Fetches the journal, has the runner judge it, and says the last word. First where it needs no call: the job's summary. Then comment and check. What only
 * decorates them is `decorate`'s, after the files are kept. Running it again changes nothing.
 */
export async function publish(hand: AtHand): Promise<number> {
  const { living, at, env } = hand;
  const said = required(env, 'PERF_LAB_SAID');
  rmSync(said, { force: true });    // an earlier attempt's, on a machine that keeps files
  const isRefused = env['PERF_LAB_PLANNED'] === 'refused';
  const ending = await findEnding(hand);
  if (!isRefused) writeSummary(env, spoken([`### perf-lab: ${ending.title}`, ending.reports.jobSummary + snippetFold(hand.request).map(line => `\n${line}`).join('')].join('\n\n'), at.word));
  const known = await ownComments(living.thread);
  const found = known.find(comment => markerLine(comment.marker) === markerLine(living.marker)) ?? null;
  if (endOf(found, at) === 'refused' || (isRefused && found === null && await isRefusedInCheck(hand))) {
    writeOutputs(env, { ending: 'refused' });    // the plan was refused; `status` has said all there is
    return 0;
  }
  const plain = finalBody(hand, ending, NOTHING_AROUND);
  let comment = found;
  try {
    // An end of this very attempt is the one that is decorated already: taking that off and putting it on again would notify twice.
    if (endOf(found, at) === null) comment = await post(hand, found, plain);
  } finally {
    await check(hand, ending, plain);    // that no comment can be written is no reason to keep the check back
  }
  writeOutputs(env, { ending: ending.stage });
  if (comment !== null) writeFileSync(said, JSON.stringify({ ending, comment } satisfies Said));
  if (ending.stage === 'done') await minimiseOlder(living.thread, known, hand.request.commentId, say);    // without a verdict, the last one stays in sight
  await react(hand.gh, at, hand.request.commentId, ending.reaction, say);
  return ending.isUnfinished === true ? 1 : 0;
}

/** In a locked conversation there is no comment, and the check says what `status` told. */
const isRefusedInCheck = async ({ gh, at, request, check: known }: AtHand): Promise<boolean> =>
  endOfState(await stateOfCheck({ gh, at, head: request.head, request: request.commentId }, known), at) === 'refused';

const NOTHING_AROUND: Around = { now: { moved: [], again: null }, requester: null, stale: null, page: null };

/** Null: the conversation takes no comments any more. */
async function post({ living }: AtHand, found: OwnComment | null, body: string): Promise<OwnComment | null> {
  try {
    return await setLiving(living, found, body);
  } catch (error) {
    if (!isClosedForComments(error)) throw error;
    say(`the conversation takes no comments any more, the result is in the job summary: ${explain(error)}`);
    return null;
  }
}

async function check({ gh, at, request, machine, check: known }: AtHand, ending: Ending, body: string): Promise<void> {
  const summary = [...(ending.whyNeutral === null ? [] : [`Neutral: ${ending.whyNeutral}`, '']), body].join('\n');
  try {
    await setCheck({ gh, at, head: request.head, request: request.commentId },
      { status: 'completed', conclusion: ending.conclusion, title: ending.title, summary, url: runUrl(at), state: stateOf(ending.stage, { request, at, machine }) }, known ?? undefined);
  } catch (error) {
    if (!isCommitGone(error)) throw error;
    say(`GitHub does not have the measured commit any more, so it gets no check: ${explain(error)}`);
  }
}

/** A commit that was force-pushed away may be gone, and no check can be made for it: the comment has told. */
const isCommitGone = (error: unknown): boolean => /No commit found/i.test(failureOf(error).message);

/**
 * Who asked, which notifies him; what became of the pull request; whether the weekly trend stands still; that nobody hid the comment; where the page is, which has an
 * address once it is uploaded. None of it is the answer: what can't be told is left out with a note.
 */
export async function decorate(hand: AtHand): Promise<void> {
  const { gh, at, request, living, now, env } = hand;
  const file = required(env, 'PERF_LAB_SAID');
  if (!existsSync(file)) return;    // nothing was said, and why stands above
  const { ending, comment } = JSON.parse(readFileSync(file, 'utf8')) as Said;
  const around: Around = {
    now: await orNote('what became of the pull request', NOTHING_AROUND.now, () => pullRequestNow(gh, at, request)),
    requester: await orNote('who asked', null, () => requesterOf(gh, at, request)),
    stale: await orNote('whether the weekly trend still runs', null, () => staleTrend(gh, at, now)),
    page: idFrom(env, 'PERF_LAB_PAGE_ID'),
  };
  await orNote('the comment\'s frame', null, async () => {
    const { comment: standing, body } = await dropWhenMinimised(living.thread, comment);
    await setLiving(living, standing, withSentences(finalBody(hand, ending, around), acceptedIn(body)));    // somebody may have accepted it since
  });
}

async function orNote<T>(what: string, without: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    say(`${what} could not be told: ${explain(error)}`);
    return without;
  }
}

main(import.meta.url, async () => {
  const hand = await takeRequest(clientFrom(process.env, { log: say, maxWaitSeconds: 900 }), process.env, Date.now());
  if (process.argv[2] !== 'decorate') return await publish(hand);
  await decorate(hand);
  return 0;
});
