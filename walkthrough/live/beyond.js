// Train, beyond the lengths of training: two kinds of positions, and where each looks letter by letter.
'use strict';

const beyond = {letters: [], outputs: [], maps: []};
const comparedModels = [['copy-sinusoidal', 'Sinusoidal positions'], ['copy-rotary', 'Rotary positions']];

async function compare() {
  const say = (words) => complain(byId('beyond-message'), words);
  try {
    const source = fitting(byId('beyond-source').value);
    const outputs = [], maps = [];
    for (const [key] of comparedModels) {
      const {model} = await loaded(key, say);
      outputs.push((await call({op: 'translate', model, source, beam: 1})).output.split(' '));
      maps.push(await call({op: 'attend', model, source, target: source}));  // every letter before is given
    }
    say(null);
    const letters = maps[0].source.slice(0, -1), slider = byId('beyond-letter');
    const wrong = letters.findIndex((letter, i) => outputs.some((output) => output[i] !== letter));
    Object.assign(beyond, {letters, outputs, maps});
    slider.max = letters.length;
    slider.value = wrong < 0 ? letters.length : wrong + 1;
    byId('beyond-figure').hidden = false;
    drawBeyond();
  } catch (error) {
    say(error.message);
  }
}

function drawBeyond() {
  const {letters, outputs, maps} = beyond, at = byId('beyond-letter').value - 1;
  if (letters.length === 0 || mode !== 'train') return;
  fill(byId('beyond-at'), `${at + 1}, “${letters[at]}”`);
  const strips = maps.map(() => element('div', {class: 'strip'}, element('canvas', {role: 'img'})));
  fill(byId('beyond-models'), comparedModels.map(([, title], i) => element('div', {}, element('h3', {}, title),
      element('p', {class: 'letters'}, writtenLetters({target: letters, output: outputs[i]})), strips[i])));
  strips.forEach((strip, i) => drawHeadsAt(strip, headsAt(maps[i], at), at));
}

function connectBeyond() {
  onSubmit('beyond-form', compare);
  byId('beyond-letter').addEventListener('input', drawBeyond);
  redraw(byId('beyond-models'), drawBeyond);
}
