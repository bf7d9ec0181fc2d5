import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadArtifact } from '../artifact/bad-artifact.ts';
import { downloadArtifact, MAX_BYTES, type Wanted } from '../artifact/download.ts';
import { unzip } from '../artifact/unzip.ts';
import type { Client } from '../github/client.ts';
import type { Workplace } from '../process/environment.ts';
import { idFrom, type AtHand } from '../thread/request-at-hand.ts';
import { code } from '../text/untrusted.ts';

/** `notes`: of several journals, which do not count and why; each a sentence. */
export type Journal = { readonly kind: 'there'; readonly notes?: readonly string[] } | { readonly kind: 'none' } | { readonly kind: 'refused'; readonly sentence: string };

/** Fetches the journal of this run into the folder. An archive that isn't what `measure` uploads is a finding, not a failure. */
export const fetchJournal = ({ gh, env, at }: AtHand, folder: string): Promise<Journal> => fetchSamples(gh, at, {
  name: 'samples', id: idFrom(env, 'PERF_LAB_SAMPLES_ID'), digest: env['PERF_LAB_SAMPLES_DIGEST'] || null,
}, folder);

export async function fetchSamples(gh: Client, at: Workplace, wanted: Wanted, folder: string, file = 'samples.ndjson'): Promise<Journal> {
  try {
    const zip = await downloadArtifact(gh, at, wanted);
    if (zip === null) return { kind: 'none' };
    writeFileSync(join(folder, file), unzip(zip, { names: ['samples.ndjson'], maxBytes: MAX_BYTES }).get('samples.ndjson')!);
    return { kind: 'there' };
  } catch (error) {
    if (error instanceof BadArtifact) return { kind: 'refused', sentence: `The journal was refused: ${code(error.message)}.` };
    throw error;
  }
}

/** What the runner takes of an explanation. */
const EXPLANATION_BYTES = 16 << 20;

/**
 * Why rows moved, fetched beside the journal, where `measure` said that it uploaded it: no name is believed here. An explanation that can't be had
 * or is not what it should be costs the why and never the verdict; what is in it is for the runner to doubt.
 */
export async function fetchExplanation({ gh, env, at }: AtHand, folder: string, log: (line: string) => void): Promise<void> {
  try {
    const zip = await downloadArtifact(gh, at, { name: 'explanation', id: idFrom(env, 'PERF_LAB_EXPLANATION_ID'), digest: env['PERF_LAB_EXPLANATION_DIGEST'] || null });
    if (zip !== null) writeFileSync(join(folder, 'explanation.json'), unzip(zip, { names: ['explanation.json'], maxBytes: EXPLANATION_BYTES }).get('explanation.json')!);
  } catch (error) {
    log(`the explanation of what moved is left out: ${code(String((error as Error).message), 400)}`);
  }
}

const LOG_BYTES = 256 << 10;

/** The last lines of a failed build, which is the pull request's own output; null when there are none or they are not to be trusted. */
export async function fetchBuildLog({ gh, env, at }: AtHand, side: 'base' | 'head'): Promise<string | null> {
  try {
    const said = `PERF_LAB_BUILD_${side.toUpperCase()}_LOG`;
    const zip = await downloadArtifact(gh, at, { name: `build-log-${side}`, id: idFrom(env, `${said}_ID`), digest: env[`${said}_DIGEST`] || null });
    return zip === null ? null : unzip(zip, { names: ['build.log'], maxBytes: LOG_BYTES }).get('build.log')!.toString('utf8');
  } catch (error) {
    if (error instanceof BadArtifact) return null;
    throw error;
  }
}
