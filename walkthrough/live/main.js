// Tabs, links into the page, dropped files, and the start of it all.
'use strict';

const modes = {train: showTrain, grow: showGrow, look: showLook, step: showStep, trace: showTrace};
let mode = '';

const places = {};  // what each mode showed last

// The address has all that is shown: #look?model=copy-here&source=h+e+l+l+o
function addressOf(name, wishes) {
  const query = String(new URLSearchParams(Object.entries(wishes).filter(([, value]) => value !== undefined)));
  return `#${name}${query && `?${query}`}`;
}

function showAddress() {
  const [name, query] = location.hash.slice(1).split('?');
  show(Object.hasOwn(modes, name) ? name : 'train', Object.fromEntries(new URLSearchParams(query ?? '')));
}

function show(name, wishes) {
  mode = name;
  places[name] = wishes;
  for (const other of Object.keys(modes)) {
    const tab = byId(`tab-${other}`);
    tab.setAttribute('aria-selected', other === name);
    tab.tabIndex = other === name ? 0 : -1;
    byId(other).hidden = other !== name;
  }
  modes[name](wishes);
}

// Steps of the reader's go through the address, so that Back undoes them.
function go(name, wishes = places[name] ?? {}) {
  const address = addressOf(name, wishes);
  if (address !== location.hash) history.pushState(null, '', address);
  show(name, wishes);
}

// Adds to the address what a mode has chosen itself.
function settle(name, wishes) {
  places[name] = wishes;
  const address = addressOf(name, wishes);
  if (mode === name && address !== location.hash) history.replaceState(null, '', address);
}

function connectTabs() {
  const names = Object.keys(modes);
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();
    byId('main').focus();
  });
  for (const name of names) {
    const tab = byId(`tab-${name}`);
    tab.addEventListener('click', () => go(name));
    tab.addEventListener('keydown', (event) => {
      const i = names.indexOf(name), last = names.length - 1;
      const next = {ArrowRight: i === last ? 0 : i + 1, ArrowLeft: i === 0 ? last : i - 1, Home: 0, End: last}[event.key];
      if (next === undefined) return;
      event.preventDefault();
      go(names[next]);
      byId(`tab-${names[next]}`).focus();
    });
  }
}

function connectDrop() {
  const drop = byId('drop');
  const carriesFiles = (event) => [...event.dataTransfer.types].includes('Files');
  addEventListener('dragover', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    drop.hidden = false;
  });
  addEventListener('dragleave', (event) => { if (!event.relatedTarget) drop.hidden = true; });
  addEventListener('drop', (event) => {
    drop.hidden = true;
    if (!carriesFiles(event)) return;
    event.preventDefault();
    if (mode === 'train' || mode === 'grow') go('look');
    takeModel([...event.dataTransfer.files]);
  });
}

// Files for the mode that is open.
function takeModel(files) {
  const message = byId(`${mode}-message`), quiet = byId('look-files-message');
  takeFiles(files, (words, wrong) => {
    complain(message, wrong ? words : null);
    fill(quiet, wrong ? null : words);
    if (!wrong) announce(words);
  }, (key) => go(models.get(key).writes ? 'step' : mode, {model: key}));
}

async function start() {
  fillChapterLinks();
  connectTabs();
  connectDrop();
  try {
    await startEngine();
  } catch (error) {
    byId('starting').textContent = `The engine did not start: ${error.message}. The page needs WebAssembly with ` +
      'exceptions and SIMD: Chrome 111, Firefox 113, Safari 16.4, or later.';
    return;
  }
  byId('starting').remove();
  addBundledModels();
  connectTrain();
  connectBeyond();
  connectGrow();
  connectLook();
  connectStep();
  connectTrace();
  showAddress();
  addEventListener('hashchange', showAddress);
}

start();
