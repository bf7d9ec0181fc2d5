// What a page can do beyond being read: sort, filter, copy, unfold for a link or the printer. Everything is there without it.
(() => {
  'use strict';
  const value = cell => cell.dataset.v === undefined ? cell.textContent.trim() : cell.dataset.v === '' ? null : Number(cell.dataset.v);
  const compare = (a, b) => a === b ? 0 : a === null ? 1 : b === null ? -1 : typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true });

  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener('click', () => {
        const down = head.getAttribute('aria-sort') === 'ascending';
        heads.forEach(other => other.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        const body = table.tBodies[0];
        const rows = [...body.rows].map((row, index) => ({ row, index, key: value(row.cells[column]) }));
        // What has no value stays at the end, whichever way.
        rows.sort((a, b) => (a.key === null || b.key === null ? compare(a.key, b.key) : down ? compare(b.key, a.key) : compare(a.key, b.key)) || a.index - b.index);
        body.append(...rows.map(one => one.row));
      });
    });
  }

  function filterable(tools) {
    const table = document.getElementById(tools.dataset.of);
    const [text, word, shown] = [tools.querySelector('input'), tools.querySelector('select'), tools.querySelector('output')];
    const apply = () => {
      const parts = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const row of table.tBodies[0].rows) {
        const names = row.textContent.toLowerCase();
        const fits = parts.every(part => names.includes(part)) && (!word || word.value === '' || row.dataset.word === word.value);
        row.hidden = !fits;
        count += fits ? 1 : 0;
      }
      shown.textContent = `${count} of ${table.tBodies[0].rows.length} rows`;
    };
    text.addEventListener('input', apply);
    if (word) word.addEventListener('change', apply);
    tools.addEventListener('submit', event => event.preventDefault());
    tools.hidden = false;
    apply();
  }

  function copyable(block) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    block.after(button);
    block.copyButton = button;
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(block.textContent.trim());
        button.textContent = 'Copied';
      } catch {
        // A page from a file may not write there: the text is marked, and the keyboard copies it.
        getSelection().selectAllChildren(block);
        button.textContent = 'Marked: press Ctrl+C';
      }
      setTimeout(() => { button.textContent = 'Copy'; }, 4000);
    });
  }

  function unfold() {
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    for (let fold = target && target.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  }

  document.querySelectorAll('table.sortable').forEach(sortable);
  document.querySelectorAll('form.tools[data-of]').forEach(filterable);
  document.querySelectorAll('pre.command').forEach(copyable);
  // For what another script of the site adds later.
  globalThis.perfLabCopyable = copyable;
  addEventListener('hashchange', unfold);
  let folded = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('details:not([open])')];
    folded.forEach(fold => { fold.open = true; });
  });
  addEventListener('afterprint', () => folded.forEach(fold => { fold.open = false; }));
  unfold();
})();
