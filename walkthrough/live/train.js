// Train: a model learns to copy or to reverse, from noise, before the reader's eyes.
'use strict';

const heldOut = 24;    // sequences that are shown
const checkEvery = 25;  // steps, or more if checking would take too much of the time
const train = {info: null, defaults: null, running: false, generation: 0, step: 0, losses: [], validations: [], sentences: [],
  rightSince: [], chosen: -1, answer: null, clean: 0};

const form = () => Object.fromEntries(new FormData(byId('train-form')));

function settingsInForm() {
  const {seed, architecture, layers, heads, d_model, positions, broken, dropout, learning_rate_scale} = form();
  return {seed: Number(seed), architecture, layers: Number(layers), heads: Number(heads), d_model: Number(d_model), positions, broken,
    dropout: Number(dropout), learning_rate_scale: Number(learning_rate_scale) * train.defaults.learning_rate_scale};
}

// A new model with the settings of the form, at step 0.
async function startOver() {
  train.running = false;
  const generation = ++train.generation;
  const old = train.info;
  const task = form().task;
  if (!train.defaults) {
    const usual = await call({op: 'make', task});
    train.defaults = usual.defaults;
    await call({op: 'free', model: usual.model});
  }
  const info = await call({op: 'make', task, settings: settingsInForm()});
  if (generation !== train.generation) return void call({op: 'free', model: info.model});
  Object.assign(train, {info, task, step: 0, losses: [], validations: [], sentences: [], rightSince: [], chosen: -1,
    answer: null, clean: 0});
  publishTrained();
  if (old) await call({op: 'free', model: old.model});
  await check(generation);
}

const publishTrained = () => addModel({key: 'trained', title: `From Train: ${train.task}, step ${train.step}`,
  task: train.task, info: train.info});

// What the held-out sequences have become, and where the model looks in one of them.
async function check(generation) {
  const result = await call({op: 'validate', model: train.info.model, limit: heldOut});
  if (generation !== train.generation) return;
  train.validations.push({...result, exact: result.exact / result.of});
  train.sentences = result.sentences;
  // To begin with, one whose map is large enough to show something and small enough to read.
  if (train.chosen < 0) train.chosen = Math.max(0, train.sentences.findIndex(({source}) => source.length >= 7 && source.length <= 9));
  result.sentences.forEach(({right}, i) => {
    if (!right) train.rightSince[i] = undefined;
    else train.rightSince[i] ??= train.step;
  });
  const right = result.sentences.filter((sentence) => sentence.right).length;
  train.clean = right === result.sentences.length ? train.clean + 1 : 0;
  if (mode === 'train') publishTrained();
  await lookAtChosen(generation);
  drawTrain();
}

async function lookAtChosen(generation = train.generation) {
  const {source, target} = train.sentences[train.chosen];
  const answer = await call({op: 'attend', model: train.info.model, source: source.join(' '), target: target.join(' ')});
  if (generation === train.generation) train.answer = answer;
}

async function takeSteps(count, generation) {
  const {dropout, learning_rate_scale} = settingsInForm();
  const result = await call({op: 'step', model: train.info.model, count, dropout, learning_rate_scale});
  if (generation !== train.generation) return;
  result.losses.forEach((loss, i) => train.losses.push([result.step - result.losses.length + 1 + i, loss]));
  train.step = result.step;
}

async function run() {
  const generation = train.generation;
  train.running = true;
  drawButtons();
  let stepTime = 50, checkTime = 0, checked = performance.now();
  while (train.running && generation === train.generation) {
    const begin = performance.now();
    const count = Math.max(1, Math.min(Math.round(150 / stepTime), checkEvery - train.step % checkEvery));
    await takeSteps(count, generation);
    stepTime = (performance.now() - begin) / count;
    if (generation !== train.generation) return;
    const rest = performance.now() - checked;
    if (train.step % checkEvery === 0 && rest > 3 * checkTime) {
      const start = performance.now();
      await check(generation);
      checked = performance.now();
      checkTime = checked - start;
      if (train.clean === 8) train.running = false;
    } else {
      drawCurves();
    }
  }
  if (generation === train.generation) await paused(generation);
}

// Whatever is shown belongs to the last step, and the weights have a name.
async function paused(generation) {
  train.running = false;
  if (train.validations[train.validations.length - 1]?.step !== train.step) await check(generation);
  const {hash} = await call({op: 'weights', model: train.info.model});
  if (generation !== train.generation) return;
  fill(byId('train-fingerprint'), `Fingerprint of all weights after step ${train.step}: `, element('code', {}, hash),
      '. The same seed, settings and steps give the same weights, to the last bit, in every browser.');
  if (train.clean === 8) announce('All sequences have been right eight times in a row; training is paused.');
  drawTrain();
}

function drawButtons() {
  byId('train-run').textContent = train.running ? 'Pause' : 'Train';
  byId('train-once').disabled = train.running;
}

function drawStatus() {
  const check = train.validations[train.validations.length - 1];
  const right = train.sentences.filter((sentence) => sentence.right).length;
  const figures = [['step', grouped(train.step)],
    ['loss of the examples', train.losses.length > 0 ? train.losses[train.losses.length - 1][1].toFixed(3) : '–'],
    ['loss, held out', check ? check.loss.toFixed(3) : '–'],
    ['letters right', check ? percent(check.accuracy) : '–'],
    ['sequences right', check ? `${right} of ${train.sentences.length}` : '–']];
  fill(byId('train-status'), figures.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))));
}

function drawCurves() {
  if (!train.info || mode !== 'train') return;
  drawTrainingChart(byId('train-chart'), train);
  drawStatus();
}

function drawMaps() {
  if (!train.answer || mode !== 'train') return;
  drawTrainingMaps(byId('train-maps'), train.answer);
  byId('train-maps-caption').textContent =
    `The ${train.info.settings.architecture === 'decoder' ? 'self-attention' : 'encoder–decoder attention'} for “${train.answer.source.slice(0, -1).join(' ')}”, with every letter before the next one given.`;
}

function drawTrain() {
  drawCurves();
  drawMaps();
  drawButtons();
  // A sequence that has the focus keeps it.
  const list = byId('train-sentences');
  const focused = [...list.querySelectorAll('button')].indexOf(document.activeElement);
  drawSentences(list, train, async (i) => {
    train.chosen = i;
    await lookAtChosen();
    drawTrain();
  });
  if (focused >= 0) list.querySelectorAll('button')[focused]?.focus();
}

const tries = [
  {title: 'Reverse', set: {task: 'reverse'}, chapter: '3.5',
   says: 'It takes longer. To write the third letter of a copy, it looks at place 3; of a reversal, at the third from ' +
     'the end, and the end is somewhere different each time.'},
  {title: 'Forget the shift', set: {broken: 'shift'}, chapter: 'G',
   says: 'The loss falls faster than anything you have seen, and no sequence is ever right: while it is trained, the ' +
     'decoder reads the very letter that it is to write, so it never looks at the source. A loss that falls too fast ' +
     'is proof that something is wrong.'},
  {title: 'No positions', set: {positions: 'none'}, chapter: '3.5',
   says: 'It soon knows which letters there are, and never in which order: without positions the encoder reads a bag of ' +
     'letters. Only the mask tells the decoder how much it has written.'},
  {title: 'A single head', set: {heads: '1'}, chapter: '3.2.2',
   says: 'It learns as well: copying asks for one place to look at, and one head can look there.'},
  {title: 'Ten times the learning rate', set: {learning_rate_scale: '10'}, chapter: '5.3',
   says: 'Every step goes too far. The loss stays at guessing, and every answer is one letter, again and again.'},
  {title: 'Dropout 0.3', set: {dropout: '0.3'}, chapter: '5.4',
   says: 'It learns more slowly. Dropout helps against learning by heart, and here there is nothing to learn by heart: ' +
     'the examples never run out.'},
];

function fillTries() {
  const usual = {task: 'copy', architecture: 'transformer', layers: '2', heads: '4', d_model: '64', positions: 'sinusoidal', broken: '', dropout: '0', learning_rate_scale: '1'};
  fill(byId('train-tries'), tries.map(({title, set, says, chapter}) => element('div', {class: 'try'},
      element('button', {type: 'button', onclick: () => trial({...usual, ...set})}, title),
      element('details', {}, element('summary', {}, 'What happens'), element('p', {}, says, ' ', chapterLink(chapter), '.')))));
}

// Sets the form, starts over and trains.
async function trial(settings) {
  const fields = byId('train-form').elements;
  for (const [name, value] of Object.entries(settings)) fields[name].value = value;
  byId('train-settings').open = Object.keys(settings).some((name) => name !== 'task');
  byId('train-form').scrollIntoView({block: 'start', behavior: 'smooth'});
  await guarded(startOver);
  if (train.info) await guarded(run);
}

// Errors of the engine are for the reader.
async function guarded(action) {
  complain(byId('train-message'), null);
  try {
    await action();
  } catch (error) {
    train.running = false;
    drawButtons();
    complain(byId('train-message'), error.message);
  }
}

function connectTrain() {
  fillTries();
  byId('train-run').addEventListener('click', () => {
    if (train.running) train.running = false;
    else guarded(run);
  });
  byId('train-once').addEventListener('click', () => guarded(async () => {
    if (!train.info) return;
    const generation = train.generation;
    await takeSteps(1, generation);
    await paused(generation);
  }));
  onSubmit('train-form', () => guarded(startOver));
  // These make another model; dropout and learning rate do not.
  byId('train-form').addEventListener('change', (event) => {
    if (!['dropout', 'learning_rate_scale'].includes(event.target.name)) guarded(startOver);
  });
  redraw(byId('train-chart'), drawCurves);
  redraw(byId('train-maps'), drawMaps);
}

async function showTrain() {
  if (!train.info) await guarded(startOver);
  else drawTrain();
}
