import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from './files.ts';
import { hostedFile, hostedOf, MADE_OF } from './hosted-files.ts';

const path = (name: string): string => join(repository, '.github/workflows', name);
if (process.env['PERF_LAB_WRITE'] === '1') for (const name of Object.keys(MADE_OF)) writeFileSync(path(name), hostedFile(name));

describe('the files for GitHub\'s machines alone', () => {
  it.each(Object.keys(MADE_OF))('%s is what is made of the file that it is made of; otherwise run `npm run hosted`', name => {
    expect(readFileSync(path(name), 'utf8')).toBe(hostedFile(name));
  });
  it.each(Object.keys(MADE_OF))('%s knows no other machine', name => {
    expect(readFileSync(path(name), 'utf8')).not.toMatch(/id-token|attestations|azure|metal|lab-(up|down)\b(?!-result)|environment:|needs\.(start|spread)/);
  });
  it('are not made where the text that is changed has gone', () => {
    const text = readFileSync(path('benchmark-machine.yml'), 'utf8');
    expect(() => hostedOf('benchmark-machine.yml', text.replace('kind: "${{ inputs.kind }}"', 'kind: any'))).toThrow('benchmark-machine.yml does not hold');
  });
});
