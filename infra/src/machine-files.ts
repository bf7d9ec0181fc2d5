import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Azure takes 64 KiB of custom data, measured before base 64. */
const MOST_BYTES = 65_535;

/** What `infra/machine` holds for a stack; text when something about it is wrong. */
export interface MachineFiles { readonly folder: string; readonly cloudInit: string; readonly hash: string }

export function readMachineFiles(folder: string, needed: { readonly metal: boolean }): MachineFiles | readonly string[] {
  const problems: string[] = [], file = join(folder, 'cloud-init.yaml');
  const cloudInit = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (cloudInit === undefined) problems.push(`${file}: missing`);
  else if (!cloudInit.startsWith('#cloud-config\n')) problems.push(`${file}: does not start with the line "#cloud-config"`);
  else if (Buffer.byteLength(cloudInit) > MOST_BYTES) problems.push(`${file}: ${Buffer.byteLength(cloudInit)} bytes; Azure takes ${MOST_BYTES}`);
  if (needed.metal && !existsSync(join(folder, 'metal-agent.sh'))) problems.push(`${join(folder, 'metal-agent.sh')}: missing`);
  return problems.length > 0 ? problems : { folder, cloudInit: cloudInit ?? '', hash: hashFolder(folder) };
}

/** Names and contents, sorted: the same on every machine. */
function hashFolder(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/')).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0${createHash('sha256').update(readFileSync(join(folder, file))).digest('hex')}\n`);
  return hash.digest('hex');
}
