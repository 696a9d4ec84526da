// The models there are to look at: the book's, the one that Train trains, and those dropped on the page.
'use strict';

const examplesOf = {
  phrasebook: ["Jane visite l'Afrique en septembre", 'un avocat mange un avocat', 'la vache blanche va boire un verre de lait',
    "André porte cette nouvelle chemise rouge parce qu'il a soif"],
  copy: ['h e l l o', 's t r e s s e d', 'a b c d e f g h i j k l m n o p q r s t u v w x y z'],
  reverse: ['h e l l o', 's t r e s s e d', 'a b c d e f g h i j k l m n o p q r s t u v w x y z'],
  language: ['the black', 'why does', 'Jane'],
};

// The longest sequence that a task has in training, in words.
const longestOf = {phrasebook: 14, copy: 20, reverse: 20};

// key → {key, title, task, load(): the engine's answer to make or load, info: that answer once it is there}
const models = new Map();
const modelListeners = [];

function addModel(entry) {
  models.set(entry.key, entry);
  for (const listener of modelListeners) listener(entry);
}

function addBundledModels() {
  addModel({key: 'phrasebook', title: 'Phrasebook: French to English', task: 'phrasebook', load: async () => {
    await giveFile('phrasebook.safetensors', await bundled('phrasebook'));
    await giveFile('phrasebook.txt', await bundled('phrasebook-tokenizer'));
    return call({op: 'load', model_file: 'phrasebook.safetensors', tokenizer_file: 'phrasebook.txt'});
  }});
  for (const [key, task, title, settings] of modelsTrainedHere) addModelTrainedHere(key, title, {task, settings});
  addModelTrainedHere('writer', 'A decoder-only model of English', {task: 'language', text: byId('sentences').textContent,
    settings: {layers: 1, d_model: 64, d_ff: 256, heads: 4, warmup: 50, batch_tokens: 512, context: 32}});
  addModel({key: 'example', title: 'The book’s example', task: 'phrasebook', onlyTrace: true,
    load: () => call({op: 'load', builtin: 'example'})});
}

const modelsTrainedHere = [['copy-here', 'copy', 'Copy'], ['reverse-here', 'reverse', 'Reverse'],
  ['copy-sinusoidal', 'copy', 'Copy, one layer', {layers: 1}],
  ['copy-rotary', 'copy', 'Copy, one layer, rotary positions', {layers: 1, positions: 'rotary'}]];

// A model that is trained when it is first wanted: one of pairs until it makes no mistake in two validations in
// a row, a language model until what was held out gets no likelier.
function addModelTrainedHere(key, title, request) {
  const load = async (say = (words) => complain(byId(`${mode}-message`), words)) => {
    const info = await call({op: 'make', ...request});
    for (let clean = 0, step = 0, least = Infinity; clean < 2 && step < 4000;) {
      ({step} = await call({op: 'step', model: info.model, count: 10}));
      if (step % 50 !== 0) continue;
      const {exact, of, perplexity} = await call({op: 'validate', model: info.model, limit: heldOut});
      if (info.context > 0) clean = perplexity < 0.99 * least ? 0 : 2;
      else clean = exact === of ? clean + 1 : 0;
      least = perplexity;
      say(`Training it first: step ${step}, ${info.context > 0 ? `perplexity ${shown(perplexity, 1)} of what was held out` : `${exact} of ${of} sequences right`}.`);
    }
    say(null);
    addModel(Object.assign(models.get(key), {title: `${title}, trained here`}));
    return info;
  };
  addModel({key, title: `${title}, trained when chosen`, task: request.task, writes: request.task === 'language', load});
}

// The engine's handle of a model, loading it when it is first needed; say() gets what there is to say meanwhile.
async function loaded(key, say) {
  const entry = models.get(key);
  if (!entry.info) {
    entry.loading ??= entry.load(say);
    try {
      entry.info = await entry.loading;
    } finally {
      entry.loading = null;
    }
  }
  return entry.info;
}

const examplesFor = (key) => examplesOf[models.get(key)?.task] ?? [];

// A sentence to begin with.
function firstExample(key) {
  return examplesFor(key)[0] ?? models.get(key).info?.example?.source ?? '';
}

// Keeps the options of a select in step with the models there are.
function modelPicker(select, {first, withExample = false, withWriters = false}) {
  const update = () => {
    const before = select.value || first;
    const entries = [...models.values()].filter((entry) => (withExample || !entry.onlyTrace) && (withWriters || !entry.writes));
    entries.sort((a, b) => Number(Boolean(b.onlyTrace)) - Number(Boolean(a.onlyTrace)));
    fill(select, entries.map(({key, title}) => element('option', {value: key}, title)));
    select.value = models.has(before) ? before : entries[0]?.key;
  };
  modelListeners.push(update);
  update();
}

// Buttons that put a sentence into an input.
function exampleButtons(node, sentences, choose) {
  fill(node, sentences.length > 0 ? 'Try ' : null, sentences.map((sentence) =>
    element('button', {type: 'button', class: 'link', onclick: () => choose(sentence)}, sentence)));
}

const filesAtHand = {};  // of a dropped model: {safetensors, txt}
let droppedModels = 0;

// Takes files that were dropped or chosen; says what is missing. Calls use(key) with the new model.
async function takeFiles(files, say, use) {
  for (const file of files) {
    const kind = file.name.split('.').pop();
    if (kind !== 'safetensors' && kind !== 'txt') {
      say(`“${file.name}” is neither a .safetensors nor a .txt file.`, true);
      return;
    }
    if (file.size > 2 ** 29) {
      say(`“${file.name}” has ${grouped(file.size)} bytes; this page has room for half a gigabyte.`, true);
      return;
    }
    filesAtHand[kind] = file;
  }
  const {safetensors, txt} = filesAtHand;
  if (!safetensors || !txt) {
    say(safetensors ? `“${safetensors.name}” is here; its tokenizer.txt is missing.`
                    : `“${txt.name}” is here; its model.safetensors is missing.`);
    return;
  }
  delete filesAtHand.safetensors;
  delete filesAtHand.txt;
  say(`Reading “${safetensors.name}” …`);
  try {
    await giveFile(safetensors.name, new Uint8Array(await safetensors.arrayBuffer()));
    await giveFile(txt.name, new Uint8Array(await txt.arrayBuffer()));
    const info = await call({op: 'load', model_file: safetensors.name, tokenizer_file: txt.name});
    const ours = new TextDecoder().decode(await bundled('phrasebook-tokenizer')) === await txt.text();
    const key = `dropped-${++droppedModels}`;
    addModel({key, title: `Yours: ${safetensors.name}${droppedModels > 1 ? ` (${droppedModels})` : ''}`, task: ours ? 'phrasebook' : info.task, info, writes: info.context > 0});
    say(`“${safetensors.name}” has ${grouped(info.weights)} weights and ${grouped(info.vocabulary.length)} tokens.`);
    use(key);
  } catch (error) {
    say(`This model could not be loaded: ${error.message}`, true);
  }
}

const mostWords = 120;  // of a sentence that is drawn

// What was typed; an error if there is no room for it on the page.
function sentenceIn(id) {
  const words = byId(id).value.trim().split(/\s+/).length;
  if (words > mostWords) throw new Error(`This page has room for ${mostWords} words; the sentence has ${words}.`);
  return byId(id).value;
}

// Wraps a request so that only the answer to the last one counts: of an older one, null.
function latest() {
  let current = 0;
  return async (promise) => {
    const mine = ++current;
    const result = await promise;
    return mine === current ? result : null;
  };
}

// Shows what went wrong, or hides the message.
function complain(node, words) {
  node.hidden = !words;
  node.textContent = words ?? '';
}
