import * as z from 'zod';
import { checked } from '../text/file.ts';

// What of GitHub's answers is read, and nothing else: a member that is missing or of another kind ends the command with its name, before
// anything was decided by it. test/malformed.test.ts sends every call 27 kinds of rubbish.

const Id = z.int().min(1);
const Time = z.iso.datetime({ offset: true });
const Text = z.string().max(1 << 20);
const Account = z.object({ id: Id, login: z.string().max(100) });
const Repository = z.object({ id: Id });

export const Created = z.object({ id: Id });

export const Comment = z.object({
  id: Id, node_id: z.string().max(200), body: Text.nullish(), user: Account.nullish(), created_at: Time, updated_at: Time, issue_url: z.string().max(1000),
});
export type Comment = z.infer<typeof Comment>;
export const Comments = z.array(Comment);

/** SHA-1, or SHA-256 where a repository has it. */
const CommitSha = z.string().regex(/^[0-9a-f]{40,64}$/);

export const PullRequest = z.object({
  state: z.enum(['open', 'closed']), draft: z.boolean().optional(), merged: z.boolean().optional(),
  head: z.object({ ref: z.string().max(1000), sha: CommitSha, repo: Repository.extend({ pushed_at: Time.nullable() }).nullable() }),
  base: z.object({ sha: CommitSha, repo: Repository }),
});

/** What was pushed to a branch, the newest first. */
export const Activity = z.array(z.object({ after: CommitSha, ref: z.string().max(1100), timestamp: Time }));

export const Permission = z.object({ permission: z.string().max(100), user: Account.nullable() });
export const Events = z.array(z.object({ event: z.string().max(100), created_at: Time }));
export const Commit = z.object({ sha: CommitSha });

/** `files` may be missing, which says nothing about them: whoever asks must not take that for "none". */
export const Comparison = z.object({
  merge_base_commit: Commit,
  files: z.array(z.object({ filename: z.string(), previous_filename: z.string().optional() })).optional(),
});

export const Run = z.object({ id: Id, workflow_id: Id, event: z.string().max(100), status: z.string().max(100).nullable(), run_attempt: z.int().min(1).optional(), actor: z.object({ id: Id }).nullish() });
export type Run = z.infer<typeof Run>;
export const Runs = z.object({ workflow_runs: z.array(Run) }).transform(answer => answer.workflow_runs);
export const Jobs = z.object({
  jobs: z.array(z.object({ name: z.string().max(1000), conclusion: z.string().max(100).nullable(), started_at: Time.nullish(), completed_at: Time.nullish() })),
}).transform(answer => answer.jobs);

export const CheckRun = z.object({ output: z.object({ summary: Text.nullish() }) });
export const CheckRuns = z.object({
  check_runs: z.array(z.object({ id: Id, name: z.string().max(1000), external_id: z.string().max(1000).nullish() })),
}).transform(answer => answer.check_runs);

export const Runner = z.object({ id: Id, name: z.string().max(200), status: z.string().max(100), busy: z.boolean() });
export const Runners = z.object({ runners: z.array(Runner) }).transform(answer => answer.runners);
export const OneShotRunner = z.object({ runner: z.object({ id: Id }), encoded_jit_config: z.string().regex(/^[A-Za-z0-9+/=]{40,65536}$/) });

export const Artifact = z.object({
  id: Id, name: z.string().max(1000), expired: z.boolean(), size_in_bytes: z.int().min(0), workflow_run: z.object({ id: Id }).nullable(),
});

const Sha = z.string().regex(/^[0-9a-f]{40}$/);
export const Issue = z.object({
  number: Id, title: z.string().max(2000), body: Text.nullish(), state: z.enum(['open', 'closed']), user: Account.nullish(), pull_request: z.unknown().optional(),
});
export type Issue = z.infer<typeof Issue>;
export const Issues = z.array(Issue);
export const HomeRepository = z.object({ default_branch: z.string().max(1000) });

/** Who wrote a commit, and whether GitHub vouches for it. */
export const Written = z.object({
  sha: Sha, author: z.object({ id: Id.optional() }).nullish(), commit: z.object({ verification: z.object({ verified: z.boolean() }).optional() }),
});
export type Written = z.infer<typeof Written>;
/** How two commits stand to each other, and what lies between; GitHub lists at most 250 of those commits. */
export const Distance = z.object({ status: z.enum(['ahead', 'behind', 'identical', 'diverged']), commits: z.array(Written) });
export const Reference = z.object({ object: z.object({ type: z.string().max(100), sha: Sha }) });
export const GitCommit = z.object({ sha: Sha, tree: z.object({ sha: Sha }) });
export const Tree = z.object({
  truncated: z.boolean(), tree: z.array(z.object({ path: z.string().max(4096), mode: z.string().max(6), type: z.string().max(100), sha: Sha, size: z.int().min(0).optional() })),
});
export const Blob = z.object({ encoding: z.string().max(100), content: z.string().max(96 << 20) });
export const Object40 = z.object({ sha: Sha });
export const WorkflowOf = z.object({ state: z.string().max(100), created_at: Time });
export const Successes = z.object({ workflow_runs: z.array(z.object({ created_at: Time })) }).transform(answer => answer.workflow_runs);

export const Minimised = z.object({ node: z.object({ isMinimized: z.boolean().optional(), body: z.string().optional() }).nullable() });

/** What we asked for, or an error that names the answer and its wrong members. */
export const read = <T extends z.ZodType>(format: T, data: unknown, about: string): z.output<T> => checked(format, data, `GitHub's answer about ${about}`);
