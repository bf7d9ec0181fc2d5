import { crc32, inflateRawSync } from 'node:zlib';
import { BadArtifact } from './bad-artifact.ts';

export interface ZipLimits {
  /** Exactly these files must be inside, no more and no fewer. */
  readonly names: readonly string[];
  /** Of all files together, unpacked. It alone bounds the memory: how well a file packs says nothing, and a build that repeats itself packs a thousand times. */
  readonly maxBytes: number;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
}

/**
 * Unpacks in memory an archive that an enemy may have written. Everything is taken from the central directory, which must be where it
 * belongs, list exactly the expected files, and agree with what is found; nothing is written to a disk, so there are no paths to escape.
 */
export function unzip(zip: Buffer, limits: ZipLimits): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const entry of readDirectory(zip, limits)) files.set(entry.name, unpack(zip, entry));
  return files;
}

function readDirectory(zip: Buffer, limits: ZipLimits): Entry[] {
  const { start, count, end } = findDirectory(zip);
  if (count !== limits.names.length) throw new BadArtifact(`the archive has ${count} entries, expected ${limits.names.length}`);
  const entries: Entry[] = [];
  let at = start;
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || zip.readUInt32LE(at) !== CENTRAL) throw new BadArtifact('the archive\'s directory is damaged');
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28);
    const next = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    if (next > end) throw new BadArtifact('the archive\'s directory is damaged');
    const entry = readEntry(zip, at, nameEnd);
    if (!limits.names.includes(entry.name)) throw new BadArtifact(`the archive holds ${JSON.stringify(entry.name.slice(0, 80))}, which does not belong there`);
    if (entries.some(({ name }) => name === entry.name)) throw new BadArtifact(`the archive holds ${entry.name} twice`);
    total += entry.size;
    if (total > limits.maxBytes) throw new BadArtifact(`the archive unpacks to more than ${limits.maxBytes} bytes`);
    entries.push(entry);
    at = next;
  }
  if (at !== end) throw new BadArtifact('the archive\'s directory is damaged');
  return entries;
}

// No comment and no bytes behind: an archive with two possible ends means two things to two readers.
function findDirectory(zip: Buffer): { start: number; count: number; end: number } {
  const at = zip.length - END_BYTES;
  if (at < 0 || zip.readUInt32LE(at) !== END || zip.readUInt16LE(at + 20) !== 0) throw new BadArtifact('not a whole zip archive');
  const [disk, startDisk, here, count] = [4, 6, 8, 10].map(offset => zip.readUInt16LE(at + offset)) as [number, number, number, number];
  const [size, start] = [zip.readUInt32LE(at + 12), zip.readUInt32LE(at + 16)];
  if (disk !== 0 || startDisk !== 0 || here !== count || count === 0xffff || start === 0xffffffff) throw new BadArtifact('the archive spans disks or is of the large kind (zip64): not ours');
  if (start + size !== at) throw new BadArtifact('the archive\'s directory is not where its end says');
  return { start, count, end: at };
}

function readEntry(zip: Buffer, at: number, nameEnd: number): Entry {
  const flags = zip.readUInt16LE(at + 8);
  if ((flags & 0x2041) !== 0) throw new BadArtifact('the archive is encrypted');
  const kind = zip.readUInt32LE(at + 38) >>> 28;    // the upper half of the attributes is Unix's mode: 8 regular, 10 symbolic link, 0 not said
  if (kind !== 0 && kind !== 8) throw new BadArtifact('the archive holds something that is no regular file');
  const entry = {
    name: zip.toString('latin1', at + 46, nameEnd),
    method: zip.readUInt16LE(at + 10), crc: zip.readUInt32LE(at + 16), packed: zip.readUInt32LE(at + 20), size: zip.readUInt32LE(at + 24), at: zip.readUInt32LE(at + 42),
  };
  if (entry.method !== 0 && entry.method !== 8) throw new BadArtifact(`${entry.name} is packed by method ${entry.method}, which is not supported`);
  return entry;
}

function unpack(zip: Buffer, entry: Entry): Buffer {
  const { at } = entry;
  if (at + 30 > zip.length || zip.readUInt32LE(at) !== LOCAL) throw new BadArtifact(`${entry.name} is not where the directory says`);
  const nameEnd = at + 30 + zip.readUInt16LE(at + 26);
  const start = nameEnd + zip.readUInt16LE(at + 28);
  if (zip.toString('latin1', at + 30, nameEnd) !== entry.name || start + entry.packed > zip.length) throw new BadArtifact(`${entry.name} is not what the directory says`);
  const bytes = inflate(zip.subarray(start, start + entry.packed), entry);
  if (bytes.length !== entry.size || crc32(bytes) !== entry.crc) throw new BadArtifact(`${entry.name} is damaged: its check sum is wrong`);
  return bytes;
}

function inflate(packed: Buffer, { name, method, size }: Entry): Buffer {
  if (method === 0) return packed;
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) });    // stops at the claimed size, whatever comes
  } catch (error) {
    throw new BadArtifact(`${name} can't be unpacked: ${(error as Error).message}`);
  }
}
