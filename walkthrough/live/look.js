// Look: a sentence of the reader's own, and where every head looks.
'use strict';

// Heads go by their names: cross-1-0.
const look = {key: 'phrasebook', source: '', answer: null, whole: null, off: [], head: '', row: -1, fixed: -1, box: null, lines: null};

const nameOf = ({kind, layer, head}) => `${kind}-${layer}-${head}`;
function headNamed(name) {
  const [kind, layer, head] = name.split('-');
  return {kind, layer: Number(layer), head: Number(head)};
}
const mapOf = (name) => look.answer.maps.find((map) => nameOf(map) === name);
const isOff = (map) => look.off.includes(nameOf(map));
const headTitle = ({kind, layer, head}) => `${kinds[kind].title}, layer ${layer + 1}, head ${head + 1}`;

// What is shown, as it is in the address, with what is to be shown instead.
const lookWith = (wishes) => ({model: look.key, source: look.source, head: look.head || undefined, off: look.off.join() || undefined, ...wishes});
const goLook = (wishes) => go('look', lookWith(wishes));

// A head to begin with: of the last layer's looks into the source the one that is least spread.
function bestHead(answer) {
  const maps = readingMaps(answer), last = maps.filter(({layer}) => layer === maps.at(-1).layer);
  return nameOf(last.reduce((best, map) => (map.entropy < best.entropy ? map : best)));
}

function drawOutput() {
  const {output, unknown} = look.answer;
  const parts = [element('span', {class: 'label'}, 'It writes '), element('b', {}, output || '(nothing)')];
  if (look.off.length > 0) {
    parts.push(element('span', {class: 'label'},
        ` with ${plural(look.off.length, 'head')} off; ${output === look.whole ? 'the same as' : 'instead of'} `), element('span', {}, look.whole || '(nothing)'), ' ',
    element('button', {type: 'button', class: 'link', onclick: () => goLook({off: undefined})}, 'turn all on'));
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
  const node = byId('look-heads'), {scrollLeft} = node;
  fill(node, Object.entries(kinds).map(([kind, {title}]) => {
    const own = maps.filter((map) => map.kind === kind);
    if (own.length === 0) return null;
    const layers = [...new Set(own.map(({layer}) => layer))];
    return element('section', {class: 'heads'},
        element('h2', {}, title),
        layers.map((layer) => element('div', {class: 'layer'}, element('h3', {}, `layer ${layer + 1}`),
            element('div', {class: 'thumbnails'}, own.filter((map) => map.layer === layer).map(thumbnail)))));
  }));
  node.scrollLeft = scrollLeft;
  if (focused) node.querySelector(`[data-head="${focused}"]`)?.focus();
}

function thumbnail(map) {
  const canvas = element('canvas', {'aria-hidden': 'true'});
  const name = nameOf(map), off = isOff(map), size = innerWidth < 640 ? 62 : innerWidth < 1400 ? 72 : 90;
  const node = element('div', {class: `thumbnail${off ? ' off' : ''}`, style: `--size: ${size}px`},
      element('button', {type: 'button', 'data-head': name, 'aria-pressed': name === look.head, 'aria-label': `Enlarge ${headTitle(map)}`,
        onclick: () => goLook({head: name})}, canvas),
      element('label', {}, element('input', {type: 'checkbox', checked: !off, 'data-head': `${name}-on`, 'aria-label': `${headTitle(map)}: on`,
        onchange: ({target}) => goLook({off: [...look.off.filter((other) => other !== name), ...(target.checked ? [] : [name])].join() || undefined})}), ` head ${map.head + 1}`),
      element('span', {class: 'number'}, `${map.entropy.toFixed(2)} · ${map.distance.toFixed(1)}`));
  drawMap(canvas, map, {width: size, height: size});
  return node;
}

function drawOne() {
  const map = mapOf(look.head), {answer} = look;
  byId('look-one-title').textContent = headTitle(map);
  fill(byId('look-one-says'), `${kinds[map.kind].says}. Entropy ${map.entropy.toFixed(3)}, at most ln ${map.columns}; mean distance ${map.distance.toFixed(2)}. `,
      isOff(map) ? 'This head is off. ' : null, element('button', {type: 'button', class: 'link', onclick: () =>
        go('trace', {model: look.key, source: look.source, name: traceName(map)})}, 'Show its numbers'), ' ', chapterLink('3.2.3'));
  look.lines = linesView(map, answer, choose);
  fill(byId('look-lines'), look.lines.node);
  drawMatrix();
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
  canvas.setAttribute('aria-label', `${headTitle(map)}: a map of ${map.rows} rows and ${map.columns} columns`);
  const size = Math.max(240, node.clientWidth);
  const labels = {rows: rowTokens(map.kind, look.answer), columns: columnTokens(map.kind, look.answer), size: map.rows > 30 ? 11 : 13};
  look.box = drawMap(canvas, map, {width: size, height: Math.max(size, Math.min(1000, 9 * map.rows)), labels, chosen: look.row, largest: 72});
}

function pointed(event, fixed) {
  const cell = cellAt(look.box, event.currentTarget, event);
  if (cell) choose(cell.row, fixed);
  else if (!fixed) choose(-1, false);
}

// The row that is shown: one under the pointer, or else the one that was chosen last.
function choose(row, fixed) {
  if (!look.answer) return;
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
  modelPicker('look', look);
  onSubmit('look-form', () => goLook({source: byId('look-source').value, off: undefined}));
  byId('look-files').addEventListener('change', (event) => {
    takeModel([...event.target.files]);
    event.target.value = '';
  });
  redraw(byId('look-matrix'), drawMatrix);
  redraw(byId('look-heads'), () => look.answer && mode === 'look' && drawHeads());
}

// Shows what an address asks for; without a head, the one that says most.
async function showLook({model = 'phrasebook', source, head = '', off = ''}) {
  const fresh = fillForm('look', look, model, source) || !look.answer, same = !fresh && off === look.off.join();
  if (fresh) Object.assign(look, {answer: null, whole: null});
  if (fresh || head !== look.head) look.row = look.fixed = -1;
  Object.assign(look, {head: fresh || mapOf(head) ? head : bestHead(look.answer), off: off.split(',').filter(Boolean)});
  exampleButtons(byId('look-examples'), model, (sentence) => goLook({source: sentence, off: undefined}));
  const attend = async (heads, handle) => call({op: 'attend', model: handle, source: fitting(look.source), off: heads.map(headNamed)});
  const answer = same ? look.answer : await ask('look-shown', model, async (info) => {
    look.whole ??= off && (await attend([], info.model)).output;
    return attend(look.off, info.model);
  }, fresh ? undefined : ['look-output', 'look-one']);
  if (!answer) return;
  look.answer = answer;
  if (!off) look.whole = answer.output;
  if (!mapOf(look.head)) look.head = bestHead(answer);
  settle('look', lookWith({}));
  drawLook();
  const heads = byId('look-heads');
  if (fresh) heads.scrollLeft = heads.querySelector('[aria-pressed=true]').closest('section').offsetLeft - heads.offsetLeft;
}
