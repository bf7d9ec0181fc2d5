/** A block of code in Markdown, between two lines of back-ticks or tildes. */
export interface Fence {
  /** The first word behind the opening marks, in small letters; '' where there is none. */
  readonly language: string;
  readonly lines: readonly string[];
  readonly isClosed: boolean;
}

/** Lines of a comment as GitHub shows them: prose, and blocks of code. One without an end has all that follows. */
export function readFences(lines: readonly string[]): { readonly prose: readonly string[]; readonly fences: readonly Fence[] } {
  const prose: string[] = [], fences: Fence[] = [];
  for (let i = 0; i < lines.length; i++) {
    const opening = openingOf(lines[i]!);
    if (opening === null) {
      prose.push(lines[i]!);
      continue;
    }
    const rest = lines.slice(i + 1), length = rest.findIndex(line => closes(line, opening.mark)), isClosed = length >= 0;
    const inside = isClosed ? rest.slice(0, length) : rest;
    fences.push({ language: opening.language, lines: inside.map(line => without(line, opening.indent)), isClosed });
    i += inside.length + 1;
  }
  return { prose, fences };
}

function openingOf(line: string): { readonly indent: number; readonly mark: string; readonly language: string } | null {
  const opening = /^( {0,3})(`{3,}|~{3,})(.*)/.exec(line);
  if (opening === null) return null;
  const [, indent = '', mark = '', info = ''] = opening;
  if (mark[0] === '`' && info.includes('`')) return null;    // ```like this``` is code in a line
  return { indent: indent.length, mark, language: info.trim().split(/\s/, 1)[0]!.toLowerCase() };
}

/** A fence ends at one of the same marks that is as long. */
function closes(line: string, mark: string): boolean {
  const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1] ?? '';
  return end[0] === mark[0] && end.length >= mark.length;
}

/** A fence that is indented takes as many blanks off each of its lines, where they are. */
const without = (line: string, indent: number): string => line.replace(new RegExp(`^ {0,${indent}}`), '');
