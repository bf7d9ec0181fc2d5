import type { Workplace } from '../process/environment.ts';

const repository = ({ serverUrl, owner, repo }: Workplace): string => `${serverUrl}/${owner}/${repo}`;

export const linkToComment = (at: Workplace, pullRequest: number, comment: number): string => `${repository(at)}/pull/${pullRequest}#issuecomment-${comment}`;

/** [`aaaaaaaaaaaa`](…): twelve digits, as many as a command takes. */
export const linkToCommit = (at: Workplace, sha: string): string => `[\`${short(sha)}\`](${repository(at)}/commit/${sha})`;

/** "head … against its merge base … (compare)". */
export const linkToBoth = (at: Workplace, { base, head }: { readonly base: string; readonly head: string }): string =>
  `head ${linkToCommit(at, head)} against its merge base ${linkToCommit(at, base)} ([compare](${repository(at)}/compare/${base}...${head}))`;

export const short = (sha: string): string => sha.slice(0, 12);
