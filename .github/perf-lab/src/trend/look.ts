import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { required } from '../process/environment.ts';
import { say } from '../process/main.ts';
import { writeOutputs } from '../process/outputs.ts';
import type { AtHand } from './at-hand.ts';
import { readBranch } from '../history/branch.ts';
import { chooseExperiment } from './experiment.ts';
import { fetchBundle, look as lookAt } from '../history/history.ts';
import { journalOf, takeJournal } from './session.ts';

/** The history with this week's session in it, what changed, and which change is to be confirmed. May read only. */
export async function look(hand: AtHand): Promise<number> {
  const { gh, at, env, me, history } = hand;
  const notes = await fetchBundle(gh, at, await readBranch(gh, at), me, history);
  const refused = await takeJournal(hand, 'weekly');
  if (refused !== null) notes.push(`The session of this run does not count: ${refused}`);
  const journal = journalOf(hand, 'weekly');
  const { trend, problems } = await lookAt(history, journal === null ? [] : [journal]);
  const { experiment, notes: unconfirmed } = await chooseExperiment({
    gh, at, head: required(env, 'PERF_LAB_HEAD'), trend, runner: history.runner, root: resolve(required(env, 'PERF_LAB_REPOSITORY')), plan: resolve('confirm-plan.json'),
  });
  writeFileSync(resolve(hand.folder, 'notes.json'), JSON.stringify([...notes, ...unconfirmed, ...problems]));
  [...notes, ...unconfirmed, ...problems].forEach(note => { say(note); });
  writeOutputs(env, experiment === null ? { confirm: 'none' } : { confirm: 'planned', before: experiment.before, after: experiment.after, change: experiment.change });
  return 0;
}
