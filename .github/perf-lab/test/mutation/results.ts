import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tried } from './page.ts';

interface Kept extends Tried { readonly digest: string }

/** What earlier runs found: of a file that is still the same, only what survived is tried again. Take the folder away to begin anew. */
export class Results {
  private readonly folder: string;

  constructor(folder: string) { this.folder = folder; }

  of(file: string, text: string): Tried | null {
    if (!existsSync(this.path(file))) return null;
    const kept = JSON.parse(readFileSync(this.path(file), 'utf8')) as Kept;
    return kept.digest === digestOf(text) ? kept : null;
  }

  keep(tried: Tried, text: string): void {
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(this.path(tried.file), JSON.stringify({ ...tried, digest: digestOf(text) } satisfies Kept));
  }

  private path(file: string): string { return join(this.folder, `${file.replaceAll('/', '.')}.json`); }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
