// Two columns of words with lines between: at the left who looks, at the right what is looked at; the
// stronger the line, the larger the weight.
'use strict';

// onchoose(row, fixed) is called when the reader points at a word (fixed false, row −1 when the pointer
// leaves) or chooses one by click, tap or key (fixed true). Returns {node, choose(row)}.
function linesView(map, answer, onchoose) {
  const rows = rowTokens(map.kind, answer), columns = columnTokens(map.kind, answer);
  // Long sentences are set closer.
  const most = Math.max(rows.length, columns.length), lineHeight = most > 24 ? 20 : 26;
  const height = lineHeight * most;
  const lines = element('svg', {class: 'lines', 'aria-hidden': 'true', width: '100%', height,
    viewBox: `0 0 100 ${height}`, preserveAspectRatio: 'none'});
  const y = (i) => lineHeight * (i + 0.5);
  const strokes = rows.map((_, row) => rowOf(map, row).map((weight, column) => {
    if (weight < 0.01) return null;
    const line = element('line', {x1: 0, y1: y(row), x2: 100, y2: y(column),
      'stroke-width': (0.6 + 4.4 * weight).toFixed(2), 'stroke-opacity': Math.min(1, 0.08 + weight).toFixed(3)});
    lines.append(line);
    return line;
  }));
  const buttons = rows.map((word, row) => element('button', {
    type: 'button', class: 'word', 'aria-pressed': 'false', tabindex: row === 0 ? 0 : -1,
    onpointerenter: (event) => event.pointerType === 'mouse' && onchoose(row, false),
    onpointerleave: (event) => event.pointerType === 'mouse' && onchoose(-1, false),
    onclick: () => onchoose(row, true),
    onkeydown: (event) => step(event, row),
  }, word));
  const targets = columns.map((word) => element('li', {}, element('span', {class: 'word'}, word)));
  const step = (event, row) => {
    const next = {ArrowDown: row + 1, ArrowUp: row - 1, Home: 0, End: rows.length - 1}[event.key];
    if (next === undefined || !buttons[next]) return;
    event.preventDefault();
    buttons[next].focus();
    onchoose(next, true);
  };
  const choose = (row, fixed) => {
    lines.classList.toggle('one', row >= 0);
    strokes.forEach((of, i) => of.forEach((line) => line?.classList.toggle('chosen', i === row)));
    buttons.forEach((button, i) => {
      button.setAttribute('aria-pressed', i === fixed);
      button.classList.toggle('chosen', i === row);
      button.tabIndex = i === Math.max(fixed, 0) ? 0 : -1;
    });
    targets.forEach((item, column) => {
      const weight = row < 0 ? 0 : map.weights[row * map.columns + column];
      item.style.setProperty('--weight', `${(100 * weight).toFixed(1)}%`);
      item.dataset.weight = weight >= 0.01 ? weight.toFixed(2) : '';
    });
  };
  const node = element('div', {class: 'lines-view', style: `--line: ${lineHeight}px`},
      element('ol', {class: 'from', 'aria-label': 'words that look'},
          buttons.map((button) => element('li', {}, button))),
      lines,
      element('ol', {class: 'to', 'aria-label': 'words that are looked at'}, targets));
  choose(-1, -1);
  return {node, choose};
}
