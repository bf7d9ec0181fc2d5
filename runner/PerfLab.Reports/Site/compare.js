// The page "Compare", from data files that are loaded as scripts (a page from a folder may load nothing else):
// two commits over all series of a workload, or two series with a session of each.
(() => {
  'use strict';
  const most = 200;
  // Each is a file of its own.
  const mostLoaded = 60;
  if (!document.getElementById('choice') || typeof perfLabIndex === 'undefined') return;

  const loaded = new Map();
  const arrived = new Map();
  globalThis.perfLabSeries = (hash, data) => arrived.get(hash)?.(data);

  /** The data of a series; a file that can't be loaded may be asked for again. */
  function load(hash) {
    if (!loaded.has(hash)) {
      loaded.set(hash, new Promise((resolve, reject) => {
        arrived.set(hash, resolve);
        const script = document.createElement('script');
        script.src = `data/${hash.slice(0, 2)}/${hash}.js`;
        script.addEventListener('error', () => { loaded.delete(hash); reject(new Error(hash)); });
        document.head.append(script);
      }));
    }
    return loaded.get(hash);
  }

  const lost = 'The data of a series could not be loaded: was the site copied whole?';
  const at = id => document.getElementById(id);
  const option = (value, text) => { const made = document.createElement('option'); made.value = value; made.textContent = text; return made; };
  const element = (name, text) => { const made = document.createElement(name); made.textContent = text; return made; };
  const change = log => Math.exp(log) - 1;
  const percent = log => log === null ? '-' : `${change(log) >= 0 ? '+' : ''}${(change(log) * 100).toFixed(1)} %`;
  const range = (log, low, high) => low === null || high === null ? percent(log) : `${percent(log)} [${percent(low).slice(0, -2)}, ${percent(high).slice(0, -2)}]`;
  const large = [[1e9, 'G '], [1e6, 'M '], [1e3, 'k ']], small = [[1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']];

  function value(number, unit) {
    if (number === null) return '-';
    const steps = /^s(\/|$)/.test(unit) ? small : [...large, [1, '']];
    const [factor, prefix] = steps.find(([least]) => Math.abs(number) >= least) ?? [1, ''];
    return `${Number((number / factor).toPrecision(4))} ${prefix}${unit}`.trim();
  }

  const name = commit => commit === null ? 'not said' : /^[0-9a-f]{40}$/.test(commit) ? commit.slice(0, 12) : /^sha256:./.test(commit) ? `build ${commit.slice(7, 19)}` : commit;
  const named = point => `${new Date(point[1] * 1000).toISOString().slice(0, 16).replace('T', ' ')}  ${name(point[2])}${point[9] === 'trend' ? '' : ` (${point[9]})`}`;
  const finding = words => perfLabIndex.filter(one => words.toLowerCase().split(/\s+/).filter(Boolean).every(part => one.join(' ').toLowerCase().includes(part)));

  function table(heads, rows) {
    const made = document.createElement('table');
    const head = made.createTHead().insertRow();
    for (const text of heads) { const cell = element('th', text); cell.scope = 'col'; head.append(cell); }
    const body = made.createTBody();
    for (const { cells: [first, ...others], style } of rows) {
      const row = body.insertRow();
      const cell = element('th', first);
      cell.scope = 'row';
      row.append(cell, ...others.map(text => element('td', text)));
      if (style) row.cells[1].className = style;
    }
    const scroll = document.createElement('div');
    [scroll.className, scroll.tabIndex] = ['scroll', 0];
    scroll.setAttribute('role', 'region');
    scroll.setAttribute('aria-label', heads.filter(Boolean).join(', '));
    scroll.append(made);
    return scroll;
  }

  /** ln(second / first) over the build that both were measured against, with a rough width; null when there is none, or another machine. */
  function between(a, b) {
    if (a.point[3] === null || a.point[3] !== b.point[3] || a.data.machine !== b.data.machine || a.point[4] === null || b.point[4] === null) return null;
    // Both intervals together: wide enough when the two errors are independent.
    const width = [a, b].some(one => one.point[5] === null || one.point[6] === null) ? null : Math.hypot((a.point[6] - a.point[5]) / 2, (b.point[6] - b.point[5]) / 2);
    return { log: b.point[4] - a.point[4], width };
  }

  const shown = ({ log, width }) => width === null ? percent(log) : range(log, log - width, log + width);

  /** The command that measures the two against each other: what they share is set, what differs is said by the arms. Null when that can't be typed. */
  function command(a, b) {
    if (a.data.workload !== b.data.workload) return null;
    const keys = [...new Set([...Object.keys(a.data.values), ...Object.keys(b.data.values)])].sort();
    const differ = keys.filter(key => a.data.values[key] !== b.data.values[key]);
    const commits = [a, b].map(one => /^[0-9a-f]{7,40}$/.test(one.point[2] ?? '') ? one.point[2] : null);
    const source = commits.every(Boolean) && (commits[0] !== commits[1] || differ.length > 0);
    if ((!source && differ.length === 0) || differ.some(key => a.data.values[key] === undefined || b.data.values[key] === undefined)) return null;
    const arms = [a, b].map((one, side) => [...source ? [`source=${commits[side]}`] : [], ...differ.map(key => `${key}=${one.data.values[key]}`)]);
    const sets = keys.filter(key => !differ.includes(key)).map(key => `${key}=${a.data.values[key]}`);
    const plain = [a.data.workload, ...arms.flat(), ...sets].every(word => /^[A-Za-z0-9_@%+=:./-]+$/.test(word) && !word.startsWith('-'));
    return plain ? [`./perf-lab run ${a.data.workload} --base ${arms[0].join(',')} --head ${arms[1].join(',')}`, ...sets.map(set => `--set ${set}`), '--rounds 0+28'].join(' ') : null;
  }

  // Two series, a session of each.
  const sides = ['a', 'b'].map(side => ({ filter: at(`${side}-filter`), series: at(`${side}-series`), point: at(`${side}-point`), data: null }));

  function list(side) {
    const fits = finding(side.filter.value);
    side.series.replaceChildren(...fits.slice(0, most).map(one => option(one[0], `${one[1]}: ${one[2]} (${one[3]})`)));
    if (fits.length > most) side.series.append(option('', `and ${fits.length - most} more: filter`));
  }

  async function choose(side) {
    const wanted = side.series.value;
    if (wanted === '') return;
    try {
      const data = await load(wanted);
      // Somebody may have chosen another one meanwhile.
      if (side.series.value !== wanted) return;
      side.data = data;
    } catch {
      at('answer').textContent = lost;
      return;
    }
    side.point.replaceChildren(...side.data.points.map((point, index) => option(index, named(point))).reverse());
    // An experiment was measured against another commit: the newest of the trend has more to be compared with.
    side.point.selectedIndex = Math.max(0, [...side.data.points].reverse().findIndex(point => point[9] === 'trend'));
    answer();
  }

  function answer() {
    const [a, b] = sides.map(side => side.data && side.point.value !== '' ? { data: side.data, point: side.data.points[Number(side.point.value)] } : null);
    if (!a || !b) { at('answer').replaceChildren(element('p', 'Choose both.')); return; }
    const row = (label, of) => ({ cells: [label, of(a), of(b)] });
    at('answer').replaceChildren(table(['', 'first', 'second'], [
      row('series', one => `${one.data.workload}: ${one.data.label}`), row('session', one => one.point[0]), row('commit', one => name(one.point[2])),
      row('measured against', one => name(one.point[3])), row('value', one => value(one.point[7], one.data.unit)), row('change', one => range(one.point[4], one.point[5], one.point[6])),
    ]), ...sentences(a, b));
  }

  function sentences(a, b) {
    const over = between(a, b);
    const line = command(a, b);
    const words = over !== null
      ? `Over what both were measured against, the second is ${(Math.abs(change(over.log)) * 100).toFixed(1)} % ${over.log > 0 ? 'slower or worse' : 'faster or better'} than the first${over.width === null ? '' : `, roughly between ${percent(over.log - over.width)} and ${percent(over.log + over.width)}`} (+ is slower or worse).`
      : a.data.unit === b.data.unit && a.point[7] > 0 && b.point[7] > 0
        ? `The second value is ${(b.point[7] / a.point[7]).toFixed(3)} of the first. The two were not measured against the same build on the same make of machine, so machine and day are in it.`
        : 'These two have no common measure.';
    return [element('p', words), ...untested(line)];
  }

  function untested(line) {
    const said = element('p', `Nothing here was tested: to know, measure the two against each other${line === null ? '.' : ':'}`);
    if (line === null) return [said];
    const block = element('pre', line);
    [block.className, block.tabIndex] = ['command', 0];
    globalThis.perfLabCopyable?.(block);
    return [said, block, ...block.copyButton ? [block.copyButton] : []];
  }

  // Two commits over every series of a workload.
  const commits = { workload: at('c-workload'), filter: at('c-filter'), first: at('c-first'), second: at('c-second'), series: [], wanted: 0 };

  let count = 0;

  async function gather() {
    const turn = ++commits.wanted;
    const fits = finding(commits.filter.value).filter(one => one[1] === commits.workload.value);
    count = fits.length;
    at('commits-answer').replaceChildren(element('p', 'Loading …'));
    try {
      const series = await Promise.all(fits.slice(0, mostLoaded).map(async one => ({ ...await load(one[0]), short: one[2] })));
      if (turn !== commits.wanted) return;
      commits.series = series;
    } catch {
      at('commits-answer').textContent = lost;
      return;
    }
    const sessions = new Map(commits.series.flatMap(series => series.points.map(point => [point[0], point])));
    const newest = [...sessions.values()].sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1));
    const before = [commits.first.value, commits.second.value];
    for (const select of [commits.first, commits.second]) select.replaceChildren(...newest.map(point => option(point[0], named(point))));
    const trend = newest.filter(point => point[9] === 'trend');
    const preset = [trend.find(point => point[2] !== trend[0]?.[2]) ?? newest[1], trend[0] ?? newest[0]];
    [commits.first, commits.second].forEach((select, side) => { select.value = sessions.has(before[side]) ? before[side] : preset[side]?.[0] ?? ''; });
    compareCommits();
  }

  function compareCommits() {
    const pairs = commits.series.map(data => {
      const [a, b] = [commits.first, commits.second].map(select => data.points.find(point => point[0] === select.value));
      return a && b ? { a: { data, point: a }, b: { data, point: b } } : null;
    }).filter(Boolean).map(pair => ({ ...pair, over: between(pair.a, pair.b) }));
    if (pairs.length === 0) { at('commits-answer').replaceChildren(element('p', 'No series has a value in both.')); return; }
    pairs.sort((x, y) => Math.abs(y.over?.log ?? -1) - Math.abs(x.over?.log ?? -1));
    const clear = ({ over }) => over !== null && over.width !== null && Math.abs(over.log) > over.width;
    const rows = pairs.map(({ a, b, over }) => ({
      cells: [a.data.short, over === null ? 'nothing in common' : shown(over), value(a.point[7], a.data.unit), value(b.point[7], b.data.unit), range(a.point[4], a.point[5], a.point[6]), range(b.point[4], b.point[5], b.point[6])],
      style: clear({ over }) ? over.log > 0 ? 'regressed' : 'improved' : '',
    }));
    const line = pairs.length === 1 ? command(pairs[0].a, pairs[0].b) : null;
    at('commits-answer').replaceChildren(
      element('p', `${pairs.length} ${pairs.length === 1 ? 'series has' : 'series have'} a value in both${count > mostLoaded ? ` (of the first ${mostLoaded} of ${count}: filter)` : ''}; in ${pairs.filter(clear).length} the two lie further apart than both intervals together. Of many series some do so by chance.`),
      table(['series', 'second over first, + is worse', 'first', 'second', 'first, change', 'second, change'], rows), ...untested(line));
  }

  for (const side of sides) {
    side.filter.addEventListener('input', () => list(side));
    side.series.addEventListener('change', () => choose(side));
    side.point.addEventListener('change', answer);
    list(side);
  }
  commits.workload.replaceChildren(...[...new Set(perfLabIndex.map(one => one[1]))].map(one => option(one, one)));
  commits.workload.addEventListener('change', gather);
  commits.filter.addEventListener('change', gather);
  for (const select of [commits.first, commits.second]) select.addEventListener('change', compareCommits);
  for (const form of document.querySelectorAll('form.choice')) {
    form.addEventListener('submit', event => event.preventDefault());
    form.hidden = false;
  }
  const known = perfLabIndex.find(one => one[0] === location.hash.slice(1));
  if (known) {
    sides[0].series.replaceChildren(option(known[0], `${known[1]}: ${known[2]} (${known[3]})`));
    sides[0].series.selectedIndex = 0;
    commits.workload.value = known[1];
    choose(sides[0]);
    at('two-series').scrollIntoView();
  }
  answer();
  if (perfLabIndex.filter(one => one[1] === commits.workload.value).length <= mostLoaded) gather();
  else at('commits-answer').replaceChildren(element('p', 'Choose a workload, or filter its series.'));
})();
