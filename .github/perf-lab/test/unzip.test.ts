import { describe, expect, it } from 'vitest';
import { unzip } from '../src/artifact/unzip.ts';
import { zip } from './support/zip.ts';

const LIMITS = { names: ['samples.ndjson'], maxBytes: 1 << 20 };
const file = { name: 'samples.ndjson', data: Buffer.from('{"kind":"session"}\n') };
const open = (archive: Buffer): string => unzip(archive, LIMITS).get('samples.ndjson')!.toString();

describe('an artifact\'s archive', () => {
  it('gives_its_file', () => { expect(open(zip([file]))).toBe('{"kind":"session"}\n'); });
  it('may_be_stored_unpacked_and_say_that_it_is_a_regular_file', () => { expect(open(zip([{ ...file, method: 0, attributes: 0x81a40000 }]))).toBe('{"kind":"session"}\n'); });

  it.each<[string, Buffer, string]>([
    ['zip bomb that tells its size', zip([{ ...file, data: Buffer.alloc(1 << 20) }]), 'zip bomb'],
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
