import { createHash } from 'node:crypto';
import { boundedFetch } from '../github/bounded-fetch.ts';
import { Artifact, read } from '../github/answers.ts';
import { statusOf, type Client } from '../github/client.ts';
import { Refused } from '../github/refused.ts';
import { BadArtifact } from './bad-artifact.ts';
import type { Workplace } from '../process/environment.ts';

/** Limit of the archive and of what is in it: the journal's own limit where it crosses a border. */
export const MAX_BYTES = 64 << 20;

export interface Wanted {
  readonly name: string;
  /**
   * Both from the uploading job's outputs, null where that job did not get so far. Any job of a run, and whoever took its token away with him, can upload,
   * replace and delete under any name, but a job sets only its own outputs: what no job names by its id is nobody's.
   */
  readonly id: number | null;
  readonly digest: string | null;
}

/** The archive that a job of this run said it uploaded; null when none said so. */
export async function downloadArtifact(gh: Client, at: Workplace, wanted: Wanted): Promise<Buffer | null> {
  if (wanted.id === null) return null;
  if (wanted.digest === null) throw new BadArtifact(`the artifact ${wanted.name} has no digest that its job told`);
  const artifact = await findById(gh, at, wanted.id);
  if (artifact === null) throw new BadArtifact(`the artifact ${wanted.name} is gone: it was uploaded, and something deleted it`);
  if (artifact.name !== wanted.name || artifact.workflow_run?.id !== at.runId) throw new BadArtifact(`the artifact ${artifact.id} is not ${wanted.name} of this run`);
  if (artifact.expired) throw new BadArtifact(`the artifact ${wanted.name} has expired`);
  if (artifact.size_in_bytes > MAX_BYTES) throw new BadArtifact(`the artifact ${wanted.name} has ${artifact.size_in_bytes} bytes, more than ${MAX_BYTES}`);
  const zip = await download(gh, at, artifact.id);
  const found = createHash('sha256').update(zip).digest('hex');
  if (wanted.digest.replace(/^sha256:/, '') !== found) throw new BadArtifact(`the artifact ${wanted.name} is not the one that its job uploaded: another digest`);
  return zip;
}

async function findById(gh: Client, at: Workplace, id: number) {
  try {
    const { data } = await gh.rest.actions.getArtifact({ owner: at.owner, repo: at.repo, artifact_id: id });
    return read(Artifact, data, 'the artifact');
  } catch (error) {
    if (statusOf(error) === 404 || statusOf(error) === 410) return null;
    throw error;
  }
}

// GitHub answers with the address of its store, signed for a minute. That host gets no token, and may not send us further.
async function download(gh: Client, at: Workplace, id: number): Promise<Buffer> {
  const redirect = await gh.request('GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip', { owner: at.owner, repo: at.repo, artifact_id: id, request: { expectRedirect: true } });
  const location = String((redirect.headers as Record<string, unknown>)['location']);
  if (redirect.status as number !== 302 || !URL.canParse(location)) throw new Refused('GitHub\'s answer about the artifact names no store to download it from');
  const target = new URL(location);
  const isHere = new URL(at.apiUrl).protocol === 'http:';    // a loopback GitHub: tests
  if (target.protocol !== 'https:' && !(isHere && target.hostname === '127.0.0.1')) throw new Refused(`the artifact store ${target.origin} is not https`);
  const answer = await boundedFetch({ origin: target.origin, timeoutMs: 120_000, maxBytes: MAX_BYTES })(target);
  if (answer.status !== 200) throw new Error(`downloading the artifact: the store answered ${answer.status}; re-run this job`);
  return Buffer.from(await answer.arrayBuffer());
}
