import { Permission as Allowed, read } from '../github/answers.ts';
import { statusOf, type Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import type { LiveComment } from './comment.ts';
import type { LabConfig, MachineKind } from '../request/lab-config.ts';
import type { PullRequest } from './pull-request.ts';
import { Refusal } from '../request/refusal.ts';

export type Permission = 'admin' | 'write' | 'none';

/**
 * Step 4: effective permission, by id. Not `author_association`, which tells a relationship: an owner of the organisation can be "NONE",
 * and a "COLLABORATOR" may only read. The API reports `maintain` as write and `triage` as read.
 */
export async function authorise(gh: Client, at: Workplace, comment: LiveComment): Promise<Exclude<Permission, 'none'>> {
  const permission = await effectivePermission(gh, at, comment);
  if (permission === 'none') throw new Refusal('not-authorised', '`/benchmark` runs code on the lab\'s machines, so it needs write permission on this repository. Ask somebody who has it to write the command.');
  return permission;
}

async function effectivePermission(gh: Client, at: Workplace, comment: LiveComment): Promise<Permission> {
  try {
    const { data } = await gh.rest.repos.getCollaboratorPermissionLevel({ owner: at.owner, repo: at.repo, username: comment.login });
    const { permission, user } = read(Allowed, data, 'the permission of the author');
    // Logins change hands: the name may belong to somebody else since the comment was written.
    if (user?.id !== comment.userId) throw new Refusal('requester-changed', 'The account that wrote the comment no longer has that name. Write the command again.');
    return permission === 'admin' || permission === 'write' ? permission : 'none';
  } catch (error) {
    if (statusOf(error) === 404) return 'none';
    throw error;
  }
}

/** Code of strangers on our machine: perf-lab.yaml says who may let it in, by default only admins. A metal machine is never reimaged: always admins. */
export function refuseForkFor(permission: Permission, pull: PullRequest, config: LabConfig, machine: MachineKind): void {
  if (!pull.isFork || permission === 'admin' || (config.forkPermission === 'write' && machine !== 'metal')) return;
  const why = machine === 'metal' ? 'on a machine that is not reimaged between requests' : 'perf-lab.yaml, `github.fork-permission`';
  throw new Refusal('fork-needs-permission', `This pull request comes from a fork; only an admin of the repository can have it measured (${why}).`);
}
