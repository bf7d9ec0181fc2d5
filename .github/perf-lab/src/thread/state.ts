/** Where a request stands. The last four are ends. */
export const STAGES = ['accepted', 'building', 'waiting', 'measuring', 'done', 'failed', 'cancelled', 'refused'] as const;
export type Stage = (typeof STAGES)[number];

export const isEnd = (stage: Stage): boolean => !['accepted', 'building', 'waiting', 'measuring'].includes(stage);

/** What a later run reads from our comment, in its hidden second line. A maintainer can edit it: nothing here grants anything. */
export interface State {
  readonly stage: Stage;
  readonly run: number;
  readonly attempt: number;
  readonly requester: number;
  readonly base: string;
  readonly head: string;
  readonly machine: string;
  /** The command in one fixed spelling, without a commit. */
  readonly command: string;
  /** The block of C# that it measures: where it stands, and its SHA-256. */
  readonly snippet?: { readonly comment: number; readonly digest: string };
}

export function stateLine(state: State): string {
  const command = Buffer.from(state.command).toString('base64url');    // no `--`, which would end the HTML comment
  // A name may hold `--` too; base64url keeps the line in one piece.
  const machine = Buffer.from(state.machine).toString('base64url');
  const snippet = state.snippet === undefined ? '' : ` snippet=${state.snippet.comment}.${state.snippet.digest}`;
  return `<!-- perf-lab:state stage=${state.stage} run=${state.run} attempt=${state.attempt} by=${state.requester} base=${state.base} head=${state.head} machine=${machine} command=${command}${snippet} -->`;
}

const LINE = new RegExp(`^<!-- perf-lab:state stage=(${STAGES.join('|')}) run=([0-9]{1,15}) attempt=([0-9]{1,6}) by=([0-9]{1,15}) base=([0-9a-f]{40}) head=([0-9a-f]{40}) machine=([A-Za-z0-9_-]{1,90}) command=([A-Za-z0-9_-]{1,600})(?: snippet=([1-9][0-9]{0,14})[.]([0-9a-f]{64}))? -->$`);

export function readState(body: string): State | null {
  const found = LINE.exec(body.split(/\r?\n/, 2)[1] ?? '');
  if (found === null) return null;
  const [, stage, run, attempt, requester, base, head, machine, command, comment, digest] = found as unknown as [string, Stage, ...string[]] & readonly string[];
  return {
    stage, run: Number(run), attempt: Number(attempt), requester: Number(requester), base: base!, head: head!, machine: plain(machine!), command: plain(command!),
    ...(comment === undefined ? {} : { snippet: { comment: Number(comment), digest: digest! } }),
  };
}

const plain = (text: string): string => Buffer.from(text, 'base64url').toString('utf8');
