import { understood } from './values';

const LEAST_RSA_BITS = 3072;
const ECDSA = ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'];
/** Azure takes no ECDSA keys for Linux machines. */
export const VM_KEYS: readonly string[] = ['ssh-ed25519', 'ssh-rsa'];
export const HOST_KEYS: readonly string[] = ['ssh-ed25519', ...ECDSA, 'ssh-rsa'];

/** `<type> <base64>` without the comment. A problem never shows the text: it may be a private key. */
export const publicKey = (types: readonly string[], hint: string) => understood((line, refuse) => {
  if (typeof line !== 'string') return refuse(line === undefined ? `missing (${hint})` : `not text; wanted is ${hint}`);
  const problem = publicKeyProblem(line, types);
  return problem ? refuse(problem) : line.trim().split(/ +/).slice(0, 2).join(' ');
});

/** What is wrong with a public key line `<type> <base64> [comment]`, or nothing. */
function publicKeyProblem(line: string, types: readonly string[]): string | undefined {
  const accepted = `accepted are ${types.join(', ')}, RSA from ${LEAST_RSA_BITS} bits`;
  if (/PRIVATE KEY/.test(line)) return 'this is a private key; give the line of the .pub file, and make a new pair: this one is spent';
  const [type, base64, ...rest] = line.trim().split(/ +/);
  if (/[\r\n]/.test(line.trim()) || rest.length > 1 || !type || !base64) return `not one line "<type> <base64>"; ${accepted}`;
  if (!types.includes(type)) return `keys of type ${/^[a-z0-9@.-]{1,40}$/.test(type) ? type : '(unreadable)'} are not taken; ${accepted}`;
  const fields = wireFields(base64);
  if (fields?.[0]?.toString('latin1') !== type) return `the base64 part does not hold a key of the type in front of it; ${accepted}`;
  if (type === 'ssh-ed25519') return fields.length === 2 && fields[1]?.length === 32 ? undefined : 'not an ed25519 key of 32 bytes';
  if (type === 'ssh-rsa') return fields.length === 3 ? rsaProblem(fields[2], accepted) : 'not a complete RSA key';
  return fields.length === 3 ? undefined : 'not a complete ECDSA key';
}

function rsaProblem(modulus: Buffer | undefined, accepted: string): string | undefined {
  const significant = modulus ? modulus.subarray(modulus.findIndex(b => b !== 0)) : Buffer.alloc(0);
  const bits = significant.length === 0 ? 0 : significant.length * 8 - Math.clz32(significant[0] ?? 0) + 24;
  return bits < LEAST_RSA_BITS ? `an RSA key of ${bits} bits is too weak; ${accepted}` : undefined;
}

/** The length-prefixed strings of RFC 4253 section 6.6; nothing when a length runs over the end. */
function wireFields(base64: string): Buffer[] | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  const bytes = Buffer.from(base64, 'base64'), fields: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    if (at + 4 > bytes.length) return undefined;
    const length = bytes.readUInt32BE(at);
    if (at + 4 + length > bytes.length) return undefined;
    fields.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}
