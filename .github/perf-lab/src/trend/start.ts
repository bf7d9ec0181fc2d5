import { HomeRepository, read } from '../github/answers.ts';
import type { Client } from '../github/client.ts';
import { chooseNames, readConfig } from '../request/names.ts';
import { Refusal } from '../request/refusal.ts';
import { readWorkplace, required, type Environment, type Workplace } from '../process/environment.ts';
import { say } from '../process/main.ts';
import { writeOutputs, writeSummary } from '../process/outputs.ts';
import { NO_WORDS } from '../request/words.ts';
import { code } from '../text/untrusted.ts';
import { distance } from '../history/branch.ts';

/** What the weekly run measures, from the caller's own words: head of the default branch against its anchor. 1: they are wrong, and the log says how. */
export async function start(gh: Client, env: Environment): Promise<number> {
  const at = readWorkplace(env);
  const problems: string[] = [];
  const head = required(env, 'GITHUB_SHA'), anchor = env['PERF_LAB_ANCHOR'] ?? '', next = env['PERF_LAB_NEXT_ANCHOR'] ?? '', aa = env['PERF_LAB_AA'] || 'on';
  problems.push(...await wrongAnchor(gh, at, 'anchor', anchor, head));
  if (next === anchor && next !== '') problems.push('`next-anchor` is the anchor already: leave it out.');
  else if (next !== '') problems.push(...await wrongAnchor(gh, at, 'next-anchor', next, head));
  if (aa !== 'on' && aa !== 'off') problems.push(`\`aa\` is ${code(aa, 60)}; it can be \`on\` or \`off\`.`);
  const { default_branch: branch } = read(HomeRepository, (await gh.rest.repos.get({ owner: at.owner, repo: at.repo })).data, 'this repository');
  if (env['GITHUB_REF'] !== `refs/heads/${branch}`) problems.push(`The weekly trend is of the default branch, ${code(branch)}; this run was started on ${code(env['GITHUB_REF'] ?? '')}. Start it there.`);
  try {
    const chosen = chooseNames({ ...NO_WORDS, suite: env['PERF_LAB_SUITE'] || null, machine: env['PERF_LAB_MACHINE'] || null }, readConfig(required(env, 'PERF_LAB_CONFIG')));
    if (problems.length === 0) {
      writeOutputs(env, {
        head, anchor, ...(next === '' ? {} : { 'next-anchor': next }), aa, 'suite': chosen.words.suite!, 'machine': chosen.machine, 'machine-kind': chosen.kind, ...(chosen.runsOn === null ? {} : { 'machine-runs-on': chosen.runsOn }),
      });
      return 0;
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    problems.push(...error.sentences);
  }
  writeSummary(env, ['### perf-lab: the weekly trend can\'t start', '', ...problems.map(problem => `- ${problem}`)].join('\n'));
  problems.forEach(problem => { say(problem); });
  return 1;
}

/** Why a commit can't be measured against, in a sentence; nothing when it can. */
async function wrongAnchor(gh: Client, at: Workplace, name: string, commit: string, head: string): Promise<string[]> {
  if (!/^[0-9a-f]{40}$/.test(commit)) return [`\`${name}\` is ${code(commit, 60)}, which is no full commit of 40 digits. In trend.yml: \`with: { ${name}: COMMIT }\`, an old release of yours for example.`];
  if (commit === head) return [`\`${name}\` is head itself: nothing would be compared. Name an older commit.`];
  const status = (await distance(gh, at, commit, head))?.status;
  return status === 'ahead' ? [] : [`\`${name}\` ${code(commit.slice(0, 12))} is not before the default branch's head (GitHub: ${code(status ?? 'no such commit')}).`];
}
