import { appendFileSync } from 'node:fs';
import type { Environment } from './environment.ts';

// Words from a closed list, whole numbers, hex, base64url: nothing that a shell, an expression or the command file could read as anything else. As long as a request may be.
const VALUE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,65535}$/;

/** Job outputs. A value outside the closed alphabet is a bug or an attack, and ends the job. */
export function writeOutputs(env: Environment, outputs: Readonly<Record<string, string | number | boolean>>): void {
  const lines = Object.entries(outputs).map(([name, value]) => {
    if (!/^[a-z][a-z-]{0,39}$/.test(name) || !VALUE.test(String(value))) throw new Error(`the job output ${name} is not of the closed form`);
    return `${name}=${value}\n`;
  });
  const file = env['GITHUB_OUTPUT'];
  if (file) appendFileSync(file, lines.join(''));
}

/** The job summary: Markdown that went through the same doors as the comment. GitHub takes at most 1 MiB. */
export function writeSummary(env: Environment, markdown: string): void {
  const file = env['GITHUB_STEP_SUMMARY'];
  if (file) appendFileSync(file, `${markdown}\n`);
}
