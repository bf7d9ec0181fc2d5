/** A public key line whose parts have the given lengths; the bits are nobody's key. */
export function publicKey(type: string, ...lengths: readonly number[]): string {
  const strings = [Buffer.from(type), ...lengths.map(length => Buffer.alloc(length, 0xb7))];
  return `${type} ${Buffer.concat(strings.flatMap(string => [lengthOf(string), string])).toString('base64')}`;
}

/** `ssh-rsa`, with the leading zero that a positive number wants. */
export function rsaKey(bits: number): string {
  const modulus = Buffer.concat([Buffer.alloc(1), Buffer.alloc(bits / 8, 0xb7)]), strings = [Buffer.from('ssh-rsa'), Buffer.from([1, 0, 1]), modulus];
  return `ssh-rsa ${Buffer.concat(strings.flatMap(string => [lengthOf(string), string])).toString('base64')}`;
}

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return length;
}
