// The beam search as a tree: one column per step, a line from each candidate to what it continues.
'use strict';

const rowHeight = 24;
const tokenWidth = (token) => textWidth(shortened(token), '600 13px system-ui, sans-serif');

function drawTree(holder, result, sayNode) {
  const {steps, best} = result;
  const chosen = pathTo(steps, best);
  const widths = steps.map(({candidates}) => 34 + Math.max(...candidates.map(({token}) => tokenWidth(token))));
  const starts = widths.reduce((sums, width) => [...sums, sums[sums.length - 1] + width], [64]);
  const rows = Math.max(...steps.map(({candidates}) => candidates.length));
  const width = starts[starts.length - 1] + 10, height = rows * rowHeight + 16;
  const y = (candidate) => 8 + rowHeight * (candidate + 0.5);
  const end = (i, candidate) => starts[i] + tokenWidth(steps[i].candidates[candidate].token) + 6;
  const svg = element('svg', {width, height, role: 'presentation'});
  svg.append(element('text', {x: 8, y: y(0) + 4, class: 'root'}, '<bos>'));
  const nodes = [];
  steps.forEach(({candidates}, i) => {
    candidates.forEach((candidate, j) => {
      const onPath = chosen.has(`${i},${j}`);
      const kind = onPath ? 'best' : candidate.kept || candidate.finished ? 'kept' : 'dropped';
      const from = candidate.parent < 0 ? {x: 52, y: y(0)} : {x: end(i - 1, candidate.parent), y: y(candidate.parent)};
      const to = {x: starts[i] - 5, y: y(j)}, middle = (from.x + to.x) / 2;
      svg.append(element('path', {class: `edge ${kind}`, d: `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`}));
      const choose = () => chooseNode(i, j);
      nodes.push({i, j, node: element('g', {class: `node ${kind}`, role: 'button', tabindex: -1,
        'aria-label': nodeInWords(steps, i, j), onclick: choose, onfocus: choose, onpointerenter: choose},
      element('rect', {x: starts[i] - 5, y: y(j) - 11, width: end(i, j) - starts[i] + 6, height: 22, rx: 4}),
      element('text', {x: starts[i], y: y(j) + 4}, shortened(candidate.token)))});
    });
  });
  // Strong lines over faint ones, and words over lines.
  for (const kind of ['dropped', 'kept', 'best']) svg.append(...svg.querySelectorAll(`.edge.${kind}`));
  svg.append(...nodes.map(({node}) => node));
  const find = (i, j) => nodes.find((entry) => entry.i === i && entry.j === j);
  function chooseNode(i, j) {
    const path = pathTo(steps, {step: i, candidate: j});
    for (const entry of nodes) {
      entry.node.classList.toggle('chosen', path.has(`${entry.i},${entry.j}`));
      entry.node.setAttribute('tabindex', entry.i === i && entry.j === j ? 0 : -1);
    }
    sayNode.textContent = nodeInWords(steps, i, j);
  }
  svg.addEventListener('keydown', (event) => {
    const now = nodes.find(({node}) => node === document.activeElement);
    const next = now && neighbour(steps, now, event.key);
    if (!next) return;
    event.preventDefault();
    find(next.i, next.j)?.node.focus();
  });
  fill(holder, svg);
  sayNode.textContent = 'Point at a word of the tree, tap it, or move with the arrow keys.';
  find(0, 0)?.node.setAttribute('tabindex', 0);
}

const shortened = (token) => ([...token].length > 16 ? `${[...token].slice(0, 15).join('')}…` : token);

// "step,candidate" of a node and all that it continues.
function pathTo(steps, {step, candidate}) {
  const path = new Set();
  for (let i = step, j = candidate; i >= 0 && j >= 0; --i) {
    path.add(`${i},${j}`);
    j = steps[i].candidates[j].parent;
  }
  return path;
}

function hypothesis(steps, i, j) {
  const words = [];
  for (let step = i, candidate = j; step >= 0 && candidate >= 0; --step) {
    words.unshift(steps[step].candidates[candidate].token);
    candidate = steps[step].candidates[candidate].parent;
  }
  return words.join(' ');
}

function nodeInWords(steps, i, j) {
  const {log_probability, kept, finished} = steps[i].candidates[j];
  const fate = finished ? 'ended' : kept ? 'kept' : 'dropped';
  return `Step ${i + 1}: “${hypothesis(steps, i, j)}”, log-probability ${shown(log_probability, 3)}, ${fate}.`;
}

// Where an arrow key leads: to the parent, to the first child, up or down in the column.
function neighbour(steps, {i, j}, key) {
  if (key === 'ArrowUp') return {i, j: Math.max(0, j - 1)};
  if (key === 'ArrowDown') return {i, j: Math.min(steps[i].candidates.length - 1, j + 1)};
  if (key === 'ArrowLeft') return i === 0 ? null : {i: i - 1, j: steps[i].candidates[j].parent};
  if (key !== 'ArrowRight' || i + 1 === steps.length) return null;
  const child = steps[i + 1].candidates.findIndex(({parent}) => parent === j);
  return child < 0 ? null : {i: i + 1, j: child};
}
