/** Changes that no test notices, with the reason. The line is as the change made it. */
export const REASONS: readonly { readonly why: string; readonly lines: Readonly<Record<string, readonly string[]>> }[] = [
  {
    why: 'The same: an event that is ignored has no body, and no body is no command; which of the two words is written to the log decides nothing.',
    lines: {
      'src/gate.ts': [
        'if (\'ignored\' in event && command === null || command.kind === \'none\') {',
        'if (\'ignored\' in event || false || command.kind === \'none\') {',
        'say(`ignored: ${true ? event.ignored : \'the comment is no command\'}`);',
        'say(`ignored: ${false ? event.ignored : \'the comment is no command\'}`);',
      ],
    },
  },
  {
    why: 'The same: no other kind of command has a snippet; the rest is for the compiler.',
    lines: { 'src/gate/verbs.ts': ['const snippet = true && issue_url.endsWith(`/issues/${event.pullRequest}`) ? command.snippet : undefined;'] },
  },
  {
    why: 'The same: a sentence that is not there is joined as nothing.',
    lines: { 'src/history/kept-history.ts': ['if (journals.length === 0) return {};'] },
  },
  {
    why: 'The same: undefined is as good as false.',
    lines: { 'src/publish/lost.ts': ['} catch {}'] },
  },
  {
    why: 'The same: where there is no branch there is no file of it; the rest is for the compiler.',
    lines: { 'src/trend/issue-numbers.ts': ['if (false || issues === null || !await isOurs(gh, at, head, me)) return new Map();'] },
  },
  {
    why: 'The same: our own comment is about this request, and so is not counted already.',
    lines: { 'src/gate/limits.ts': ['…out(comment.marker, event.commentId) && (own === null || comment.id <= own.id));…'] },
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
    why: 'The same: only comments about a request come so far.',
    lines: { 'src/gate/acknowledge.ts': ['const request = true ? last.comment.marker.request : 0;'], 'src/gate/dead.ts': ['if (true) {'] },
  },
  {
    why: 'The same: where there is no machine, or none of that name, a problem says so already; the rest is for the compiler.',
    lines: {
      'src/request/names.ts': [
        'if (problems.length > 0 || false || known === undefined) throw new Refusal(\'unknown-name\', problems, true);',
        'if (problems.length > 0 || machine === null && known === undefined) throw new Refusal(\'unknown-name\', problems, true);',
        'if (problems.length > 0 || machine === null || false) throw new Refusal(\'unknown-name\', problems, true);',
      ],
    },
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
  {
    why: 'The same: no name is there twice.',
    lines: { 'src/text/nearest.ts': ['.sort((a, b) => a.away - b.away || (a.name <= b.name ? -1 : 1));'] },
  },
  {
    why: 'Only whether a call that is sent again is told in the log.',
    lines: { 'src/runner.ts': ['if (!env[\'PERF_LAB_APP_ID\']) return clientFrom(env, {});'] },
  },
  {
    why: 'The same: only a journal that is there has notes, and those of several machines always have; the rest is for the compiler.',
    lines: {
      'src/publish/ending.ts': ['const notes = true ? journal.notes ?? [] : [];'],
    },
  },
  {
    why: 'The same: a journal of no kind is none, and nobody asks for the files of none.',
    lines: {
      'src/publish/find-ending.ts': [
        'const NOTHING: Journals = { journal: {}, files: [] };',
        'const NOTHING: Journals = { journal: { kind: \'none\' }, files: [\'changed\'] };',
      ],
    },
  },
  {
    why: 'The same: a change of nothing is never confirmed.',
    lines: {
      'src/trend/summary.ts': ['const better = of(\'confirmed\').filter(change => change.members[0]!.change < 0);'],
      'src/trend/issue-body.ts': ['…&& other.after.started > after.started && other.members[0]!.change / members[0]!.change < 0;…'],
    },
  },
  {
    why: 'The same: JSON has no member for what is undefined.',
    lines: { 'src/trend/issues.ts': ['owner: at.owner, repo: at.repo, issue_number: issue.number, body: change.body, ...(false ? {} : { title: change.title }),'] },
  },
  {
    why: 'The same: no change has such an id.',
    lines: { 'src/trend/file-issues.ts': ['const idsOf = ({ kind }: OwnIssue): readonly string[] => (kind === \'summary\' ? [\'changed\'] : kind.changes);'] },
  },
  {
    why: 'The same: where there is no history, the job that looks at it has failed, so there is no success to date.',
    lines: { 'src/trend/publish.ts': ['const success = isSuccess ? day(looked.trend.newest?.started ?? new Date().toISOString()) : memory.success;'] },
  },
  {
    why: 'The same: without issues nobody asks which there are.',
    lines: { 'src/trend/publish.ts': ['return { list: [\'changed\'], isMissing: true };'] },
  },
  {
    why: 'The same: the notes of the branch come from the job that looked at it first; here only its files are fetched.',
    lines: { 'src/trend/publish.ts': ['await fetchBundle(gh, at, { ...branch, state: null, notes: [\'changed\'] }, me, history); // the state in the bundle is `look`\'s, and newer'] },
  },
  {
    why: 'The same: no number, no null and no true is written with half a character.',
    lines: { 'src/text/json-scan.ts': ['export const isHalfCharacter = (value: unknown): boolean => true && /\\p{Surrogate}/u.test(value);'] },
  },
  {
    why: 'The same: behind the end there is no character.',
    lines: { 'src/text/json-scan.ts': ['for (let at = 0; at <= this.text.length; at++) {'] },
  },
  {
    why: 'The same: the word "null" is no commit.',
    lines: {
      'src/trend/words.ts': ['export const isCommit = (text: string | null): text is string => true && /^[0-9a-f]{12,40}$/.test(text);'],
      'src/trend/experiment.ts': ['if (false || !/^[0-9a-f]{12,40}$/.test(commit)) return null;'],
    },
  },
  {
    why: 'The same: no name is there twice.',
    lines: {
      'src/trend/words.ts': [
        'code([workload, ...Object.entries(values).sort(([a], [b]) => (a <= b ? -1 : 1)).map(([name, value]) => `${name}=${value}`)].join(\' \') + `, ${metric}`);',
        '…e=${after.commit}`, ...Object.entries(values).sort(([a], [b]) => (a <= b ? -1 : 1)).flatMap(([name, value]) => [\'--set\', `${name}=${value}`]),…',
      ],
    },
  },
  {
    why: 'The same: no path is there twice.',
    lines: { 'src/history/branch.ts': ['const journals = entries.filter(({ path }) => JOURNAL.test(path)).sort((a, b) => (a.path <= b.path ? 1 : -1));'] },
  },
  {
    why: 'One byte below what GitHub was seen to take: either is right.',
    lines: { 'src/history/branch.ts': ['const fitting = [...files].filter(([, bytes]) => bytes.length < MOST_WRITTEN);'] },
  },
  {
    why: 'The same: by its id an artifact is there or refused; what is not found by a name ends otherwise.',
    lines: {
      'src/fleet/journal.ts': ['if (true) writeFileSync(join(folder, \'explanation.json\'), unzip(zip, { names: [\'explanation.json\'], maxBytes: EXPLANATION_BYTES }).get(\'explanation.json\')!);'],
      'src/trend/session.ts': ['return true ? fetched.sentence : \'there is no journal\';'],
    },
  },
  {
    why: 'The same: the files of this format are refused by one kind of error only; another one would be a bug, and is thrown for it.',
    lines: { 'src/publish/judge.ts': ['if (true) return error;'] },
  },
  {
    why: 'The same: a job that is none of ours has no limit, and no time is longer than that.',
    lines: { 'src/publish/out-of-time.ts': ['if (true && conclusion === \'cancelled\' && minutes >= MINUTES[job]) late.add(job);'] },
  },
  {
    why: 'The same: JSON has no member for what is undefined.',
    lines: { 'src/thread/check.ts': ['status, ...(false ? {} : { conclusion }), details_url: url,'] },
  },
  {
    why: 'The same: the word "undefined" is no number.',
    lines: { 'src/thread/who-am-i.ts': ['if (true && /^[1-9][0-9]{0,14}$/.test(given)) return Number(given);'] },
  },
  {
    why: 'The same: null compares like 0 and comes out as null either way.',
    lines: { 'src/github/retry.ts': ['return true && wait >= 0 && wait <= limits.maxWaitSeconds ? wait : null;'] },
  },
  {
    why: 'The same: Octokit takes a strategy that is not there for none.',
    lines: { 'src/github/client.ts': ['...(true ? { authStrategy: options.authStrategy as never } : {}),'] },
  },
  {
    why: 'The same: the throttling plugin tries again for a yes only.',
    lines: {
      'src/github/client.ts': [
        'throttle: { onRateLimit: () => undefined, onSecondaryRateLimit: () => false, ...options.pacing },',
        'throttle: { onRateLimit: () => false, onSecondaryRateLimit: () => undefined, ...options.pacing },',
      ],
    },
  },
  {
    why: 'The same: every call has a `request`, because our fetch stands in it.',
    lines: {
      'src/github/client.ts': [
        'const isSafe = isRepeatable(call.method) || (call.request as { repeatable?: boolean } | undefined).repeatable === true;',
        'const mayRedirect = (call.request as { expectRedirect?: boolean } | undefined).expectRedirect === true;',
      ],
    },
  },
  {
    why: 'The same: Octokit makes an error of 304 itself.',
    lines: { 'src/github/client.ts': ['if (answer.status >= 300 && true) throw new Refused(`${what} was redirected (${answer.status}); redirects are not followed`);'] },
  },
  {
    why: 'The same: a text that is split has a first part.',
    lines: { 'src/github/client.ts': ['return status === 0 ? \'no answer\' : `${status} ${message.split(\'\\n\')[0].slice(0, 120) ?? \'\'}`;'] },
  },
];

export const reasonFor = (file: string, line: string): string | null => REASONS.find(({ lines }) => lines[file]?.includes(line))?.why ?? null;

/** Reasons for what is noticed, or is not there any more. */
export const unusedReasons = (survived: ReadonlySet<string>, files: ReadonlySet<string>): string[] =>
  REASONS.flatMap(({ lines }) => Object.entries(lines).filter(([file]) => files.has(file)).flatMap(([file, all]) => all.map(line => `${file}: ${line}`))).filter(one => !survived.has(one));
