import { createHash } from 'node:crypto';
import type { FakeGitHub } from '../../../.github/perf-lab/test/fake/server.ts';
import { zip } from '../../../.github/perf-lab/test/support/zip.ts';

export interface Artifact { readonly id: number; readonly name: string; readonly file: string; readonly bytes: Buffer }

/**
 * The artifacts of a run, as the actions and the API see them. What the real service does (actions/upload-artifact, README, "Overwriting an Artifact" and "Artifact
 * IDs"; actions/toolkit, packages/artifact): a name that is taken is refused with 409 unless it is overwritten, which deletes the old one and gives a new id; a download
 * by name gets the newest of that name, an earlier attempt's among them. Any job with the run's token may do all of that: who plays the forger calls the same methods.
 */
export class Artifacts {
  private all: Artifact[] = [];
  private readonly refused = new Set<string>();
  constructor(private readonly fake: FakeGitHub) {}

  /** Null: the name is taken, or the storage takes nothing more. */
  upload(name: string, file: string, bytes: Buffer, { overwrite = false, beside = false } = {}): { id: number; archive: string } | null {
    if (this.refused.has(name)) return null;
    if (overwrite) this.delete(name);
    else if (!beside && this.all.some(one => one.name === name)) return null;
    // Only what the API is asked for becomes an archive; a large file would only take time.
    const archive = bytes.length > 8 << 20 ? Buffer.alloc(0) : zip([{ name: file, data: bytes }]);
    const id = ++this.fake.state.lastId;
    this.all.push({ id, name, file, bytes });
    this.fake.state.artifacts.push({ id, name, run: 900, zip: archive });
    return { id, archive: createHash('sha256').update(archive).digest('hex') };
  }

  /** Two of one name: what another attempt of the run left, or the service when two upload at once. */
  beside(name: string, file: string, bytes: Buffer): void { this.upload(name, file, bytes, { beside: true }); }
  replace(name: string, file: string, bytes: Buffer): void { this.upload(name, file, bytes, { overwrite: true }); }

  delete(name: string): void {
    this.all = this.all.filter(one => one.name !== name);
    this.fake.state.artifacts = this.fake.state.artifacts.filter(one => one.name !== name);
  }

  /** "Artifact storage quota has been hit": from now on nothing of that name is taken. */
  full(name: string): void { this.refused.add(name); }

  newest(name: string): Artifact | null { return this.all.findLast(one => one.name === name) ?? null; }
  /** Of all that is kept, before it is packed. */
  get megabytes(): number { return this.all.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6; }
  get names(): string[] { return this.all.map(({ name }) => name); }
}
