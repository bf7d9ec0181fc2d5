import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' { export interface ProvidedContext { runs: string } }

/** One folder for the recorded runs of this test run (runs.ts); gone afterwards, so that no run of an older program is ever believed. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'perf-lab-runs-'));
  project.provide('runs', folder);
  return () => { rmSync(folder, { recursive: true, force: true }); };
}
