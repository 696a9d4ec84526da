// Trace: every value of the passes, forward and backward, under the names of `attention trace`.
'use strict';

const tracing = {key: '', values: [], value: null, page: 0, cell: null, newest: latest(), valueNewest: latest()};
const columnsAPage = 64;

async function traceNow(name) {
  try {
    const source = sentenceIn('trace-source').trim(), target = sentenceIn('trace-target').trim();
    const {model} = await loaded(tracing.key);
    const request = {op: 'trace', model};
    if (source) request.source = source;
    if (target) request.target = target;
    const answer = await tracing.newest(call(request));
    if (!answer) return;
    complain(byId('trace-message'), null);
    tracing.values = answer.values;
    byId('trace-source').value = answer.source;
    if (target || tracing.key === 'example') byId('trace-target').value = answer.target;
    else byId('trace-target').placeholder = `${answer.target} (the model’s own)`;
    const wanted = [name, tracing.value?.name, 'encoder.0.self_attention.heads.0.S'];
    const first = wanted.find((wish) => answer.values.some((value) => value.name === wish)) ?? answer.values[0].name;
    await openValue(first);
  } catch (error) {
    complain(byId('trace-message'), error.message);
  }
}

// Inside its stage a value is known by the end of its name: heads.0.S, output, query.weight. All
// gradients of parameters are in one stage.
const shortName = ({name, weight, stage}) =>
  (stage === 'Parameters' ? name : name.split('.').slice(name.includes('.heads.') ? -3 : weight ? -2 : -1).join('.'));

const passOf = ({gradient, weight}) => (weight && !gradient ? 'weights' : gradient ? 'backward' : 'forward');

// The list of values, stage by stage.
function drawNames() {
  const pass = document.querySelector('input[name="trace-pass"]:checked').value;
  const wanted = byId('trace-find').value.trim().toLowerCase();
  const stages = new Map();
  for (const value of tracing.values) {
    if (passOf(value) !== pass) continue;
    if (wanted && !`${value.name} ${value.symbol} ${value.word ?? ''}`.toLowerCase().includes(wanted)) continue;
    if (!stages.has(value.stage)) stages.set(value.stage, []);
    stages.get(value.stage).push(value);
  }
  const current = tracing.value?.name;
  fill(byId('trace-list'), stages.size === 0 ? element('p', {class: 'note'}, 'No value has this name.') : null,
      [...stages].map(([stage, values]) => element('details', {open: Boolean(wanted) || values.some(({name}) => name === current)},
          element('summary', {}, stage),
          element('ul', {}, values.map((value) => element('li', {},
              element('button', {type: 'button', title: value.name, 'aria-current': value.name === current, onclick: () => openValue(value.name)},
                  element('span', {class: 'symbol'}, value.symbol ? formulaNodes(value.symbol) : value.name.split('.').pop()),
                  element('code', {}, shortName(value)),
                  element('span', {class: 'shape'}, value.shape.join(' × '))))))))); 
}

// Shows a value, and in it the number that is wanted.
async function openValue(name, row = -1, column = -1) {
  try {
    const {model} = await loaded(tracing.key);
    const numbers = await tracing.valueNewest(call({op: 'value', model, name}));
    if (!numbers) return;
    const about = tracing.values.find((value) => value.name === name) ?? {name, section: '', formula: '', symbol: name};
    tracing.value = {...about, ...numbers};
    tracing.cell = null;
    tracing.page = column >= 0 ? Math.floor(column / columnsAPage) : 0;
    const pass = document.querySelector(`input[name="trace-pass"][value="${passOf(tracing.value)}"]`);
    pass.checked = true;
    drawNames();
    drawValue();
    fill(byId('trace-explain'));
    if (row >= 0) chooseNumber(row, column);
  } catch (error) {
    complain(byId('trace-message'), error.message);
  }
}

function drawValue() {
  const {name, formula, section, shape, word} = tracing.value;
  fill(byId('trace-head'), element('h2', {}, formula ? formulaNodes(formula) : name),
      element('p', {class: 'note'}, element('code', {}, name), ` [${shape.join(', ')}]`, word ? `, the ${word}` : null,
          section ? [' · ', section, ': ', sectionLinks(section)] : null));
  drawPager();
  drawTable();
}

const columnCount = () => (tracing.value.shape.length > 1 ? tracing.value.shape[1] : 1);

function drawPager() {
  const count = columnCount(), pages = Math.ceil(count / columnsAPage);
  const turn = (by) => () => {
    tracing.page += by;
    drawPager();
    drawTable();
  };
  const first = tracing.page * columnsAPage;
  fill(byId('trace-pager'), pages < 2 ? null : [
    element('button', {type: 'button', disabled: tracing.page === 0, onclick: turn(-1)}, '← Columns before'),
    element('span', {}, ` ${first} to ${Math.min(count, first + columnsAPage) - 1} of ${count} `),
    element('button', {type: 'button', disabled: tracing.page === pages - 1, onclick: turn(1)}, 'Columns after →')]);
}

// The numbers as a grid: one number can be reached by Tab, the others by arrow keys.
function drawTable() {
  const {name, shape, rows, columns, data} = tracing.value;
  const flat = shape.length === 1;
  const first = tracing.page * columnsAPage, last = Math.min(columnCount(), first + columnsAPage);
  const header = Array.from({length: last - first}, (_, i) => columns[first + i] ?? (flat ? '' : String(first + i)));
  const largest = data.flat().reduce((most, number) => Math.max(most, Math.abs(number ?? 0)), 0);
  const table = element('table', {role: 'grid', class: 'numbers', 'aria-label': name},
      flat ? null : element('thead', {}, element('tr', {}, element('td', {}), header.map((label) => element('th', {scope: 'col'}, label)))),
      element('tbody', {}, data.map((numbers, row) => element('tr', {},
          element('th', {scope: 'row'}, rows[row] ?? row),
          (flat ? [numbers] : numbers.slice(first, last)).map((number, i) => numberCell(number, row, flat ? -1 : first + i, largest))))));
  table.addEventListener('click', (event) => {
    const cell = event.target.closest('td[data-row]');
    if (cell) chooseNumber(Number(cell.dataset.row), Number(cell.dataset.column));
  });
  table.addEventListener('keydown', moveInTable);
  fill(byId('trace-table'), table);
  table.querySelector('td[data-row]')?.setAttribute('tabindex', 0);
}

function numberCell(number, row, column, largest) {
  const tint = number && largest > 0 ? Math.round(34 * Math.abs(number) / largest) : 0;
  return element('td', {tabindex: -1, 'data-row': row, 'data-column': column, 'data-value': number === null ? '-inf' : number, title: exactly(number),
    class: number < 0 ? 'negative' : null, style: `--tint:${tint}%`}, shown(number));
}

const cellOf = (row, column) => byId('trace-table').querySelector(`td[data-row="${row}"][data-column="${column}"]`);

function moveInTable(event) {
  const cell = event.target.closest('td[data-row]');
  if (!cell) return;
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    chooseNumber(Number(cell.dataset.row), Number(cell.dataset.column));
    return;
  }
  const [down, right] = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key] ?? [0, 0];
  const next = (down || right) && cellOf(Number(cell.dataset.row) + down, Number(cell.dataset.column) + right);
  if (!next) return;
  event.preventDefault();
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

// Marks a number and says which numbers made it.
async function chooseNumber(row, column) {
  const {name} = tracing.value;
  byId('trace-table').querySelector('td.chosen')?.classList.remove('chosen');
  const cell = cellOf(row, column);
  cell?.classList.add('chosen');
  tracing.cell = {row, column};
  try {
    const {model} = await loaded(tracing.key);
    const answer = await call({op: 'explain', model, name, row, column});
    if (tracing.value.name === name && tracing.cell.row === row && tracing.cell.column === column) drawExplanation(answer, tracing);
  } catch (error) {
    fill(byId('trace-explain'), element('p', {class: 'message'}, error.message));
  }
}

function connectTrace() {
  modelPicker(byId('trace-model'), {first: 'example', withExample: true});
  byId('trace-model').addEventListener('change', () => showTrace({model: byId('trace-model').value, source: ''}));
  onSubmit('trace-form', traceNow);
  for (const input of document.querySelectorAll('input[name="trace-pass"]')) input.addEventListener('change', drawNames);
  byId('trace-find').addEventListener('input', drawNames);
}

async function showTrace({model, source, name} = {}) {
  const select = byId('trace-model');
  if (models.has(model)) select.value = model;
  const changed = tracing.key !== select.value;
  const key = tracing.key = select.value;
  try {
    await loaded(key);
  } catch (error) {
    return complain(byId('trace-message'), error.message);
  }
  if (tracing.key !== key) return;  // another model was chosen meanwhile
  if (source || changed || source === '') {
    byId('trace-source').value = source || firstExample(tracing.key);
    byId('trace-target').value = tracing.key === 'example' ? models.get('example').info.example?.target ?? '' : '';
  }
  if (changed || source !== undefined || tracing.values.length === 0) await traceNow(name);
}
