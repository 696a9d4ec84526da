// The figures of Train: curves, held-out sequences, and where the decoder looks.
'use strict';

// At most 'limit' points: neighbours are put together by their mean.
function thinned(points, limit) {
  if (points.length <= limit) return points;
  const size = Math.ceil(points.length / limit), result = [];
  for (let i = 0; i < points.length; i += size) {
    const block = points.slice(i, i + size);
    const mean = (axis) => block.reduce((sum, point) => sum + point[axis], 0) / block.length;
    result.push([mean(0), mean(1)]);
  }
  return result;
}

function drawTrainingChart(node, train) {
  const {info, losses, validations, step} = train;
  const width = Math.max(node.clientWidth, 260), tall = 210, low = 130;
  const last = Math.max(100, step);
  const steps = roundStep(last / 4);
  const xs = [0, Math.ceil(last / steps) * steps];
  const of = (key) => validations.map((validation) => [validation.step, validation[key]]);
  const share = (key) => of(key).map(([x, y]) => [x, 100 * y]);
  const svg = element('svg', {width, height: tall + low, role: 'img', 'aria-label': chartInWords(train)});
  svg.append(chart({
    width, height: tall, x: 0, y: 0, xs, ys: [0, 5], title: 'loss',
    lines: [{y: info.uniform_loss, words: `guessing: ${info.uniform_loss.toFixed(2)}`},
            {y: info.least_loss, words: `the least possible: ${info.least_loss.toFixed(2)}`, below: true}],
    curves: [{points: thinned(losses, 160), class: 'faint', name: validations.length > 0 ? '' : 'training'},
             {points: of('loss'), class: 'strong', name: 'held out'}],
  }));
  svg.append(chart({
    width, height: low, x: 0, y: tall, xs, ys: [0, 100], unit: ' %', ticks: 2, title: 'right, of what was held out',
    curves: [{points: share('accuracy'), class: 'strong', name: 'letters'},
             {points: share('exact'), class: 'other', name: 'sequences'}],
  }));
  fill(node, svg);
}

function chartInWords({step, losses, validations}) {
  if (losses.length === 0) return 'No training step yet.';
  const check = validations[validations.length - 1];
  const held = check ? ` Held out: loss ${check.loss.toFixed(2)}, ${percent(check.accuracy)} of the letters and ` +
    `${percent(check.exact)} of the sequences right.` : '';
  return `After step ${step} the training loss is ${losses[losses.length - 1][1].toFixed(2)}.${held}`;
}

// The letters that were written, the wrong ones marked.
function writtenLetters({target, output}) {
  const long = output.length > target.length + 2;
  const letters = output.slice(0, target.length + 2).map((letter, i) =>
    (letter === target[i] ? `${letter} ` : [element('s', {}, letter), ' ']));
  const missing = target.slice(output.length).map(() => [element('s', {}, '·'), ' ']);
  return [letters, missing, long ? '…' : null];
}

function drawSentences(list, train, choose) {
  fill(list, train.sentences.map((sentence, i) => {
    const since = train.rightSince[i];
    return element('li', {class: sentence.right ? 'right' : 'wrong'},
        element('button', {type: 'button', 'aria-pressed': i === train.chosen, onclick: () => choose(i)},
            element('span', {class: 'mark', role: 'img', 'aria-label': sentence.right ? 'right' : 'wrong'}, sentence.right ? '✓' : '✗'),
            element('span', {class: 'source'}, sentence.source.join(' ')),
            element('span', {class: 'arrow', 'aria-hidden': 'true'}, '→'),
            element('span', {class: 'letters'}, writtenLetters(sentence)),
            since && sentence.right ? element('span', {class: 'since'}, `since ${since}`) : null));
  }));
}

// The maps of one sequence that look at its source, layer by layer.
function drawTrainingMaps(node, answer) {
  const maps = readingMaps(answer), [{kind}] = maps;
  const width = Math.max(node.clientWidth, 260);
  const heads = Math.max(...maps.map(({head}) => head)) + 1;
  // As many side by side as there is room for, the same number in every row.
  const gap = 14;
  let across = heads;
  while (across > 1 && (width + gap) / across < 104 + gap) across = Math.ceil(across / 2);
  const size = Math.min(220, (width - gap * (across - 1)) / across - 1);
  node.style.setProperty('--across', across);
  while (node.children.length > maps.length) node.lastChild.remove();
  maps.forEach((map, i) => {
    const holder = node.children[i] ?? node.appendChild(element('div', {}, element('span'), element('canvas', {role: 'img'})));
    const words = `layer ${map.layer + 1}, head ${map.head + 1}`;
    holder.firstChild.textContent = words;
    holder.lastChild.setAttribute('aria-label', `Map of ${words}`);
    const short = (words) => words.map((word) => ({'<eos>': '∎', '<bos>': '▸'})[word] ?? word);
    const labels = {rows: rowTokens(kind, answer), columns: short(columnTokens(kind, answer)), size: 11};
    drawMap(holder.lastChild, map, {width: size, height: size + 20, labels});
  });
}
