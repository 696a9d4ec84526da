// Step: decoding token by token, chosen by the reader or drawn, and the beam search that does it alone.
'use strict';

const stepping = {key: 'phrasebook', source: '', read: [], written: [], candidates: [], drawn: null, place: -1, looks: null};

const writes = () => models.get(stepping.key)?.writes;  // a language model, without a source
const isEnd = () => stepping.written.length > 0 && stepping.written[stepping.written.length - 1].token === '<eos>';

// What could come next after what is written.
function candidatesNow(model) {
  const prefix = stepping.written.map(({id}) => id);
  const temperature = Number(byId('step-temperature').value), seed = Number(byId('step-seed').value);
  return call({op: 'decode', model, source: fitting(stepping.source, writes() ? 0 : 1), prefix, temperature, seed});
}

// The last row of each head's map: where the decoder looks now. Null if the words written do not give
// the same tokens back, as pieces of words may not, and of sentences too long for maps.
async function looksNow({model, context}, {source, output}) {
  const written = context > 0 ? {prefix: stepping.written.map(({id}) => id)} : {target: output};
  const answer = await call({op: 'attend', model, source: stepping.source, ...written}).catch(() => null);
  if (!answer) return null;
  const [{kind, rows}] = readingMaps(answer);
  const before = (kind === 'cross' ? 0 : source.length) + (context > 0 ? 0 : 1);  // <bos> is one
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
  const {read, written, place} = stepping, end = isEnd();
  const answer = await ask('step-shown', stepping.key, async (info) => {
    if (end) return {candidates: [], source: read, prefix: written, looks: null};
    const next = await candidatesNow(info.model);
    return {...next, looks: await looksNow(info, next)};
  }, place < 0 ? undefined : []);
  if (!answer) return;
  Object.assign(stepping, {read: answer.source, candidates: answer.candidates, drawn: answer.drawn, place: answer.prefix.length, looks: answer.looks});
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

async function searchBeam() {
  const beam = Number(byId('step-beam').value), alpha = Number(byId('step-alpha').value), {source} = stepping;
  const result = await ask('step-beams', stepping.key, ({model}) => call({op: 'beam', model, source: fitting(source), beam, alpha}));
  if (!result) return;
  drawTree(byId('step-tree'), result, byId('step-node'));
  drawFinished(byId('step-finished'), result.finished, alpha);
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
  modelPicker('step', stepping, {withWriters: true});
  onSubmit('step-form', () => {
    stepping.key = '';
    goStep(byId('step-source').value);
  });
  byId('step-next').addEventListener('click', () => stepping.candidates[0] && take(stepping.candidates[0]));
  byId('step-draw').addEventListener('click', () => stepping.drawn && take(stepping.drawn));
  for (const id of ['step-temperature', 'step-seed']) byId(id).addEventListener('input', refresh);
  byId('step-temperature').addEventListener('input', ({target}) => fill(byId('step-temperature-now'), Number(target.value).toFixed(1)));
  byId('step-back').addEventListener('click', () => { stepping.written.pop(); refresh(); });
  byId('step-all').addEventListener('click', toTheEnd);
  byId('step-beam').addEventListener('change', searchBeam);
  byId('step-alpha').addEventListener('change', searchBeam);
}

const goStep = (source) => go('step', {model: byId('step-model').value, source});

async function showStep({model = 'phrasebook', source}) {
  if (!fillForm('step', stepping, model, source) && stepping.place >= 0) return drawStepping();
  Object.assign(stepping, {read: [], written: [], candidates: [], place: -1});
  fill(byId('step-source-name'), writes() ? 'Beginning' : 'Sentence');
  exampleButtons(byId('step-examples'), model, goStep);
  byId('step-beams').hidden = writes();
  settle('step', {model, source: stepping.source});
  await Promise.all([refresh(), writes() ? null : searchBeam()]);
}
