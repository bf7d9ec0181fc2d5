import { crc32, deflateRawSync } from 'node:zlib';

/** A zip archive with one file, as GitHub's artifact store would hold it. */
export function archiveOf(name: string, bytes: Buffer): Buffer {
  const packed = deflateRawSync(bytes), title = Buffer.from(name);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0); common.writeUInt16LE(8, 4); common.writeUInt32LE(crc32(bytes), 10);
  common.writeUInt32LE(packed.length, 14); common.writeUInt32LE(bytes.length, 18); common.writeUInt16LE(title.length, 22);
  const local = Buffer.concat([Buffer.from('504b0304', 'hex'), common, title, packed]);
  const central = Buffer.concat([Buffer.from('504b01021403', 'hex'), common, Buffer.alloc(14), title]);
  const end = Buffer.alloc(22);
  end.write('504b0506', 'hex'); end.writeUInt16LE(1, 8); end.writeUInt16LE(1, 10); end.writeUInt32LE(central.length, 12); end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
