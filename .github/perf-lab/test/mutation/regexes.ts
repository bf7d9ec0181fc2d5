const OPPOSITE: Readonly<Record<string, string>> = { d: 'D', D: 'd', s: 'S', S: 's', w: 'W', W: 'w', b: 'B', B: 'b', p: 'P', P: 'p' };

/** Changes of a regular expression as it is written: without an anchor or a quantifier, with a class or a look-ahead turned round. */
export function regexes(literal: string): string[] {
  const close = literal.lastIndexOf('/');
  const [pattern, flags] = [literal.slice(1, close), literal.slice(close + 1)];
  const found: string[] = [];
  const replace = (at: number, length: number, to: string): void => { found.push(pattern.slice(0, at) + to + pattern.slice(at + length)); };
  for (let at = 0, inClass = false; at < pattern.length; at++) {
    const char = pattern[at]!;
    if (char === '\\') {
      const other = OPPOSITE[pattern[at + 1]!];
      if (other !== undefined) replace(at + 1, 1, other);
      at++;
    } else if (inClass) inClass = char !== ']';
    else if (char === '[') {
      inClass = true;
      if (pattern[at + 1] === '^') replace(at + 1, 1, '');
      else replace(at + 1, 0, '^');
    } else if (char === '^' || char === '$') replace(at, 1, '');
    else if (char === '(' && /^\(\?<?[=!]/.test(pattern.slice(at))) {
      const sign = pattern.slice(at).search(/[=!]/) + at;
      replace(sign, 1, pattern[sign] === '=' ? '!' : '=');
      at = sign;
    } else if (char === '(' && pattern[at + 1] === '?') at++;
    else if (/[*+?]/.test(char)) replace(at, pattern[at + 1] === '?' ? 2 : 1, '');
    else if (char === '{') {
      const length = /^\{\d+(,\d*)?\}/.exec(pattern.slice(at))?.[0].length ?? 0;
      if (length > 0) replace(at, length, '');
    }
  }
  return [...new Set(found)].filter(isPattern(flags)).map(changed => `/${changed}/${flags}`);
}

const isPattern = (flags: string) => (pattern: string): boolean => {
  try {
    new RegExp(pattern, flags);
    return pattern !== '';
  } catch {
    return false;
  }
};
