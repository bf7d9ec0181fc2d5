import { describe, expect, it } from 'vitest';
import { unzip } from '../src/artifact/unzip.ts';
import { zip } from './support/zip.ts';

const LIMITS = { names: ['samples.ndjson'], maxBytes: 1 << 20 };
const file = { name: 'samples.ndjson', data: Buffer.from('{"kind":"session"}\n') };
const open = (archive: Buffer): string => unzip(archive, LIMITS).get('samples.ndjson')!.toString();

describe('an artifact\'s archive', () => {
  it('gives_its_file', () => { expect(open(zip([file]))).toBe('{"kind":"session"}\n'); });
  it('may_be_stored_unpacked_and_say_that_it_is_a_regular_file', () => { expect(open(zip([{ ...file, method: 0, attributes: 0x81a40000 }]))).toBe('{"kind":"session"}\n'); });

  it('may_pack_a_thousand_times', () => { expect(open(zip([{ ...file, data: Buffer.alloc(1 << 20, 'warning CS0618\n') }]))).toHaveLength(1 << 20); });

  it.each<[string, Buffer, string]>([
    ['zip bomb that tells its size', zip([{ ...file, data: Buffer.alloc((1 << 20) + 1) }]), 'more than 1048576 bytes'],
    ['zip bomb that lies about its size', zip([{ ...file, data: Buffer.alloc(1 << 20), size: 1000 }]), 'can\'t be unpacked'],
    ['more than the limit', zip([{ ...file, data: Buffer.alloc((1 << 20) + 1), method: 0 }]), 'more than 1048576 bytes'],
    ['../ entry', zip([{ ...file, name: '../samples.ndjson' }]), 'does not belong'],
    ['absolute entry', zip([{ ...file, name: '/samples.ndjson' }]), 'does not belong'],
    ['back-slash entry', zip([{ ...file, name: '..\\samples.ndjson' }]), 'does not belong'],
    ['name with a null', zip([{ ...file, name: 'samples.ndjson\0' }]), 'does not belong'],
    ['other name in the local header', zip([{ ...file, localName: '../../etc/passwd' }]), 'not what the directory says'],
    ['symbolic link', zip([{ ...file, attributes: 0xa1ff0000 }]), 'no regular file'],
    ['device', zip([{ ...file, attributes: 0x61ff0000 }]), 'no regular file'],
    ['two entries with one name', zip([file, file], { count: 1 }), 'damaged'],
    ['two entries, both listed', zip([file, file]), '2 entries'],
    ['one entry too many', zip([file, { ...file, name: 'x' }]), '2 entries'],
    ['no entry', zip([]), '0 entries'],
    ['1 M entries', zip([file], { count: 1_000_000 }), 'entries'],
    ['count of the large kind', zip([file], { count: 0xffff }), 'zip64'],
    ['encrypted', zip([{ ...file, flags: 1 }]), 'encrypted'],
    ['wrong CRC', zip([{ ...file, crc: 1 }]), 'check sum'],
    ['unknown method', zip([{ ...file, method: 93 }]), 'method 93'],
    ['bytes behind the end', Buffer.concat([zip([file]), Buffer.from('x')]), 'not a whole zip'],
    ['a comment at the end', zip([file], { comment: 'x' }), 'not a whole zip'],
    ['bytes before the start', Buffer.concat([Buffer.from('x'), zip([file])]), 'not where its end says'],
    ['cut', zip([file]).subarray(0, 60), 'not a whole zip'],
    ['nothing', Buffer.alloc(0), 'not a whole zip'],
    ['HTML', Buffer.from('<html>'.repeat(20)), 'not a whole zip'],
  ])('is_refused: %s', (_, archive, why) => { expect(() => open(archive)).toThrow(why); });

  // Offsets: from the end, of the record that ends an archive; from the start of the directory; from the start of the file.
  const damaged = (from: 'end' | 'directory' | 'start', at: number, bytes: readonly number[], archive = zip([file])): Buffer => {
    const copy = Buffer.from(archive), end = copy.length - 22;
    Buffer.from(bytes).copy(copy, at + { end, directory: copy.readUInt32LE(end + 16), start: 0 }[from]);
    return copy;
  };
  it.each<[string, Buffer, string]>([
    ['an end that is none', damaged('end', 0, [0]), 'not a whole zip archive'], ['a comment that is not there', damaged('end', 20, [1]), 'not a whole zip archive'],
    ['another disk', damaged('end', 4, [1]), 'spans disks'], ['a directory on another disk', damaged('end', 6, [1]), 'spans disks'], ['entries on another disk', damaged('end', 8, [2]), 'spans disks'],
    ['a directory at the place of zip64', damaged('end', 16, [255, 255, 255, 255]), 'zip64'], ['65,535 entries', damaged('end', 8, [255, 255, 255, 255]), 'zip64'],
    ['a directory that is longer than it says', damaged('end', 12, [0]), 'not where its end says'],
    ['a directory that is none', damaged('directory', 0, [0]), 'the archive\'s directory is damaged'], ['a name that reaches beyond the directory', damaged('directory', 29, [1]), 'the archive\'s directory is damaged'],
    ['more bytes behind the entry', damaged('directory', 31, [1]), 'the archive\'s directory is damaged'], ['a comment of the entry behind its end', damaged('directory', 33, [1]), 'the archive\'s directory is damaged'],
    ['a name that is shorter than the entry', damaged('directory', 28, [13]), 'does not belong'], ['encrypted anew', damaged('directory', 8, [0x40]), 'encrypted'], ['with masked headers', damaged('directory', 9, [0x20]), 'encrypted'],
    ['a file somewhere else', damaged('directory', 42, [1]), 'not where the directory says'], ['a file behind the end', damaged('directory', 43, [255]), 'not where the directory says'], ['a file that is none', damaged('start', 0, [0]), 'not where the directory says'],
    ['a file that reaches beyond the end', damaged('directory', 21, [0xff]), 'not what the directory says'], ['a name of the file that is longer', damaged('start', 26, [15]), 'not what the directory says'],
    ['a size that is too small', damaged('directory', 24, [18]), 'unpacked'], ['a size that is too large', damaged('directory', 24, [20]), 'check sum'],
    ['a stored file of another size', damaged('directory', 24, [20], zip([{ ...file, method: 0 }])), 'check sum'], ['bytes that are packed by nobody', damaged('start', 30 + 14, [255, 255]), 'can\'t be unpacked'],
    ['a directory of four bytes', Buffer.concat([Buffer.from('504b0102', 'hex'), Buffer.from('504b0506000000000100010004000000000000000000'.padEnd(44, '0'), 'hex')]), 'the archive\'s directory is damaged'],
    ['a file at the last byte', damaged('directory', 42, [zip([file]).length - 2]), 'not where the directory says'], ['no name', zip([{ ...file, name: '' }]), '"", which does not belong there'],
    ['a long foreign name', zip([{ ...file, name: 'x'.repeat(200) }]), `"${'x'.repeat(80)}", which`],
  ])('is_refused_where_it_is_damaged: %s', (_, archive, why) => { expect(() => open(archive)).toThrow(why); });

  it('may_hold_something_between_its_parts', () => {
    const extra = zip([file]), end = extra.length - 22, start = extra.readUInt32LE(end + 16), nameEnd = start + 46 + file.name.length;
    const field = Buffer.from('7856040001020304', 'hex');
    const longer = Buffer.concat([extra.subarray(0, 30 + file.name.length), field, extra.subarray(30 + file.name.length, nameEnd), field, Buffer.from('note'), extra.subarray(nameEnd)]);
    longer.writeUInt16LE(8, 28);
    longer.writeUInt16LE(8, start + 8 + 30);
    longer.writeUInt16LE(4, start + 8 + 32);
    longer.writeUInt32LE(extra.readUInt32LE(end + 12) + 12, longer.length - 10);
    longer.writeUInt32LE(start + 8, longer.length - 6);
    expect(open(longer)).toBe('{"kind":"session"}\n');
  });

  it('may_hold_two_files_up_to_the_limit_together', () => {
    const [a, b] = [{ name: 'a', data: Buffer.alloc(60, 'a'), method: 0 }, { name: 'b', data: Buffer.alloc(40, 'b'), method: 0 }];
    const both = { names: ['a', 'b'], maxBytes: 100 };
    expect([...unzip(zip([a, b]), both)].map(([name, data]) => [name, data.length])).toEqual([['a', 60], ['b', 40]]);
    expect(() => unzip(zip([a, b]), { ...both, maxBytes: 99 })).toThrow('more than 99 bytes');
    expect(() => unzip(zip([a, a]), both)).toThrow('the archive holds a twice');
    expect(unzip(zip([{ name: 'a', data: Buffer.alloc(200, 'a'), method: 8 }]), { names: ['a'], maxBytes: 200 }).get('a')).toHaveLength(200);
  });

  it('never_costs_more_than_its_limits_whatever_byte_is_wrong', () => {
    const good = zip([file]);
    for (let at = 0; at < good.length; at++) {
      for (const value of [0, 0x7f, 0xff]) {
        const bad = Buffer.from(good);
        bad[at] = value;
        try {
          expect(open(bad).length).toBeLessThan(LIMITS.maxBytes);
        } catch (error) {
          expect((error as Error).name).toBe('BadArtifact');    // named, not a crash
        }
      }
    }
  });
});
