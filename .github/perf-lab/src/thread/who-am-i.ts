import { Created, read } from '../github/answers.ts';
import type { Client } from '../github/client.ts';
import type { Environment } from '../process/environment.ts';

const GITHUB_ACTIONS = 41_898_282;    // github-actions[bot] on github.com, the user behind GITHUB_TOKEN

/** Our own user id, by which comments are ours. PERF_LAB_BOT_ID where an app of your own writes the comments. */
export async function whoAmI(gh: Client, env: Environment): Promise<number> {
  const given = env['PERF_LAB_BOT_ID'];
  if (given !== undefined && /^[1-9][0-9]{0,14}$/.test(given)) return Number(given);
  if (env['GITHUB_API_URL'] === undefined || env['GITHUB_API_URL'] === 'https://api.github.com') return GITHUB_ACTIONS;
  const { data } = await gh.rest.users.getByUsername({ username: 'github-actions[bot]' });    // Enterprise servers number their users themselves
  return read(Created, data, 'our own user').id;
}
