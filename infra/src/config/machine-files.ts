import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What `infra/machine` holds for a bare-metal agent. What a machine in Azure boots with, `lab start` brings (CustomData.cs). */
export interface MachineFiles { readonly folder: string; readonly hash: string }

/** Text when something about it is wrong. */
export function readMachineFiles(folder: string, needed: { readonly metal: boolean }): MachineFiles | readonly string[] {
  const script = join(folder, 'metal-agent.sh');
  return needed.metal && !existsSync(script) ? [`${script}: missing`] : { folder, hash: hashFolder(folder) };
}

/** Names and contents, sorted: the same on every machine. */
function hashFolder(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/')).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0${createHash('sha256').update(readFileSync(join(folder, file))).digest('hex')}\n`);
  return hash.digest('hex');
}
