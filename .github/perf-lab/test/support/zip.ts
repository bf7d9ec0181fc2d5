import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry { name: string; data: Buffer; method?: number; flags?: number; attributes?: number; crc?: number; size?: number; localName?: string }

/** A zip archive, with any of its fields forged. */
export function zip(entries: readonly ZipEntry[], { count = entries.length, comment = '' } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const method = entry.method ?? 8;
    const packed = method === 8 ? deflateRawSync(entry.data) : entry.data;
    const crc = entry.crc ?? crc32(entry.data);
    const common = (name: Buffer): Buffer => {
      const head = Buffer.alloc(26);
      head.writeUInt16LE(20, 0); head.writeUInt16LE(entry.flags ?? 0, 2); head.writeUInt16LE(method, 4);
      head.writeUInt32LE(crc, 10); head.writeUInt32LE(packed.length, 14); head.writeUInt32LE(entry.size ?? entry.data.length, 18); head.writeUInt16LE(name.length, 22);
      return head;
    };
    const [name, localName] = [Buffer.from(entry.name), Buffer.from(entry.localName ?? entry.name)];
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(entry.attributes ?? 0, 6); tail.writeUInt32LE(at, 10);
    directory.push(Buffer.from('504b01021403', 'hex'), common(name), tail, name);
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), common(localName), localName, packed]);
    parts.push(local);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('504b0506', 'hex'); end.writeUInt16LE(count & 0xffff, 8); end.writeUInt16LE(count & 0xffff, 10);
  end.writeUInt32LE(central.length, 12); end.writeUInt32LE(at, 16); end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, central, end, Buffer.from(comment)]);
}
