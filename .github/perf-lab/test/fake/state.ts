/** What the fake GitHub remembers: one repository, its pull requests, conversations, checks, runs, artifacts and runners. */
export interface User { id: number; login: string; type?: string }
export interface Comment { id: number; node_id: string; issue: number; body: string; user: User; created_at: string; updated_at: string; minimised?: boolean }
export interface Pull {
  number: number; state: string; draft: boolean; locked?: boolean;
  head: { ref: string; sha: string; repo: { id: number; pushed_at: string } | null };
  base: { sha: string; repo: { id: number } };
}
export interface Check { id: number; name: string; head_sha: string; external_id: string; status: string; conclusion?: string; output?: { title: string; summary: string } }
export interface Run { id: number; workflow_id: number; event: string; status: string; run_attempt?: number; actor: { id: number; login: string }; cancelled?: boolean }
export interface RunJob { run: number; name: string; conclusion: string | null; started_at: string; completed_at: string | null }
export interface Artifact { id: number; name: string; run: number; zip: Buffer; expired?: boolean; size?: number; digest?: string }
export interface Runner { id: number; name: string; status: 'online' | 'offline'; busy: boolean; labels: string[]; polls: number }
export interface Issue {
  number: number; id: number; title: string; body: string; state: string; state_reason: string | null; labels: string[]; user: User; locked: boolean; created_at: string; updated_at: string;
  /** Where people moved it; whether they deleted it. */
  moved?: string; deleted?: boolean;
}
export interface GitCommit { tree: string; parents: string[]; author: number | null; verified: boolean }
/** The repository's own git data: what the data branch is made of. */
export interface GitData { blobs: Map<string, Buffer>; trees: Map<string, Map<string, { sha: string; mode: string }>>; commits: Map<string, GitCommit>; refs: Map<string, string> }

export const BOT: User = { id: 7, login: 'github-actions[bot]', type: 'Bot' };
export const HEAD = 'a'.repeat(40);
export const BASE = 'b'.repeat(40);
export const BASE_TIP = 'c'.repeat(40);

/** A run of the benchmark workflow that alice's comment started. */
export const newRun = (id: number): Run => ({ id, workflow_id: 3, event: 'issue_comment', status: 'in_progress', actor: { id: 42, login: 'alice' } });

/** 10:00 UTC is when the command was written, in every test that doesn't say otherwise. */
export const WRITTEN = '2026-11-20T10:00:00Z';
export const NOW = Date.parse('2026-11-20T10:00:20Z');

export function newState() {
  return {
    repository: { owner: 'example', repo: 'library', id: 500 },
    /** The repository has another name now. */
    renamed: false,
    lastId: 1000,
    users: [{ id: 42, login: 'alice', type: 'User' }, { id: 43, login: 'mallory', type: 'User' }, BOT] as User[],
    permissions: new Map<string, string>([['alice', 'write'], ['mallory', 'read']]),
    comments: [] as Comment[],
    reactions: [] as { comment: number; content: string; user: number }[],
    pulls: new Map<number, Pull>([[5, {
      number: 5, state: 'open', draft: false,
      head: { ref: 'feature', sha: HEAD, repo: { id: 500, pushed_at: '2026-11-20T09:00:00Z' } }, base: { sha: BASE_TIP, repo: { id: 500 } },
    }]]),
    /** Pushes, the newest last. */
    activity: [] as { ref: string; after: string; timestamp: string }[],
    events: [] as { issue: number; event: string; created_at: string }[],
    mergeBases: new Map<string, string>([[`${BASE_TIP}...${HEAD}`, BASE]]),
    files: [{ filename: 'src/Library.cs' }] as { filename: string; previous_filename?: string }[],
    /** What a short name resolves to, besides the heads. */
    commits: new Map<string, string | null>(),
    checks: [] as Check[],
    runs: [900, 901].map(newRun),
    jobs: [] as RunJob[],
    artifacts: [] as Artifact[],
    runners: [] as Runner[],
    /** Polls until a registered runner is online; Infinity: never. */
    pollsUntilOnline: 2,
    issues: [] as Issue[],
    /** Off: 410. */
    hasIssues: true,
    /** What becomes of a label that is not there: GitHub made it for years, and since 2025 drops or refuses it (octokit/rest.js#479). */
    newLabels: 'made' as 'made' | 'dropped' | 'refused',
    labels: new Set<string>(),
    /** Issues that may still be made before the limit for whoever writes too fast. */
    contentLeft: Infinity,
    git: { blobs: new Map(), trees: new Map(), commits: new Map(), refs: new Map() } as GitData,
    /** Commits of the default branch, the oldest first. */
    history: [] as string[],
    /** What an event of this repository started: nothing does that GITHUB_TOKEN did (docs.github.com, "Triggering a workflow from a workflow"). */
    triggered: [] as string[],
    /** The workflow trend.yml and its green runs; null: there is no such file. */
    trendWorkflow: null as { state: string; created_at: string; successes: string[] } | null,
    tokens: 0,
  };
}

export type State = ReturnType<typeof newState>;
