// Trace: every value of the passes, forward and backward, under the names of `attention trace`.
'use strict';

const tracing = {key: 'example', source: '', target: '', values: [], value: null, page: 0, row: 0, column: 0};
const columnsAPage = 64;

// Inside its stage a value is known by the end of its name: heads.0.S, output. All parameters are in one.
const shortName = ({name, stage}) =>
  (stage === 'Parameters' ? name : name.split('.').slice(name.includes('.heads.') ? -3 : -1).join('.'));

const passOf = ({gradient, weight}) => (weight && !gradient ? 'weights' : gradient ? 'backward' : 'forward');

// The list of values, stage by stage.
function drawNames() {
  const pass = document.querySelector('input[name="trace-pass"]:checked').value;
  const wanted = byId('trace-find').value.trim().toLowerCase();
  const stages = new Map();
  for (const value of tracing.values) {
    if (passOf(value) !== pass) continue;
    if (wanted && !`${value.name} ${value.symbol}`.toLowerCase().includes(wanted)) continue;
    if (!stages.has(value.stage)) stages.set(value.stage, []);
    stages.get(value.stage).push(value);
  }
  const current = tracing.value?.name;
  fill(byId('trace-list'), stages.size === 0 ? element('p', {class: 'note'}, 'No value has this name.') : null,
      [...stages].map(([stage, values]) => element('details', {open: Boolean(wanted) || values.some(({name}) => name === current)},
          element('summary', {}, stage.replace(/layer \d+/, (words) => `layer ${Number(words.slice(6)) + 1}`)),
          element('ul', {}, values.map((value) => element('li', {},
              element('button', {type: 'button', title: value.name, 'aria-current': value.name === current, onclick: () => openValue(value.name)},
                  element('span', {class: 'symbol'}, value.symbol ? formulaNodes(value.symbol) : value.name.split('.').pop()),
                  element('code', {}, shortName(value)),
                  element('span', {class: 'shape'}, value.shape.join(' × '))))))))); 
}

// What is shown, as it is in the address.
const traceState = () => ({model: tracing.key, source: tracing.source, target: tracing.target || undefined});

// Shows a value, and in it a number.
const openValue = (name, row = 0, column = 0) => go('trace', {...traceState(), name, row, column});

async function showValue(name) {
  if (tracing.value?.name !== name) {
    tracing.value = null;
    const numbers = await ask('trace-value', tracing.key, ({model}) => call({op: 'value', model, name}));
    if (!numbers) return;
    tracing.value = {...tracing.values.find((value) => value.name === name), ...numbers};
    tracing.page = -1;
    document.querySelector(`input[name="trace-pass"][value="${passOf(tracing.value)}"]`).checked = true;
    drawNames();
  }
  const {shape} = tracing.value, page = Math.floor(Math.max(0, tracing.column) / columnsAPage);
  if (!(tracing.row < shape[0] && tracing.column < columnCount())) tracing.row = tracing.column = 0;
  if (shape.length === 1) tracing.column = -1;
  if (page !== tracing.page) {
    tracing.page = page;
    drawValue();
  }
  settle('trace', {...traceState(), name, row: tracing.row, column: tracing.column});
  await explainNumber();
}

function drawValue() {
  const {name, formula, section, shape} = tracing.value;
  fill(byId('trace-head'), element('h2', {}, formula ? formulaNodes(formula) : name),
      element('p', {class: 'note'}, element('code', {}, name), ` [${shape.join(', ')}]`,
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
    if (cell) openValue(tracing.value.name, cell.dataset.row, cell.dataset.column);
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
    openValue(tracing.value.name, cell.dataset.row, cell.dataset.column);
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

// Marks the number that is chosen and says which numbers made it.
async function explainNumber() {
  const {row, column, value: {name}} = tracing;
  byId('trace-table').querySelector('td.chosen')?.classList.remove('chosen');
  cellOf(row, column)?.classList.add('chosen');
  const answer = await ask('trace-explain', tracing.key, ({model}) => call({op: 'explain', model, name, row, column}), []);
  if (answer) drawExplanation(answer, tracing);
}

function connectTrace() {
  modelPicker('trace', tracing, {withExample: true});
  onSubmit('trace-form', () => go('trace', {...traceState(), source: byId('trace-source').value, target: byId('trace-target').value || undefined,
    name: tracing.value?.name}));
  for (const input of document.querySelectorAll('input[name="trace-pass"]')) input.addEventListener('change', drawNames);
  byId('trace-find').addEventListener('input', drawNames);
}

async function showTrace({model = 'example', source, target = '', name, row, column}) {
  const fresh = fillForm('trace', tracing, model, source) || target !== tracing.target || tracing.values.length === 0;
  Object.assign(tracing, {target, row: Number(row ?? 0), column: Number(column ?? 0)});
  byId('trace-target').value = target;
  if (fresh) {
    Object.assign(tracing, {values: [], value: null});
    const answer = await ask('trace-shown', model, (info) => call({op: 'trace', model: info.model, source: fitting(tracing.source),
      target: fitting(target, 0) || (model === 'example' ? info.example.target : undefined)}));
    if (!answer) return;
    tracing.values = answer.values;
    byId('trace-target').placeholder = model === 'example' ? answer.target : `${answer.target} (the model’s own)`;
  }
  const wanted = [name, tracing.value?.name, 'encoder.0.self_attention.heads.0.S', tracing.values[0].name];
  await showValue(wanted.find((wish) => tracing.values.some((value) => value.name === wish)));
}
