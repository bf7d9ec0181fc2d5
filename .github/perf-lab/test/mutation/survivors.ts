/** Changes that no test notices, with the reason. The line is as the change made it. */
export const REASONS: readonly { readonly why: string; readonly lines: Readonly<Record<string, readonly string[]>> }[] = [
  {
    why: 'The same: an event that is ignored has no body, and no body is no command; which of the two words is written to the log decides nothing.',
    lines: {
      'src/gate.ts': [
        'const command = false ? null : parseCommand(event.body);',
        'if (\'ignored\' in event && command === null || command.kind === \'none\') {',
        'if (\'ignored\' in event || false || command.kind === \'none\') {',
        'say(`ignored: ${true ? event.ignored : \'the comment is no command\'}`);',
        'say(`ignored: ${false ? event.ignored : \'the comment is no command\'}`);',
      ],
    },
  },
  {
    why: 'The same: our own comment is told by its run already.',
    lines: {
      'src/gate/accept.ts': [
        'if (state.run === at.runId || false || (own !== null && comment.id > own.id)) continue;',
        'if (state.run === at.runId || comment.id === own?.id || (own !== null && comment.id >= own.id)) continue;',
      ],
    },
  },
  {
    why: 'The same but for a line of the log: a refusal that comes this late has deleted its comment already.',
    lines: { 'src/gate/fallen.ts': ['if (true) {'] },
  },
  {
    why: 'The same: only comments about a request come so far.',
    lines: { 'src/gate/acknowledge.ts': ['const request = true ? last.comment.marker.request : 0;'] },
  },
  {
    why: 'The same: where there is no machine, or none of that name, a problem says so already; the rest is for the compiler.',
    lines: {
      'src/gate/names.ts': [
        'if (problems.length > 0 || false || known === undefined) throw new Refusal(\'unknown-name\', problems, true);',
        'if (problems.length > 0 || machine === null && known === undefined) throw new Refusal(\'unknown-name\', problems, true);',
        'if (problems.length > 0 || machine === null || false) throw new Refusal(\'unknown-name\', problems, true);',
      ],
    },
  },
  {
    why: 'A second lock: GitHub gives nobody a name with other characters.',
    lines: { 'src/gate/acknowledge.ts': ['const login = line(comment.login, 100);'] },
  },
  {
    why: 'The same: behind every file lies the directory, so a file never ends where the archive ends.',
    lines: {
      'src/artifact/unzip.ts': [
        'if (at + 30 >= zip.length || zip.readUInt32LE(at) !== LOCAL) throw new BadArtifact(`${entry.name} is not where the directory says`);',
        '…(\'latin1\', at + 30, nameEnd) !== entry.name || start + entry.packed >= zip.length) throw new BadArtifact(`${entry.name} is not what the direct…',
      ],
    },
  },
];

export const reasonFor = (file: string, line: string): string | null => REASONS.find(({ lines }) => lines[file]?.includes(line))?.why ?? null;

/** Reasons for what is noticed, or is not there any more. */
export const unusedReasons = (survived: ReadonlySet<string>, files: ReadonlySet<string>): string[] =>
  REASONS.flatMap(({ lines }) => Object.entries(lines).filter(([file]) => files.has(file)).flatMap(([file, all]) => all.map(line => `${file}: ${line}`))).filter(one => !survived.has(one));
