// Step: decoding token by token, chosen by the reader, and the beam search that does it alone.
'use strict';

const stepping = {key: '', source: '', written: [], candidates: [], looks: null, newest: latest(), beamNewest: latest()};

const isEnd = () => stepping.written.length > 0 && stepping.written[stepping.written.length - 1].token === '<eos>';

// What could come next after what is written.
async function candidatesNow() {
  const {model} = await loaded(stepping.key);
  const prefix = stepping.written.map(({id}) => id);
  return call({op: 'decode', model, source: stepping.source, prefix});
}

// The last row of each head's map: where the decoder looks now. Null if the words written do not give
// the same tokens back, as pieces of words may not, and of sentences too long for maps.
async function looksNow(output) {
  const {model} = await loaded(stepping.key);
  const answer = await call({op: 'attend', model, source: stepping.source, target: output}).catch(() => null);
  if (!answer) return null;
  const cross = answer.maps.filter(({kind}) => kind === 'cross');
  const last = cross.filter(({layer}) => layer === cross[cross.length - 1].layer);
  if (last[0].rows !== stepping.written.length + 1) return null;
  return {rows: last.length, columns: last[0].columns, weights: last.flatMap((map) => rowOf(map, map.rows - 1)), source: answer.source};
}

function drawLooks() {
  const {looks} = stepping;
  byId('step-looks').hidden = !looks;
  if (!looks || mode !== 'step') return;
  const holder = byId('step-map'), canvas = holder.firstElementChild;
  const rows = Array.from({length: looks.rows}, (_, i) => `head ${i + 1}`);
  const weights = rows.map((name, i) => `${name}: ${looks.source[largestOf(rowOf(looks, i))]}`).join(', ');
  canvas.setAttribute('aria-label', `Most of all, ${weights}`);
  drawMap(canvas, looks, {width: Math.max(240, holder.clientWidth), height: 300, largest: 34, rowHeight: 16,
    labels: {rows, columns: looks.source, size: 12}});
}

const largestOf = (weights) => weights.indexOf(Math.max(...weights));

async function refresh() {
  try {
    const answer = isEnd() ? {candidates: []} : await stepping.newest(candidatesNow());
    if (!answer) return;
    stepping.candidates = answer.candidates;
    stepping.looks = isEnd() ? null : await looksNow(answer.output);
    complain(byId('step-message'), null);
    drawStepping();
  } catch (error) {
    complain(byId('step-message'), error.message);
  }
}

function take(candidate) {
  stepping.written.push(candidate);
  return refresh();
}

function drawStepping() {
  const end = isEnd();
  fill(byId('step-written'), element('li', {}, element('code', {}, '<bos>')),
      stepping.written.map(({token, probability}, i) => element('li', {},
          element('button', {type: 'button', title: 'go back to here', 'aria-label': `${token}, probability ${percent(probability)}; go back to here`,
            onclick: () => { stepping.written.length = i + 1; refresh(); }},
          token, element('small', {}, probability.toFixed(2))))),
      end ? null : element('li', {class: 'next', 'aria-hidden': 'true'}, '…'));
  const focused = byId('step-candidates').contains(document.activeElement);
  fill(byId('step-candidates'), stepping.candidates.map((candidate) => element('li', {},
      element('button', {type: 'button', style: `--share:${(100 * candidate.probability).toFixed(2)}%`, onclick: () => take(candidate)},
          element('span', {class: 'token'}, candidate.token), element('span', {class: 'number'}, percent(candidate.probability))))),
  end ? element('li', {}, 'It has said that this is the end.') : null);
  if (focused) (byId('step-candidates').querySelector('button') ?? byId('step-back')).focus();
  byId('step-next').disabled = byId('step-all').disabled = end || stepping.candidates.length === 0;
  byId('step-back').disabled = stepping.written.length === 0;
  drawLooks();
}

// Takes the likeliest until the end, at most so many tokens as a sentence may get.
async function toTheEnd() {
  const source = stepping.source, key = stepping.key;
  for (let i = 0; i < 200 && !isEnd() && stepping.candidates.length > 0; ++i) {
    if (source !== stepping.source || key !== stepping.key) return;
    await take(stepping.candidates[0]);
  }
}

async function beginStepping() {
  try {
    stepping.source = sentenceIn('step-source');
  } catch (error) {
    return complain(byId('step-message'), error.message);
  }
  stepping.written = [];
  stepping.candidates = [];
  await Promise.all([refresh(), searchBeam()]);
}

async function searchBeam() {
  const beam = Number(byId('step-beam').value), alpha = Number(byId('step-alpha').value);
  try {
    const {model} = await loaded(stepping.key);
    const result = await stepping.beamNewest(call({op: 'beam', model, source: stepping.source, beam, alpha}));
    if (!result) return;
    drawTree(byId('step-tree'), result, byId('step-node'));
    drawFinished(byId('step-finished'), result.finished, alpha);
  } catch (error) {
    fill(byId('step-tree'));
    fill(byId('step-finished'));
    complain(byId('step-message'), error.message);
  }
}

function drawFinished(node, finished, alpha) {
  if (finished.length === 0) return void fill(node);
  const better = alpha > 0 ? 'score, with the length penalty' : 'score';
  fill(node, element('table', {}, element('caption', {}, 'The hypotheses that ended, best first'),
      element('thead', {}, element('tr', {}, ['written', 'log-probability', better].map((name) => element('th', {scope: 'col'}, name)))),
      element('tbody', {}, finished.map(({text, log_probability, score}) => element('tr', {},
          element('th', {scope: 'row'}, text || '(nothing)'), element('td', {}, shown(log_probability)), element('td', {}, shown(score)))))));
}

function connectStep() {
  redraw(byId('step-map'), drawLooks);
  modelPicker(byId('step-model'), {first: 'phrasebook'});
  byId('step-model').addEventListener('change', () => showStep({model: byId('step-model').value, source: ''}));
  byId('step-form').addEventListener('submit', (event) => {
    event.preventDefault();
    beginStepping();
  });
  byId('step-next').addEventListener('click', () => stepping.candidates[0] && take(stepping.candidates[0]));
  byId('step-back').addEventListener('click', () => { stepping.written.pop(); refresh(); });
  byId('step-all').addEventListener('click', toTheEnd);
  byId('step-beam').addEventListener('change', searchBeam);
  byId('step-alpha').addEventListener('change', searchBeam);
}

async function showStep({model, source} = {}) {
  const select = byId('step-model'), input = byId('step-source');
  if (models.has(model)) select.value = model;
  const changed = stepping.key !== select.value;
  const key = stepping.key = select.value;
  try {
    await loaded(key);
  } catch (error) {
    return complain(byId('step-message'), error.message);
  }
  if (stepping.key !== key) return;  // another model was chosen meanwhile
  if (source || changed || source === '') input.value = source || firstExample(stepping.key);
  exampleButtons(byId('step-examples'), examplesFor(stepping.key).slice(0, 4), (sentence) => {
    input.value = sentence;
    beginStepping();
  });
  if (changed || source !== undefined) await beginStepping();
}
