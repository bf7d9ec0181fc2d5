import { describe, expect, it } from 'vitest';
import { issueLines, titleOf } from '../src/trend/issue-body.ts';
import { END, markerLine, memoryLine, readMarker, readMemory, readSaid, saidLine } from '../src/trend/marker.ts';
import { summaryLines, type SummaryOf } from '../src/trend/summary.ts';
import { isFiled, type Change, type Trend } from '../src/history/trend-file.ts';
import { compareLink, day, experimentWords, memberName, place as placeOf, signed, size, titleName } from '../src/trend/words.ts';
import { at, change, place, trendOf } from './support/trend.ts';

const A = 'a'.repeat(12), B = 'b'.repeat(12), C = 'c'.repeat(12), D = 'd'.repeat(12);
const COMMIT = 'https://github.com/example/library/commit';
const member = (more: Partial<Change['members'][number]> = {}): Change['members'][number] => ({ ...change(A).members[0]!, ...more });
const faster = (id: string, more: Parameters<typeof change>[1] = {}): Change => change(id, { members: [member({ change: -0.05 })], experiment: { ...change(A).experiment!, change: -0.06 }, ...more });

describe('a change in words', () => {
  it.each([[0.081, '8.1 % slower', '+8.1 %'], [-0.05, '5.0 % faster', '-5.0 %'], [0, '0.0 % faster', '+0.0 %']])('has_a_size_and_a_sign: %d', (by, inWords, withSign) => { expect([size(by), signed(by)]).toEqual([inWords, withSign]); });
  it('is_on_a_day_of_utc', () => { expect(day('2026-03-02T23:30:00-02:00')).toBe('2026-03-03'); });
  it.each<[string | null, string]>([
    ['0123456789ab', `[\`0123456789ab\`](${COMMIT}/0123456789ab)`], ['0'.repeat(40), `[\`${'0'.repeat(12)}\`](${COMMIT}/${'0'.repeat(40)})`], [null, 'an unnamed commit'],
    ['0123456789a', '`0123456789a`'], ['0'.repeat(41), `\`${'0'.repeat(41)}\``], ['0123456789ab!', '`0123456789ab!`'], ['!0123456789ab', '`!0123456789ab`'], ['x'.repeat(90), `\`${'x'.repeat(79)}…\``],
  ])('is_at_a_place: %s', (commit, shown) => { expect(placeOf(at, { ...place(1), commit })).toBe(`${shown} (2026-01-12)`); });
  it('is_between_two_commits_or_none', () => {
    const between = (before: string | null, after: string | null): string => compareLink(at, change(A, { before: { ...place(1), commit: before }, after: { ...place(2), commit: after } }));
    expect(between('1'.repeat(12), '2'.repeat(12))).toBe(` ([commits between](https://github.com/example/library/compare/${'1'.repeat(12)}...${'2'.repeat(12)}))`);
    expect([between(null, '2'.repeat(12)), between('1'.repeat(12), null), between('x', '2'.repeat(12)), between('1'.repeat(12), 'x')]).toEqual(['', '', '', '']);
  });
  it('names_its_values_in_the_order_of_their_names', () => { expect(memberName({ workload: 'primes', values: { b: '2', a: '1', c: '3' }, metric: 'throughput' })).toBe('`primes a=1 b=2 c=3, throughput`'); });
  it.each([['primes', true], ['json-round_trip.2', true], ['p'.repeat(64), true], ['p'.repeat(65), false], ['Primes', false], ['2primes', false], ['primes!', false], ['!primes', false], ['abcdef0', false], ['abcdef', true], ['xabcdef0', true], ['abcdef0x', true], ['gh-1', false], ['gh-x', true], ['x-gh-1', true]])(
    'names_a_program_in_a_title_or_not: %s', (name, isNamed) => { expect(titleName(name)).toBe(isNamed ? name : 'a program'); });
  it('is_measured_again_by_words_in_one_order', () => {
    const many = change(A, { members: [member({ values: { size: '4', limit: '300', c: 'x' } })] });
    expect(experimentWords(many)).toEqual(['primes', '--base', 'source=000000000004', '--head', 'source=000000000006', '--set', 'c=x', '--set', 'limit=300', '--set', 'size=4', '--rounds', '0+28']);
    expect(experimentWords(change(A, { members: [member({ values: { c: 'x', limit: '300', size: '4' } })] }))).toEqual(experimentWords(many));
    for (const wrong of [{ workload: 'a b' }, { values: { 'a b': '1' } }, { values: { a: '1 2' } }, { values: { a: '-1' } }]) expect(experimentWords(change(A, { members: [member(wrong)] }))).toBeNull();
    expect([experimentWords(change(A, { before: { ...place(1), commit: null } })), experimentWords(change(A, { after: { ...place(1), commit: 'main' } }))]).toEqual([null, null]);
  });
  it.each<[string, Partial<Change>, boolean]>([
    ['confirmed', {}, true], ['recovered', { status: 'recovered' }, true], ['due', { status: 'due' }, false], ['accepted', { accepted: 'fine' }, false], ['not accepted', { accepted: null }, true], ['no change', { members: [member({ change: 0 })] }, false],
  ])('gets_an_issue_or_not: %s', (_, more, isOne) => { expect(isFiled(change(A, more))).toBe(isOne); });
});

describe('what an issue says', () => {
  const lines = (one: Change, all: readonly Change[] = [one], program = ''): string[] => issueLines(at, one, { all, program });
  const rows = (one: Change): string[] => lines(one).filter(line => line.startsWith('| `'));

  it('is_titled_by_its_clearest_program_and_what_the_experiment_measured', () => {
    expect(titleOf(change(A))).toBe('perf-lab: primes is 8.1 % slower since 2026-02-16');
    expect(titleOf(change(A, { experiment: null }))).toBe('perf-lab: primes is 8.0 % slower since 2026-02-16');
    expect(titleOf(change(A, { members: [member(), member({ workload: 'json' }), member({ workload: 'xml' }), member({ workload: 'json' })] }))).toMatch(/ since 2026-02-16, and 2 more$/);
    expect(titleOf(change(A, { members: [member(), member()] }))).toMatch(/ since 2026-02-16$/);
  });
  it('begins_with_how_much_and_where', () => {
    expect(lines(change(A))[0]).toBe(`**8.1 % slower** somewhere after [\`000000000004\`](${COMMIT}/000000000004) (2026-02-02) and until [\`000000000006\`](${COMMIT}/000000000006) (2026-02-16) ([commits between](https://github.com/example/library/compare/000000000004...000000000006)).`);
    expect(lines(change(A, { experiment: null }))[0]).toMatch(/^\*\*8\.0 % slower\*\*/);
  });
  it('has_these_lines_in_this_order_where_there_is_no_experiment', () => {
    expect(lines(change(A, { experiment: null })).slice(1, -7)).toEqual([
      '', 'What changed in the weekly sessions (head against the anchor), the clearest first:', '', '| series | change | p |', '|---|---:|---:|', '| `primes limit=300, throughput` | +8.0 % | 0.0020 |',
      '', 'On `AMD EPYC`, executor `docker`, machine `m`. The place may be off by one session; the commits named are one further out on each side.', '', '### Reproduce', '', 'In a clone of this repository:', '',
    ].slice(0, -2));
  });
  it('has_the_experiment_as_a_row_and_none_without', () => {
    expect(rows(change(A))).toEqual(['| `primes limit=300, throughput` | +8.1 % | +7.0 % to +9.0 % | 1.0e-8 | 28 | `regressed` |', '| `primes limit=300, throughput` | +8.0 % | 0.0020 |']);
    expect(rows(change(A, { experiment: { ...change(A).experiment!, low: null, pValue: null, verdict: null } }))[0]).toBe('| `primes limit=300, throughput` | +8.1 % |  |  | 28 | `none` |');
    expect(rows(change(A, { experiment: { ...change(A).experiment!, high: null } }))[0]).toContain('| +8.1 % |  | 1.0e-8 |');
    expect(rows(change(A, { experiment: null }))).toHaveLength(1);
    expect(lines(change(A, { experiment: null })).join('\n')).not.toContain('in one session');
  });
  it('names_forty_series_and_how_many_more', () => {
    const wide = (count: number): string[] => lines(change(A, { experiment: null, members: Array.from({ length: count }, (_, i) => member({ values: { limit: String(i) } })) }));
    expect(wide(40).filter(line => line.startsWith('| `'))).toHaveLength(40);
    expect(wide(40).join('\n')).not.toContain('more.');
    const more = wide(42);
    expect([more.filter(line => line.startsWith('| `')).length, more.includes('And 2 more.')]).toEqual([40, true]);
  });
  it('says_who_brought_it_back_and_how_sure_that_is', () => {
    const told = (all: Change[], more: Partial<Change> = {}): string => lines(change(A, { status: 'recovered', recoveredBy: B, ...more }), all).find(line => line.startsWith('**Recovered.**'))!;
    expect(told([faster(B, { week: 10 })])).toBe(`**Recovered.** A later change, after [\`000000000008\`](${COMMIT}/000000000008) (2026-03-02) and until [\`000000000010\`](${COMMIT}/000000000010) (2026-03-16), brought it back within 1 % of the level before, and an experiment confirmed that (-6.0 %).`);
    expect(told([faster(C, { week: 11 }), faster(B, { week: 10 })])).toContain(`after [\`000000000008\`](${COMMIT}/000000000008)`);
    expect(told([faster(B, { week: 10, experiment: null })])).toMatch(/confirmed that\.$/);
    expect(told([])).toMatch(/^\*\*Recovered\.\*\* A later change brought it back/);
    expect(told([], { members: [member(), member()] })).toContain('brought the last of these series back');
    expect(lines(change(A)).some(line => line.includes('Recovered'))).toBe(false);
  });
  const mended = (...others: Change[]): string[] => lines(change(A), [change(A), ...others]).filter(line => line.startsWith('- '));
  it('tells_what_got_better_since_while_it_is_open', () => {
    expect(mended(faster(B, { week: 10 }))).toEqual([`- \`primes limit=300, throughput\`: 5.0 % faster after [\`000000000008\`](${COMMIT}/000000000008) (2026-03-02)`]);
    expect(mended(faster(B, { week: 10, status: 'recovered' }))).toHaveLength(1);
    for (const other of [faster(B, { week: 10, status: 'due' }), faster(B, { week: 6 }), faster(B, { week: 5 }), change(B, { week: 10 }), faster(B, { week: 10, members: [member({ change: 0 })] }), faster(B, { week: 10, members: [member({ change: -0.05, series: 'e'.repeat(64) })] })]) expect(mended(other)).toEqual([]);
    expect(mended(...Array.from({ length: 45 }, (_, i) => faster(String(i).padStart(12, '0'), { week: 10 + i })))).toHaveLength(40);
    const over = change(A, { status: 'recovered', recoveredBy: B });
    expect(lines(over, [over, faster(B, { week: 10 })]).some(line => line.startsWith('- '))).toBe(false);
  });
  it('tells_the_newest_of_what_got_better', () => {
    const many = Array.from({ length: 45 }, (_, i) => faster(String(i).padStart(12, '0'), { week: 10 + i }));
    expect([mended(...many)[0], mended(...many).at(-1)]).toEqual([expect.stringContaining('000000000013'), expect.stringContaining('000000000052')]);
  });
  it('is_reproduced_by_a_command_or_by_hand', () => {
    const command = (one: Change, program = ''): string | undefined => { const all = lines(one, [one], program); return all[all.indexOf('```sh') + 1]; };
    expect(command(change(A))).toBe('./perf-lab run primes --base source=000000000004 --head source=000000000006 --set limit=300 --rounds 0+28');
    expect(command(change(A), 'lab/perf-lab')).toMatch(/^lab\/perf-lab run primes /);
    const unsayable = lines(change(A, { members: [member({ workload: '--out' })] }));
    expect(unsayable.slice(unsayable.indexOf('### Reproduce'), -2)).toEqual(['### Reproduce', '', 'The commits or names can\'t be said on a command line: measure the two commits against each other by hand.']);
  });
});

describe('marks in an issue', () => {
  it('are_read_only_as_they_were_written', () => {
    const line = markerLine({ changes: [A, B] });
    expect([readMarker(`${line}\ntext`), readMarker(line), readMarker(`${line}\r\ntext`), readMarker(markerLine('summary'))]).toEqual([{ changes: [A, B] }, { changes: [A, B] }, { changes: [A, B] }, 'summary']);
    for (const other of [`x${line}`, `${line}x`, ` ${line}`, `\n${line}`, line.replace(A, 'a'.repeat(11)), line.replace(A, `${A}a`), line.replace(`=${A},`, '='.concat(',')), line.replace(B, ''), line.replace('v1', 'v2'), '']) expect(readMarker(other)).toBeNull();
    expect(readMarker(markerLine({ changes: Array<string>(50).fill(A) }))).toMatchObject({ changes: { length: 50 } });
    expect(readMarker(markerLine({ changes: Array<string>(51).fill(A) }))).toBeNull();
  });
  it('say_what_was_said_last_in_the_second_line_only', () => {
    expect([readSaid(`x\n${saidLine('recovered')}\ny`), readSaid(`x\r\n${saidLine('recovered')}`), readSaid(`x\n${saidLine('recovered').replace(' -->', '')}`), readSaid(`x\n${saidLine('confirmed')}`)]).toEqual(['recovered', 'recovered', 'recovered', 'confirmed']);
    for (const other of ['', 'x', saidLine('recovered'), `x\ny\n${saidLine('recovered')}`, `x\n ${saidLine('recovered')}`, `x\n${saidLine('recovered').replace('recovered', 'recoveredly')}`]) expect(readSaid(other)).toBe('confirmed');
  });
  it('hold_a_memory_that_is_read_whole_or_not_at_all', () => {
    const memory = { data: 'd'.repeat(40), success: '2026-03-02', issues: new Map([[A, 12], [B, 1_234_567_890]]) };
    const line = memoryLine(memory);
    expect(line).toBe(`<!-- perf-lab:trend-memory data=${'d'.repeat(40)} success=2026-03-02 issues=${A}:12,${B}:1234567890 -->`);
    expect([readMemory(`x\n${line}`), readMemory(`x\r\n${line}\r\ny`)]).toEqual([memory, memory]);
    const wrong = [
      line.replace('d'.repeat(40), 'd'.repeat(39)), line.replace('d'.repeat(40), 'd'.repeat(41)), line.replace('2026-', '26-'), line.replace('-02 ', '-2 '), line.replace('-03-', '-3-'), line.replace('-02 ', '-023 '), line.replace('2026-', '20263-'), line.replace('-03-', '-033-'),
      line.replace(A, 'a'.repeat(11)), line.replace(B, 'b'.repeat(11)), line.replace(A, `${A}a`), line.replace(B, `${B}b`), line.replace(':12,', ':,'), line.replace(':12,', ':12345678901,'), line.replace('1234567890 ', '12345678901 '), line.replace(':12,', ':012,'), line.replace('890 ', '890, '), ` ${line}`, `${line} `, `${line}x`, `x${line}`,
    ];
    for (const other of wrong) expect([other, readMemory(`x\n${other}`).data]).toEqual([other, null]);
    expect(readMemory(line).data).toBeNull();
  });
  it('forget_the_oldest_issues_first', () => {
    const issues = new Map(Array.from({ length: 1001 }, (_, i) => [i.toString(16).padStart(12, '0'), i + 1]));
    const kept = [...readMemory(`x\n${memoryLine({ data: null, success: null, issues })}`).issues.values()];
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([1000, 2, 1001]);
  });
});

describe('the summary', () => {
  const HEAD = '4'.repeat(40), ANCHOR = '1'.repeat(40);
  const told = (more: Partial<SummaryOf> = {}): string[] => summaryLines({ at, failures: [], measured: null, commits: null, machine: 'ryzen', suite: 'pr', trend: null, filed: [], confirmed: null, cost: null, lastSuccess: null, notes: [], ...more });
  const text = (more: Partial<SummaryOf> = {}): string => told(more).join('\n');
  const ofTrend = (more: Partial<Trend>): Partial<SummaryOf> => ({ trend: { ...trendOf(), ...more } });
  const measured = { answer: '1 regressed', report: 'the report\n\n', falseFlags: { flagged: 1, runs: 20, low: 0.0013, high: 0.2487 } };
  const section = (title: string, lines: readonly string[]): string[] | null => {
    const from = lines.indexOf(`**${title}**`);
    return from < 0 ? null : lines.slice(from + 2, lines.indexOf('', from + 2));
  };

  it('of_a_trend_goes_from_what_changed_straight_to_how_much_to_believe', () => {
    const lines = told(ofTrend({ changes: [change(A, { status: 'due' })] }));
    expect(lines.slice(0, lines.indexOf('### How much to believe'))).toEqual(['### What changed', '', '**Waiting for an experiment, one a run**', '', expect.stringMatching(/^- `primes limit=300, throughput`: 8\.0 % slower between /), '']);
  });
  it('of_nothing_says_how_little_there_is_to_believe', () => {
    expect(told()).toEqual([
      '### How much to believe', '', expect.stringMatching(/^- False flags: no A\/A session is in the history yet/), '- Last success: none yet.', '',
      'The history is on the branch [`perf-lab-data`](https://github.com/example/library/tree/perf-lab-data). This issue is edited by the weekly run; what you write below the last line of this text stays.',
    ]);
  });
  it('begins_with_what_failed', () => { expect(told({ failures: ['One.', 'Two.'] }).slice(0, 5)).toEqual(['**The last run did not succeed.**', '', '- One.', '- Two.', '']); });
  it('of_a_week_begins_with_its_answer_and_ends_with_its_report', () => {
    const lines = told({ measured, commits: { head: HEAD, anchor: ANCHOR } });
    expect(lines.slice(0, 2)).toEqual(['### 1 regressed', '']);
    expect(lines[2]).toMatch(`Head [\`${'4'.repeat(12)}\`](${COMMIT}/${HEAD}) against the anchor [\`${'1'.repeat(12)}\`](${COMMIT}/${ANCHOR}), suite \`pr\` on \`ryzen\`, in [this run](https://github.com/example/library/actions/runs/900).`);
    expect(lines.slice(-7, -1)).toEqual([expect.stringMatching(/^<details><summary>.*<\/summary>$/), '', 'the report', '', '</details>', '']);
    expect(text({ measured })).not.toContain('against the anchor');
    expect(text({ commits: { head: HEAD, anchor: ANCHOR } })).not.toContain('against the anchor');
    expect(text({ commits: { head: HEAD, anchor: ANCHOR } })).not.toContain('<details>');
  });
  it('says_how_much_to_believe', () => {
    const lines = told({ measured, commits: { head: HEAD, anchor: ANCHOR }, cost: { minutes: 60, price: 0.1 }, lastSuccess: '2026-03-02', ...ofTrend({ stopped: [{ workload: 'primes', values: {}, metric: 'throughput', machine: 'm', cpu: 'c', last: place(3), missed: 4 }], warnings: ['w'.repeat(500)] }) });
    const from = lines.indexOf('### How much to believe');
    expect(lines.slice(from + 2, lines.indexOf('', from + 2))).toEqual([
      '- False flags: 1 of 20 A/A sessions flagged something, which is 0.1 % to 24.9 % of them.', '- Cost: 60 minutes of machine time, 0.10 in the subscription\'s currency.', '- Last success: 2026-03-02.',
      '- Newest session: 2026-03-30, 20 sessions and 3 series in all.', expect.stringMatching(/^- The anchor is \[`111111111111`\]/), '- Stopped running: `primes, throughput`, no value in the last 4 sessions, the last on 2026-01-26.', `- \`${'w'.repeat(399)}…\``,
    ]);
    expect(text({ cost: { minutes: 1, price: null } })).toContain('- Cost: 1 minute of machine time.');
    expect(text({ measured: { ...measured, falseFlags: null } })).toContain('no A/A session');
    expect(text(ofTrend({ newest: null }))).not.toContain('Newest session');
  });
  it('has_room_for_forty_of_a_kind', () => {
    const stopped = Array.from({ length: 45 }, (_, i) => ({ workload: `w${i}`, values: {}, metric: 't', machine: 'm', cpu: 'c', last: place(3), missed: 4 }));
    const lines = told(ofTrend({ stopped, warnings: Array.from({ length: 45 }, (_, i) => `warning ${i}`) }));
    expect([lines.filter(line => line.startsWith('- Stopped')).length, lines.filter(line => line.startsWith('- `warning')).length]).toEqual([40, 40]);
    const many = Array.from({ length: 45 }, (_, i) => change(String(i).padStart(12, '0'), { status: 'watched', week: 6 + i }));
    const rows = section('Seen once, not clear yet', told(ofTrend({ changes: many })))!;
    expect([rows.length, rows[0]]).toEqual([40, expect.stringContaining('000000000011')]);
    const filed = many.map((one, i) => ({ change: { ...one, status: 'confirmed' as const }, number: i, standing: 'filed' as const }));
    const table = section('Slower, and confirmed by an experiment', told({ ...ofTrend({ changes: many }), filed }))!;
    expect([table.length, table[2]]).toEqual([42, expect.stringContaining('[#5]')]);
  });
  it('sorts_what_changed_by_what_became_of_it', () => {
    const over = change(B, { status: 'recovered', recoveredBy: C });
    const two = [member(), member({ values: { limit: '400' } })];
    const changes = [
      change(A), over, faster(C), change(D, { status: 'due', confirm: './perf-lab run', members: two }), change('e'.repeat(12), { status: 'due' }), change('f'.repeat(12), { status: 'watched', week: 8 }),
      change('1'.repeat(12), { status: 'not-confirmed', experiment: { ...change(A).experiment!, change: 0.002 } }), change('2'.repeat(12), { status: 'not-confirmed', experiment: null }),
    ];
    const lines = told({
      confirmed: 'This run measured.', ...ofTrend({ changes, environment: [{ machine: 'm', cpu: 'EPYC', before: place(1), after: place(2), share: 0.804, change: 0.1 }] }),
      filed: [{ change: changes[0]!, number: 7, standing: 'updated' }, { change: over, number: null, standing: 'over-before' }],
    });
    const NAME = '`primes limit=300, throughput`', [P4, P6, P8] = [4, 6, 8].map(week => placeOf(at, place(week)));
    expect(lines.slice(0, 4)).toEqual(['### What changed', '', 'This run measured.', '']);
    expect(section('Slower, and confirmed by an experiment', lines)).toEqual(['| issue | what | change | since | |', '|---|---|---:|---|---|', `| [#7](https://github.com/example/library/issues/7) | ${NAME} | +8.1 % | 2026-02-16 | open |`]);
    expect(section('Recovered', lines)!.slice(2)).toEqual([`|  | ${NAME} | +8.1 % | 2026-02-16 | over before it was confirmed |`]);
    expect(section('Faster, and confirmed', lines)).toEqual([expect.stringMatching(/^- `primes limit=300, throughput`: 6\.0 % faster after .* \(2026-02-02\) \(\[commits between\]\(.*\)\)$/)]);
    expect(section('Waiting for an experiment, one a run', lines)).toEqual([`- ${NAME} and 1 more: 8.0 % slower between ${P4} and ${P6}`, `- ${NAME}: 8.0 % slower between ${P4} and ${P6}; its commits can't be named on a command line, so it is yours to measure`]);
    expect(section('Seen once, not clear yet', lines)).toEqual([`- ${NAME}: 8.0 % slower between ${P6} and ${P8}`]);
    expect(section('Not found by an experiment', lines)).toEqual([`- ${NAME}: seen as +8.0 %, measured as +0.2 %`, `- ${NAME}: seen as +8.0 %, measured as nothing`]);
    expect(section('The machine, not the program', lines)).toEqual(['- `EPYC`: anchors of 80 % of its series became 10.0 % slower between 2026-01-12 and 2026-01-19']);
    expect(lines.some(line => line.startsWith('Nothing, in'))).toBe(false);
  });
  it('has_no_heading_over_nothing', () => {
    const lines = told(ofTrend({ sessions: 1 }));
    expect(lines.filter(line => line.startsWith('**'))).toEqual([]);
    expect(lines.slice(0, 4)).toEqual(['### What changed', '', 'Nothing, in 3 series over 1 session.', '']);
    expect(text(ofTrend({}))).toContain('over 20 sessions.');
    expect(text(ofTrend({ environment: [{ machine: 'm', cpu: 'EPYC', before: place(1), after: place(2), share: 0.8, change: 0.1 }] }))).not.toContain('Nothing, in');
    expect(section('Faster, and confirmed', told(ofTrend({ changes: [change(A)] })))).toBeNull();
    expect(section('Faster, and confirmed', told(ofTrend({ changes: [faster(A, { experiment: null })] })))).toEqual([expect.stringContaining('5.0 % faster')]);
    expect(section('Slower, and confirmed by an experiment', told({ ...ofTrend({}), filed: [{ change: change(A, { experiment: null }), number: 7, standing: 'filed' }] }))![2]).toContain('| +8.0 % |');
  });
  it('names_five_of_what_was_not_found_and_of_the_machines_steps', () => {
    const step = (week: number) => ({ machine: 'm', cpu: 'EPYC', before: place(week), after: place(week + 1), share: 0.8, change: 0.1 });
    const lines = told(ofTrend({ environment: Array.from({ length: 7 }, (_, i) => step(i)), changes: Array.from({ length: 7 }, (_, i) => change(String(i).repeat(12), { status: 'not-confirmed', members: [member({ values: { limit: String(i) } })] })) }));
    expect([section('The machine, not the program', lines)!.length, section('The machine, not the program', lines)![0]]).toEqual([5, expect.stringContaining('between 2026-01-19')]);
    expect([section('Not found by an experiment', lines)!.length, section('Not found by an experiment', lines)![0]]).toEqual([5, expect.stringContaining('limit=2')]);
  });
  it('tells_what_is_strange_about_the_history', () => {
    expect(text({ notes: ['One.', 'Two.'] })).toContain('\n### The history\n\n- One.\n- Two.\n\n');
    expect(text()).not.toContain('### The history');
  });
  it('ends_with_words_of_its_own_that_are_no_mark', () => { expect(text()).not.toContain(END); });
});
