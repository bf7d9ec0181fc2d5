/** Parses JSON from outside: JSON.parse alone takes equal keys (the last wins), `__proto__`, and any depth. */
export function parseStrict(text: string, maxDepth = 32): unknown {
  const value: unknown = JSON.parse(text);
  scan(text, maxDepth);
  return value;
}

// The text is valid JSON by now, so only keys and depth are left to look at.
function scan(text: string, maxDepth: number): void {
  const open: (Set<string> | null)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      if (isKeyNext) addKey(open.at(-1) ?? null, JSON.parse(text.slice(at, end + 1)) as string);
      isKeyNext = false;
      at = end;
    } else if (char === '{' || char === '[') {
      if (open.push(char === '{' ? new Set() : null) > maxDepth) throw new SyntaxError(`nested more than ${maxDepth} deep`);
      isKeyNext = char === '{';
    } else if (char === '}' || char === ']') {
      open.pop();
      isKeyNext = false;
    } else if (char === ',') {
      isKeyNext = open.at(-1) instanceof Set;
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function addKey(keys: Set<string> | null, key: string): void {
  if (key === '__proto__') throw new SyntaxError('a member is named __proto__');
  if (keys?.has(key)) throw new SyntaxError(`the member ${JSON.stringify(key.slice(0, 60))} appears twice`);
  keys?.add(key);
}
