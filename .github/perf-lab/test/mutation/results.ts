import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from './changes.ts';
import type { Modules } from './modules.ts';
import type { Outcome } from './run.ts';

/** One line of a file of results. */
export interface Kept { readonly change: string; readonly noticedBy: string | null; readonly ms: number; readonly made: string; readonly digest: string }

/**
 * What runs found, a line a mutant, written as it is found: a run that was stopped goes on where it was. What was found of a mutant is forgotten
 * when its file has changed, or the tests of the file that noticed it. Take the folder away to begin anew.
 */
export class Results {
  private readonly folder: string;
  private readonly modules: Modules;
  private readonly all: string;

  constructor(folder: string, modules: Modules) {
    this.folder = folder;
    this.modules = modules;
    this.all = this.digest(modules.texts.keys());
  }

  /** What is known of a file and still holds, by `keyOf` the change. */
  of(file: string): Map<string, Kept> {
    const holds = this.lines(file).filter(({ noticedBy, digest }) => noticedBy === null || digest === this.holdsFor(noticedBy));
    return new Map(holds.map(kept => [kept.change, kept]));
  }

  /** Which test noticed a change of this file last, whether that still holds or not: the first to ask again. */
  before(file: string): Map<string, string> {
    return new Map(this.lines(file).flatMap(({ change, noticedBy }) => (noticedBy === null ? [] : [[change, noticedBy]])));
  }

  /** Not known yet, or survived when anything was not as it is now: other tests may notice it. */
  isOpen(kept: Kept | undefined): boolean { return kept === undefined || (kept.noticedBy === null && kept.digest !== this.all); }

  keep(file: string, { change, noticedBy, ms }: Outcome): void {
    const head = this.digest([file]), path = this.path(file);
    mkdirSync(this.folder, { recursive: true });
    if (!existsSync(path) || !readFileSync(path, 'utf8').startsWith(`${head}\n`)) writeFileSync(path, `${head}\n`);
    const kept: Kept = { change: keyOf(change), noticedBy, ms: Math.round(ms), made: new Date().toISOString(), digest: this.holdsFor(noticedBy) };
    appendFileSync(path, `${JSON.stringify(kept)}\n`);
  }

  forget(file: string): void { rmSync(this.path(file), { force: true }); }

  // All that was found of the file as it is.
  private lines(file: string): Kept[] {
    if (!existsSync(this.path(file))) return [];
    const [head, ...lines] = readFileSync(this.path(file), 'utf8').split('\n');
    return head === this.digest([file]) ? lines.flatMap(line => parsed(line) ?? []) : [];
  }

  private holdsFor(noticedBy: string | null): string {
    if (noticedBy === null) return this.all;
    const test = noticedBy.split(' ')[0]!;
    return this.modules.texts.has(test) ? this.digest([...this.modules.closure(test)].filter(path => path.startsWith('test/'))) : '';
  }

  private digest(paths: Iterable<string>): string {
    const hash = createHash('sha256');
    for (const path of [...paths].sort()) hash.update(`${path}\0${this.modules.texts.get(path)!}\0`);
    return hash.digest('hex').slice(0, 16);
  }

  private path(file: string): string { return join(this.folder, `${file.replaceAll('/', '.')}.ndjson`); }
}

export const keyOf = ({ at, end, to }: Change): string => `${at} ${end} ${to}`;

/** Null for the line that a run was stopped in. */
function parsed(line: string): Kept | null {
  try {
    return JSON.parse(line) as Kept;
  } catch {
    return null;
  }
}
