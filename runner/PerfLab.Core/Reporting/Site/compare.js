// The page "Compare": two series and a session of each, chosen from data files that are loaded as scripts (a page from a folder may load nothing else).
(() => {
  'use strict';
  const most = 200;
  const loaded = new Map();
  const waiting = new Map();
  const form = document.getElementById('choice');
  if (!form || typeof perfLabIndex === 'undefined') return;
  globalThis.perfLabSeries = (hash, data) => { loaded.set(hash, data); (waiting.get(hash) || []).forEach(go => go(data)); waiting.delete(hash); };

  function load(hash) {
    if (loaded.has(hash)) return Promise.resolve(loaded.get(hash));
    return new Promise((resolve, reject) => {
      if (waiting.has(hash)) { waiting.get(hash).push(resolve); return; }
      waiting.set(hash, [resolve]);
      const script = document.createElement('script');
      script.src = `data/${hash.slice(0, 2)}/${hash}.js`;
      script.addEventListener('error', () => reject(new Error(hash)));
      document.head.append(script);
    });
  }

  const option = (value, text) => { const made = document.createElement('option'); made.value = value; made.textContent = text; return made; };
  const element = (name, text) => { const made = document.createElement(name); made.textContent = text; return made; };
  const percent = log => log === null ? '-' : `${Math.exp(log) - 1 >= 0 ? '+' : ''}${((Math.exp(log) - 1) * 100).toFixed(1)} %`;
  const value = (number, unit) => number === null ? '-' : `${Number(number.toPrecision(4))} ${unit}`;
  const name = commit => commit === null ? 'not said' : /^[0-9a-f]{40}$/.test(commit) ? commit.slice(0, 12) : commit;

  const sides = ['a', 'b'].map(side => ({
    filter: document.getElementById(`${side}-filter`), series: document.getElementById(`${side}-series`), point: document.getElementById(`${side}-point`), data: null,
  }));

  function list(side) {
    const parts = side.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = perfLabIndex.filter(one => parts.every(part => one.join(' ').toLowerCase().includes(part)));
    side.series.replaceChildren(...fits.slice(0, most).map(one => option(one[0], `${one[1]}: ${one[2]} (${one[3]})`)));
    if (fits.length > most) side.series.append(option('', `and ${fits.length - most} more: filter`));
  }

  async function choose(side) {
    if (side.series.value === '') return;
    try {
      side.data = await load(side.series.value);
    } catch {
      document.getElementById('answer').textContent = 'The data of this series could not be loaded: was the site copied whole?';
      return;
    }
    const label = point => `${new Date(point[1] * 1000).toISOString().slice(0, 10)}  ${name(point[2])}${point[9] === 'trend' ? '' : ` (${point[9]})`}`;
    side.point.replaceChildren(...side.data.points.map((point, index) => option(index, label(point))).reverse());
    // An experiment was measured against another commit: the newest of the trend has more to be compared with.
    side.point.selectedIndex = Math.max(0, side.data.points.toReversed().findIndex(point => point[9] === 'trend'));
    answer();
  }

  function answer() {
    const target = document.getElementById('answer');
    const [a, b] = sides.map(side => side.data && side.point.value !== '' ? { data: side.data, point: side.data.points[Number(side.point.value)] } : null);
    if (!a || !b) { target.replaceChildren(element('p', 'Choose both.')); return; }
    const table = document.createElement('table');
    const head = table.createTHead().insertRow();
    for (const text of ['', 'first', 'second']) { const cell = element('th', text); cell.scope = 'col'; head.append(cell); }
    const body = table.createTBody();
    const row = (label, of) => { const made = body.insertRow(); const cell = element('th', label); cell.scope = 'row'; made.append(cell, element('td', of(a)), element('td', of(b))); };
    row('series', one => `${one.data.workload}: ${one.data.label}`);
    row('session', one => one.point[0]);
    row('commit', one => name(one.point[2]));
    row('measured against', one => name(one.point[3]));
    row('value', one => value(one.point[7], one.data.unit));
    row('change', one => one.point[5] === null ? percent(one.point[4]) : `${percent(one.point[4])} [${percent(one.point[5])}, ${percent(one.point[6])}]`);
    target.replaceChildren(table, ...sentences(a, b));
  }

  function sentences(a, b) {
    const said = [];
    if (a.point[3] !== null && a.point[3] === b.point[3] && a.data.machine === b.data.machine && a.point[4] !== null && b.point[4] !== null) {
      const between = b.point[4] - a.point[4];
      // Both intervals together: a rough width, wide enough when the two errors are independent.
      const width = a.point[5] === null || b.point[5] === null ? null : Math.hypot((a.point[6] - a.point[5]) / 2, (b.point[6] - b.point[5]) / 2);
      said.push(`Over what both were measured against, the second is ${percent(between)} from the first${width === null ? '' : `, roughly between ${percent(between - width)} and ${percent(between + width)}`} (+ is slower or worse).`);
    } else if (a.data.unit === b.data.unit && a.point[7] > 0 && b.point[7] > 0) {
      said.push(`The second value is ${(b.point[7] / a.point[7]).toFixed(3)} of the first. The two were not measured against the same build on the same make of machine, so machine and day are in it.`);
    } else {
      said.push('These two have no common measure.');
    }
    said.push('Nothing here was tested: to know, measure the two against each other.');
    const source = one => /^[0-9a-f]{12}$/.test(one.point[2] || '') ? one.point[2] : null;
    if (source(a) && source(b) && a.data.workload === b.data.workload && /^[a-z0-9-]+$/.test(a.data.workload)) {
      said.push(`./perf-lab run ${a.data.workload} --base source=${source(a)} --head source=${source(b)} --rounds 0+28`);
    }
    return said.map((text, index) => element(index > 1 ? 'pre' : 'p', text));
  }

  for (const side of sides) {
    side.filter.addEventListener('input', () => list(side));
    side.series.addEventListener('change', () => choose(side));
    side.point.addEventListener('change', answer);
    list(side);
  }
  form.addEventListener('submit', event => event.preventDefault());
  form.hidden = false;
  const wanted = location.hash.slice(1);
  const known = perfLabIndex.find(one => one[0] === wanted);
  if (known) {
    sides[0].series.replaceChildren(option(known[0], `${known[1]}: ${known[2]} (${known[3]})`));
    sides[0].series.selectedIndex = 0;
    choose(sides[0]);
  }
  answer();
})();
