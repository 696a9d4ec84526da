// Step: decoding token by token, chosen by the reader or drawn, and the beam search that does it alone.
'use strict';

const stepping = {key: '', source: '', read: [], written: [], candidates: [], drawn: null, place: 0, looks: null, newest: latest(), beamNewest: latest()};

const writes = () => models.get(stepping.key).info?.context > 0;  // a language model, without a source
const isEnd = () => stepping.written.length > 0 && stepping.written[stepping.written.length - 1].token === '<eos>';

// What could come next after what is written.
async function candidatesNow() {
  const {model} = await loaded(stepping.key);
  const prefix = stepping.written.map(({id}) => id);
  const temperature = Number(byId('step-temperature').value), seed = Number(byId('step-seed').value);
  return call({op: 'decode', model, source: stepping.source, prefix, temperature, seed});
}

// The last row of each head's map: where the decoder looks now. Null if the words written do not give
// the same tokens back, as pieces of words may not, and of sentences too long for maps.
async function looksNow(output) {
  const {model, context} = await loaded(stepping.key);
  const written = context > 0 ? {prefix: stepping.written.map(({id}) => id)} : {target: output};
  const answer = await call({op: 'attend', model, source: stepping.source, ...written}).catch(() => null);
  if (!answer) return null;
  const [{kind, rows}] = readingMaps(answer);
  const before = (kind === 'cross' ? 0 : stepping.read.length) + (context > 0 ? 0 : 1);  // <bos> is one
  return rows === before + stepping.written.length ? {...headsAt(answer, rows - 1), kind} : null;
}

function drawLooks() {
  const {looks} = stepping;
  byId('step-looks').hidden = !looks;
  if (!looks || mode !== 'step') return;
  byId('step-looks-kind').textContent = kinds[looks.kind].title.toLowerCase();
  drawHeadsAt(byId('step-map'), looks);
}

// Asks what could come next; the promise of the last such question is kept.
const refresh = () => (stepping.refreshed = askNext());

async function askNext() {
  try {
    const {read, written} = stepping, ended = {candidates: [], source: read, prefix: written};
    const answer = await stepping.newest(isEnd() ? ended : candidatesNow());
    if (!answer) return;
    Object.assign(stepping, {read: answer.source, candidates: answer.candidates, drawn: answer.drawn, place: answer.prefix.length});
    stepping.looks = isEnd() ? null : await looksNow(answer.output);
    complain(byId('step-message'), null);
  } catch (error) {
    Object.assign(stepping, {candidates: [], drawn: null, looks: null});
    complain(byId('step-message'), error.message);
  }
  drawStepping();
}

// Unless what could come here is not known yet.
function take(candidate) {
  if (stepping.place !== stepping.written.length) return;
  stepping.written.push(candidate);
  refresh();
}

function drawStepping() {
  const end = isEnd();
  fill(byId('step-written'), element('li', {}, element('code', {}, writes() ? stepping.read.join(' ') : '<bos>')),
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
  for (const id of ['step-next', 'step-draw', 'step-all']) byId(id).disabled = end || stepping.candidates.length === 0;
  byId('step-back').disabled = stepping.written.length === 0;
  drawLooks();
}

// Draws until the end, at most as many tokens as a sentence may get.
async function toTheEnd() {
  const {source, key} = stepping;
  for (let i = 0; i < 200 && !isEnd() && stepping.candidates.length > 0; ++i) {
    if (source !== stepping.source || key !== stepping.key) return;
    take(stepping.drawn);
    for (let last = null; last !== stepping.refreshed;) await (last = stepping.refreshed);
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
  byId('step-beams').hidden = writes();
  await Promise.all([refresh(), writes() ? null : searchBeam()]);
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
  modelPicker(byId('step-model'), {first: 'phrasebook', withWriters: true});
  byId('step-model').addEventListener('change', () => showStep({model: byId('step-model').value, source: ''}));
  onSubmit('step-form', beginStepping);
  byId('step-next').addEventListener('click', () => stepping.candidates[0] && take(stepping.candidates[0]));
  byId('step-draw').addEventListener('click', () => stepping.drawn && take(stepping.drawn));
  for (const id of ['step-temperature', 'step-seed']) byId(id).addEventListener('input', settled(refresh, 40));
  byId('step-temperature').addEventListener('input', ({target}) => fill(byId('step-temperature-now'), Number(target.value).toFixed(1)));
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
  fill(byId('step-source-name'), writes() ? 'Beginning' : 'Sentence');
  if (source || changed || source === '') input.value = source || firstExample(stepping.key);
  exampleButtons(byId('step-examples'), examplesFor(stepping.key).slice(0, 4), (sentence) => {
    input.value = sentence;
    beginStepping();
  });
  if (changed || source !== undefined) await beginStepping();
}
