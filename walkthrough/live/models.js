// The models there are to look at: the book's, the one that Train trains, and those dropped on the page.
'use strict';

const letters = ['h e l l o', 's t r e s s e d', 'a b c d e f g h i j k l m n o p q r s t u v w x y z'];
const examplesOf = {
  phrasebook: ["Jane visite l'Afrique en septembre", 'un avocat mange un avocat', 'la vache blanche va boire un verre de lait',
    "André porte cette nouvelle chemise rouge parce qu'il a soif"],
  copy: letters,
  reverse: letters,
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
  const load = async (say) => {
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
    addModel(Object.assign(models.get(key), {title: `${title}, trained here`}));
    return info;
  };
  addModel({key, title: `${title}, trained when chosen`, task: request.task, writes: request.task === 'language', load});
}

// What the engine says of a model, loading it when it is first needed; say() gets what there is to say meanwhile.
async function loaded(key, say) {
  const entry = models.get(key);
  if (!entry) throw new Error(`The model of this address, “${key}”, was trained or loaded in another page. Choose one that is here.`);
  entry.say = say;
  if (!entry.info) {
    entry.loading ??= entry.load((words) => entry.say(words));
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
  return examplesFor(key)[0] ?? models.get(key)?.info?.example.source ?? '';
}

// Keeps the options of a mode's select in step with the models there are; state has the key of the one that is shown.
function modelPicker(name, state, {withExample = false, withWriters = false} = {}) {
  const select = byId(`${name}-model`);
  const update = () => {
    const entries = [...models.values()].filter((entry) => (withExample || !entry.onlyTrace) && (withWriters || !entry.writes));
    entries.sort((a, b) => Number(Boolean(b.onlyTrace)) - Number(Boolean(a.onlyTrace)));
    fill(select, entries.map(({key, title}) => element('option', {value: key}, title)));
    select.value = state.key;
  };
  modelListeners.push(update);
  update();
  select.addEventListener('change', () => go(name, {model: select.value}));
}

// Puts a model and a sentence into a mode's form; returns whether they are new.
function fillForm(name, state, key, source = firstExample(key)) {
  const fresh = key !== state.key || source !== state.source || key === 'trained';
  Object.assign(state, {key, source});
  byId(`${name}-model`).value = key;
  byId(`${name}-source`).value = source;
  return fresh;
}

// Buttons that put a sentence into an input.
function exampleButtons(node, key, choose) {
  const sentences = examplesFor(key);
  fill(node, sentences.length > 0 ? 'Try ' : null, sentences.map((sentence) =>
    element('button', {type: 'button', class: 'link', onclick: () => choose(sentence)}, sentence)));
}

const questions = {};  // node → how many were asked for it

// What act makes of a model, or null if something newer was asked for the node or one around it, or something went wrong.
// Until then what is hidden belongs to another question, and after a moment the mode says that it waits.
async function ask(node, key, act, hidden = [node]) {
  for (const other of Object.keys(questions)) questions[other] += byId(node).contains(byId(other));
  const mine = questions[node] ??= 1, newest = () => mine === questions[node];
  const say = (words) => newest() && complain(byId(`${node.split('-')[0]}-message`), words);
  const timer = setTimeout(say, 300, `Waiting for “${models.get(key)?.title}” …`);
  const hide = () => hidden.forEach((id) => byId(id).classList.add('waiting'));
  hide();
  try {
    const info = await loaded(key, say);
    const answer = newest() ? await act(info) : null;
    if (!newest()) return null;
    say(null);
    for (const waiting of [byId(node), ...byId(node).querySelectorAll('.waiting')]) waiting.classList.remove('waiting');
    return answer;
  } catch (error) {
    say(error.message);
    return null;
  } finally {
    clearTimeout(timer);
  }
}

const filesAtHand = {};  // of a dropped model: {safetensors, txt}

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
    // Named after its weights: in an address it can be no other model.
    const {hash} = await call({op: 'weights', model: info.model}), key = `own-${hash}`;
    addModel({key, title: `Yours: ${safetensors.name}, ${hash.slice(0, 4)}`, task: info.task, info, writes: info.context > 0});
    say(`“${safetensors.name}” has ${grouped(info.weights)} weights and ${grouped(info.vocabulary.length)} tokens.`);
    use(key);
  } catch (error) {
    say(`This model could not be loaded: ${error.message}`, true);
  }
}

const mostWords = 120;  // of a sentence that is drawn

// A sentence that there is room for on the page.
function fitting(sentence, least = 1) {
  const words = sentence.match(/\S+/g)?.length ?? 0;
  if (words < least) throw new Error('There are no words yet: type some.');
  if (words > mostWords) throw new Error(`This page has room for ${mostWords} words; the sentence has ${words}.`);
  return sentence;
}

// Shows what went wrong, or hides the message.
function complain(node, words) {
  node.hidden = !words;
  node.textContent = words ?? '';
}
