// Grow: the programs of the book's chapter "Grow a Transformer", each with one part more than the one before.
// What runs is the program itself, and all that is known of it here is what it prints.
'use strict';

// The titles are the chapter's headings. adds: what the part does. look: what is to be seen, and what is missing.
const parts = [
  {title: 'A bias', adds: '29 numbers, a score for each token, whatever was read.',
   look: 'It can learn how frequent each token is, and no more: the loss stays just below guessing. It would write the ' +
     'same letter for ever, because it looks at nothing.'},
  {title: 'The previous letter', adds: 'The letter it wrote last, as a row of 32 numbers.',
   look: 'The loss hardly moves. Letters are drawn at random, so one says nothing about the next: it has not seen the question.'},
  {title: 'The mean of the source', adds: 'The mean of the letters that it reads.',
   look: 'Now the loss falls, for it knows which letters there are. But every row of the picture is the same. Whatever it ' +
     'is about to write, it looks at everything equally, and no sequence is right.'},
  {title: 'Attention', adds: 'softmax(QKᵀ/√d_k) V: the letter written last asks, and the letters of the source answer. ' +
     'Dividing by √d_k keeps the first weights soft, and training from hardening them too fast. Without it, at d_k = 64, a ' +
     'Transformer of one layer had 31 % of the letters of reverse right after 1,000 steps; with it, 98 % (chapter 3.2.1).',
   look: 'Nothing is gained! Look at the rows: having written a letter, it looks away from that letter. Nothing in it ' +
     'knows where a letter is, so it goes round in circles.'},
  {title: 'Positions', adds: 'The place of each letter, in sines and cosines.',
   look: 'On copy, the diagonal, and all is right at once: attention was not useless, it was blind. On reverse, the ' +
     'diagonal is smeared. Letter t is at place n + 1 − t, and no part knows n, the length.'},
  {title: 'Self-attention', adds: 'In the encoder, each letter asks all the others, among them the end, which knows its place.',
   look: 'On reverse, the loss halves, and yet few sequences are right. The picture is a strange one: the encoder has ' +
     'replaced each vector by a mean of all of them, so that a column no longer holds its letter.'},
  {title: 'The residual connection', adds: 'x + …: the encoder adds what a letter hears to what it was.',
   look: 'On reverse, it gains more than any other part with so few characters, and the columns are true again. What is ' +
     'missing? All that it does to vectors is mix them. Nothing computes anything from one.'},
  {title: 'The feed-forward network', adds: 'Two matrices with max(0, x) between them, for each place by itself.',
   look: 'On reverse, nearly all is right, with most seeds. Try seed 2, which was unlucky. Nothing keeps the sums in bounds.'},
  {title: 'Layer normalisation', adds: 'After each sum, every row is given the mean 0 and the standard deviation 1.',
   look: 'On reverse, the unlucky seed has caught up: what this part replaces is luck. But the diagonal is not sharp. One ' +
     'row of weights has one peak, or blurs several.'},
  {title: 'Heads', adds: 'Four questions at once instead of one, each a quarter as wide.',
   look: 'Copy and reverse are solved. Now choose shuffle, the same letters in any order: the loss falls, and no sequence ' +
     'is right, because it does not know what it has written.'},
  {title: 'The decoder reads itself', adds: 'The decoder reads what it has written, and a mask hides what is to come.',
   look: 'Copy and reverse gain nothing, for they lacked nothing. On shuffle, every fourth sequence is right: it ticks the ' +
     'letters off, and at some point loses count.'},
  {title: 'Layers', adds: 'The encoder and the decoder twice, and a single matrix to read and to write with.',
   look: 'This is Figure 1 of the paper, complete, and no task gains: depth is not what they lack. What is left is how it ' +
     'is trained.'},
  {title: 'The training', adds: 'Warm-up, label smoothing, and the mean of the last weights.',
   look: 'On shuffle, twice as many are right. The loss now includes label smoothing: it cannot reach 0, and must not be ' +
     'compared with those above.'},
];

// run: {part, file, task, seed, steps, text, losses: [[step, loss]…], exact, engine}. before: the one before it.
// own: the last loss and count of each part and task.
const grow = {part: 1, run: null, before: null, own: new Map(), measured: new Map(), files: []};

// The table that the book measured, data/measurements/grow.tsv.
function readMeasured() {
  const lines = byId('stairs-measured').textContent.trim().split('\n').filter((line) => !line.startsWith('#'));
  for (const line of lines.slice(1)) {
    const [program, seeds, loss, exact, least, most] = line.split('\t'), [file, task] = program.split('/');
    grow.measured.set(`${Number(file.slice(0, 2))} ${task}`, {seeds, loss, exact, least, most});
    grow.files[Number(file.slice(0, 2))] = `${file}.cpp`;
  }
}

function growForm() {
  const {task, seed, steps} = Object.fromEntries(new FormData(byId('grow-form')));
  // The programs' own number of steps is that of the measurements.
  return {task, seed: Number(seed), steps: Number(steps) || (grow.part === parts.length ? 3500 : 3000)};
}

const running = () => grow.run?.engine !== undefined;

function stopGrow() {
  grow.run?.engine?.stop();
  if (grow.run) grow.run.engine = undefined;
}

async function startGrow() {
  if (!byId('grow-form').reportValidity()) return;
  stopGrow();
  complain(byId('grow-message'), null);
  const run = {part: grow.part, ...growForm(), text: '', losses: [], exact: null, engine: {stop() {}}};
  grow.before = grow.run?.task === run.task && grow.run.losses.length > 0 ? grow.run : null;
  grow.run = run;
  drawGrow();
  try {
    const engine = await newEngine((words) => takePrinted(run, words));
    if (run !== grow.run || !run.engine) return void engine.stop();
    run.engine = engine;
    await engine.send({grow: {program: run.part, task: run.task, steps: run.steps, seed: run.seed}});
  } catch (error) {
    complain(byId('grow-message'), error.message);
  }
  stopGrow();
  drawGrow();
}

function takePrinted(run, words) {
  run.text += words;
  const [, exact] = run.text.match(/^exact: (\d+) of 1000$/m) ?? [];
  run.exact = exact ?? null;
  run.losses = [...run.text.matchAll(/^step +(\d+) {2}loss (.+)$/gm)].map(([, step, loss]) => [Number(step), Number(loss)]);
  if (run !== grow.run) return;
  if (run.losses.length > 0) {
    grow.own.set(`${run.part} ${run.task}`, {loss: run.losses[run.losses.length - 1][1].toFixed(4), exact});
  }
  if (exact) announce(`${parts[run.part - 1].title}: ${exact} of 1000 sequences are right.`);
  drawGrow();
}

// One cell of the stairs: what was measured as a bar, one's own as a dot, and both as numbers.
function drawStair(cell, key, whole, measured, own) {
  const share = (value) => `${Math.min(100, 100 * Number(value) / whole).toFixed(1)}%`;
  const bar = element('div', {class: 'stair', 'aria-hidden': 'true'});
  if (measured) bar.append(element('i', {class: 'measured', style: `width: ${share(measured[key])}`}));
  if (key === 'exact' && measured && measured.least !== measured.most) {
    bar.append(element('i', {class: 'range', style: `left: ${share(measured.least)}; right: calc(100% - ${share(measured.most)})`}));
  }
  if (own?.[key]) bar.append(element('i', {class: 'own', style: `left: ${share(own[key])}`}));
  fill(cell, bar, measured ? measured[key] : '–',
      own?.[key] ? [' ', element('b', {}, element('span', {class: 'unseen'}, 'yours: '), own[key])] : null);
}

function drawStairs() {
  const {task} = growForm();
  [...byId('grow-stairs').rows].forEach((row, i) => {
    const measured = grow.measured.get(`${i + 1} ${task}`), own = grow.own.get(`${i + 1} ${task}`);
    row.querySelector('input').checked = i < grow.part;
    row.classList.toggle('chosen', i === grow.part - 1);
    drawStair(row.cells[1], 'loss', Math.log(29), measured, own);
    drawStair(row.cells[2], 'exact', 1000, measured, own);
  });
}

function drawGrowth() {
  const run = grow.run, node = byId('grow-chart');
  if (!run || mode !== 'grow') return;
  const width = Math.max(node.clientWidth, 260), height = 210, last = run.losses[run.losses.length - 1];
  const curves = [{points: run.losses, class: 'strong', name: `part ${run.part}`}];
  if (grow.before) {
    const name = grow.before.part === run.part ? 'before' : `part ${grow.before.part}`;
    curves.unshift({points: grow.before.losses, class: 'faint', name});
  }
  const words = last ? `After step ${last[0]} the loss is ${last[1].toFixed(2)}.` : 'No loss has been printed yet.';
  fill(node, element('svg', {width, height, role: 'img', 'aria-label': words}, chart({width, height, x: 0, y: 0,
    xs: [0, Math.max(run.steps, grow.before?.steps ?? 0)], ys: [0, 4], title: 'loss', ticks: 4, curves,
    lines: [{y: Math.log(29), words: `guessing: ${Math.log(29).toFixed(2)}`}]})));
}

function drawGrow() {
  if (mode !== 'grow') return;
  const {run} = grow, part = parts[grow.part - 1], heading = `${grow.part} ${part.title}`;
  const last = run?.losses[run.losses.length - 1];
  drawStairs();
  byId('grow-run').textContent = running() ? 'Stop' : 'Train';
  fill(byId('grow-title'), heading);
  fill(byId('grow-adds'), part.adds, ' ', element('span', {class: 'see'},
      chapterLink('grow', 'The lines that it adds', `#${heading.toLowerCase().replaceAll(' ', '-')}`)));
  fill(byId('grow-look'), element('b', {}, 'What to look at. '), part.look);
  const right = run?.exact ?? (running() && run.losses.length === 10 ? 'testing …' : '–');
  const figures = [['step', run ? `${grouped(last?.[0] ?? 0)} of ${grouped(run.steps)}` : '–'],
    ['loss', last ? last[1].toFixed(4) : '–'], ['right, of 1,000', right]];
  fill(byId('grow-status'), figures.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))));
  drawGrowth();
  byId('grow-figure').hidden = !run;
  if (!run) return;
  fill(byId('grow-command'), `c++ -O3 -std=c++17 ${grow.files[run.part]} -o grow && ./grow ${run.task} --seed ${run.seed} --steps ${run.steps}`);
  byId('grow-output').textContent = run.text;
}

// A part needs those above it: switching one on switches them on, and off, those below.
function choosePart(part) {
  grow.part = part;
  chosenGrow();
  return startGrow();
}

function chosenGrow() {
  settle('grow', {part: grow.part, ...Object.fromEntries(new FormData(byId('grow-form')))});
  drawGrow();
}

function connectGrow() {
  readMeasured();
  fill(byId('grow-stairs'), parts.map(({title}, i) => element('tr', {},
      element('th', {scope: 'row'}, element('label', {}, element('input', {type: 'checkbox', disabled: i === 0,
        onchange: ({target}) => choosePart(target.checked ? i + 1 : i)}), element('span', {}, `${i + 1} ${title}`))),
      element('td'), element('td'))));
  onSubmit('grow-form', () => {
    if (!running()) return void startGrow();
    stopGrow();
    drawGrow();
  });
  byId('grow-form').addEventListener('change', chosenGrow);
  redraw(byId('grow-chart'), drawGrowth);
}

// #grow?part=5&task=copy&seed=1&steps=600
function showGrow({part, ...settings}) {
  if (parts[part - 1]) grow.part = Number(part);
  const fields = byId('grow-form').elements;
  for (const [name, value] of Object.entries(settings)) if (fields[name]) fields[name].value = value;
  drawGrow();
}
