// Look: a sentence of the reader's own, and where every head looks.
'use strict';

const look = {key: '', answer: null, whole: null, off: [], head: null, row: -1, fixed: -1,
  box: null, lines: null, newest: latest()};

const mapOf = (head) => look.answer.maps.find((map) => head && sameHead(map, head));
const isOff = (head) => look.off.some((other) => sameHead(other, head));
const headTitle = ({kind, layer, head}) => `${kinds[kind].title}, layer ${layer + 1}, head ${head + 1}`;

// Asks the model; 'fresh' is a new sentence or model, for which all heads are on again.
async function ask(fresh) {
  const message = byId('look-message');
  try {
    const {model} = await loaded(look.key);
    const source = sentenceIn('look-source');
    if (fresh) look.off = [];
    const answer = await look.newest(call({op: 'attend', model, source, off: look.off}));
    if (!answer) return;
    complain(message, null);
    look.answer = answer;
    if (look.off.length === 0) look.whole = answer.output;
    if (fresh) {
      look.fixed = -1;
      look.row = -1;
    }
    if (!mapOf(look.head)) look.head = bestHead(answer);
    drawLook();
  } catch (error) {
    complain(message, error.message);
  }
}

// A head to begin with: of the last layer's looks into the source the one that is least spread.
function bestHead(answer) {
  const maps = readingMaps(answer), last = maps.filter(({layer}) => layer === maps.at(-1).layer);
  const {kind, layer, head} = last.reduce((best, map) => (map.entropy < best.entropy ? map : best));
  return {kind, layer, head};
}

function drawOutput() {
  const {output, unknown} = look.answer;
  const parts = [element('span', {class: 'label'}, 'It writes '), element('b', {}, output || '(nothing)')];
  if (look.off.length > 0) {
    parts.push(element('span', {class: 'label'},
        ` with ${plural(look.off.length, 'head')} off; ${output === look.whole ? 'the same as' : 'instead of'} `), element('span', {}, look.whole || '(nothing)'), ' ',
    element('button', {type: 'button', class: 'link', onclick: () => { look.off = []; ask(false); }}, 'turn all on'));
  }
  if (unknown?.length > 0) {
    parts.push(element('span', {class: 'label'}, ` It does not know ${unknown.map((word) => `“${word}”`).join(', ')}, and reads <unk>.`));
  }
  const longest = longestOf[models.get(look.key).task];
  if (look.answer.source.length - 1 > longest) {
    parts.push(element('span', {class: 'label'}, ` In training no sentence had more than ${longest} words. Why longer ones fail: `, chapterLink('3.5'), '.'));
  }
  fill(byId('look-output'), parts);
}

// All heads as small maps: one row per layer.
function drawHeads() {
  const {maps} = look.answer;
  const focused = document.activeElement?.dataset?.head;
  fill(byId('look-heads'), element('p', {class: 'prose'}, 'Under each map are its entropy, which is 0 if every word looks at one word only, and ',
      'the mean distance, in places, between the word that looks and what it looks at. Take the tick away to turn a head off: what it would add is left out.'),
  element('div', {class: 'head-kinds'}, Object.entries(kinds).map(([kind, {title, says}]) => {
    const own = maps.filter((map) => map.kind === kind);
    if (own.length === 0) return null;
    const layers = [...new Set(own.map(({layer}) => layer))];
    return element('section', {class: 'heads'},
        element('h2', {}, title), element('p', {class: 'note'}, `${says}.`),
        layers.map((layer) => element('div', {class: 'layer'}, element('h3', {}, `layer ${layer + 1}`),
            element('div', {class: 'thumbnails'}, own.filter((map) => map.layer === layer).map(thumbnail)))));
  })));
  if (focused) byId('look-heads').querySelector(`[data-head="${focused}"]`)?.focus();
}

function thumbnail(map) {
  const canvas = element('canvas', {'aria-hidden': 'true'});
  const name = `${map.kind}-${map.layer}-${map.head}`;
  const off = isOff(map);
  const node = element('div', {class: `thumbnail${off ? ' off' : ''}`},
      element('button', {type: 'button', 'data-head': name, 'aria-pressed': sameHead(map, look.head), 'aria-label': `Enlarge ${headTitle(map)}`,
        onclick: () => {
          look.head = {kind: map.kind, layer: map.layer, head: map.head};
          look.row = look.fixed = -1;
          drawLook();
          const title = byId('look-one-title');
          const {top} = title.getBoundingClientRect();
          if (top < 0) title.scrollIntoView({block: 'start', behavior: 'smooth'});
        }}, canvas),
      element('label', {}, element('input', {type: 'checkbox', checked: !off, 'data-head': `${name}-on`, 'aria-label': `${headTitle(map)}: on`,
        onchange: () => {
          const head = {kind: map.kind, layer: map.layer, head: map.head};
          look.off = isOff(head) ? look.off.filter((other) => !sameHead(other, head)) : [...look.off, head];
          ask(false);
        }}), ` head ${map.head + 1}`),
      element('span', {class: 'number', title: 'entropy, and mean distance between the looking word and what it looks at'},
          `${map.entropy.toFixed(2)} · ${map.distance.toFixed(1)}`));
  drawMap(canvas, map, {width: 72, height: 72});
  return node;
}

function drawOne() {
  const map = mapOf(look.head), {answer} = look;
  byId('look-one').hidden = false;
  byId('look-one-title').textContent = headTitle(map);
  fill(byId('look-one-says'), `${kinds[map.kind].says}. `, chapterLink('3.2.3'));
  look.lines = linesView(map, answer, choose);
  fill(byId('look-lines'), look.lines.node);
  drawMatrix();
  fill(byId('look-one-more'), `Entropy ${map.entropy.toFixed(3)}: 0 if every word looked at one only, at most ln ${map.columns}. `,
      `Mean distance ${map.distance.toFixed(2)} places. `, isOff(map) ? 'This head is off: what it would add is left out. ' : null,
      element('button', {type: 'button', class: 'link', onclick: () =>
        go('trace', {model: look.key, source: byId('look-source').value, name: traceName(map)})}, 'Show its numbers'));
  choose(look.row, look.fixed >= 0);
}

function drawMatrix() {
  const node = byId('look-matrix');
  if (!look.answer || mode !== 'look') return;
  const map = mapOf(look.head);
  let canvas = node.querySelector('canvas');
  if (!canvas) {
    canvas = element('canvas', {role: 'img'});
    canvas.addEventListener('pointermove', (event) => event.pointerType === 'mouse' && pointed(event, false));
    canvas.addEventListener('pointerleave', () => choose(-1, false));
    canvas.addEventListener('click', (event) => pointed(event, true));
    node.append(canvas);
  }
  canvas.setAttribute('aria-label', `${headTitle(map)}: a map of ${map.rows} rows and ${map.columns} columns; the words in the list at its side say what each row looks at`);
  const size = Math.max(240, node.clientWidth);
  const labels = {rows: rowTokens(map.kind, look.answer), columns: columnTokens(map.kind, look.answer), size: map.rows > 30 ? 11 : 13};
  look.box = drawMap(canvas, map, {width: size, height: Math.max(size, Math.min(1000, 9 * map.rows)), labels, chosen: look.row, largest: 46});
}

function pointed(event, fixed) {
  const cell = cellAt(look.box, event.currentTarget, event);
  if (cell) choose(cell.row, fixed);
  else if (!fixed) choose(-1, false);
}

// The row that is shown: one under the pointer, or else the one that was chosen last.
function choose(row, fixed) {
  if (fixed) look.fixed = row;
  const next = row >= 0 ? row : look.fixed;
  const changed = next !== look.row;
  look.row = next;
  look.lines.choose(next, look.fixed);
  byId('look-row').textContent = next >= 0 ? rowInWords(mapOf(look.head), next, look.answer)
                                           : 'Point at a word, tap it, or move with the arrow keys.';
  if (changed) drawMatrix();
}

function drawLook() {
  drawOutput();
  drawOne();
  drawHeads();
}

function connectLook() {
  modelPicker(byId('look-model'), {first: 'phrasebook'});
  byId('look-model').addEventListener('change', () => showLook({model: byId('look-model').value, source: ''}));
  onSubmit('look-form', () => ask(true));
  byId('look-files').addEventListener('change', (event) => {
    takeModel([...event.target.files]);
    event.target.value = '';
  });
  redraw(byId('look-matrix'), drawMatrix);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => look.answer && mode === 'look' && drawHeads());
}

// wishes: a model and a sentence to look at; an empty sentence is replaced by the model's first example.
async function showLook({model, source} = {}) {
  const select = byId('look-model'), input = byId('look-source');
  if (models.has(model)) select.value = model;
  const changed = look.key !== select.value;
  const key = look.key = select.value;
  if (changed) look.head = null;
  try {
    await loaded(key);
  } catch (error) {
    return complain(byId('look-message'), error.message);
  }
  if (look.key !== key) return;  // another model was chosen meanwhile
  if (source || changed || source === '') input.value = source || firstExample(look.key);
  exampleButtons(byId('look-examples'), examplesFor(look.key), (sentence) => {
    input.value = sentence;
    ask(true);
  });
  return ask(changed || source !== undefined || !look.answer);
}
