// One number taken apart: which numbers made it, with the arithmetic written out. The engine has
// computed all of it; here it is only set in type.
'use strict';

// "S" and "[visite, Jane]": a number by its symbol, or else the last part of its name, and the labels of
// its row and column.
function numberParts(values, {name, row, column}) {
  const about = values.find((value) => value.name === name);
  const label = (labels, i) => (i < 0 ? null : labels?.[i] ?? String(i));
  const where = [label(about?.rows, row), label(about?.columns, column)].filter((part) => part !== null);
  const last = about?.weight ? name.split('.').slice(-2).join('.') : name.split('.').pop();
  const known = about?.symbol && about.symbol.length <= 8;
  return {symbol: known ? about.symbol : last, where: `[${where.join(', ')}]`, known};
}

function numberName(values, number) {
  const {symbol, where} = numberParts(values, number);
  return symbol + where;
}

// The same, set as a formula.
function numberNodes(values, number) {
  const {symbol, where, known} = numberParts(values, number);
  return [known ? formulaNodes(symbol) : symbol, where];
}

// A number that leads to the value it is in.
function numberLink(part, values) {
  if (!part.name) return element('span', {class: 'constant'}, part.text ? [formulaNodes(part.text), ' = '] : null, shown(part.value));
  return element('button', {type: 'button', class: 'link number', title: `${part.name}: ${exactly(part.value)}`,
    onclick: () => openValue(part.name, part.row, part.column ?? -1)},
  shown(part.value), element('small', {}, numberNodes(values, part)));
}

function drawExplanation(answer, {values}) {
  const {terms = [], lines = [], result, formula} = answer;
  const node = byId('trace-explain');
  const parts = Math.max(0, ...terms.map((term) => term.parts.length));
  // A term of one part is a number itself, or what a function makes of it, such as e^(x − largest).
  const computed = parts > 1 || terms.some((term) => term.value !== term.parts[0]?.value);
  const rows = terms.map((term) => element('tr', {},
      Array.from({length: parts}, (_, i) => [element('td', {class: 'sign'}, 0 < i && i < term.parts.length ? '×' : ''),
        element('td', {}, i < term.parts.length ? numberLink(term.parts[i], values) : null)]),
      computed ? [element('td', {class: 'sign'}, parts > 1 ? '=' : '→'),
        element('td', {class: 'number', title: exactly(term.value)}, shown(term.value))] : null));
  fill(node, element('h3', {}, numberNodes(values, answer), ' = ', element('span', {class: 'number'}, exactly(result))),
      formula ? element('p', {class: 'formula'}, formulaNodes(formula)) : null,
      rows.length > 0 ? element('div', {class: 'scrolls terms', tabindex: 0, role: 'region', 'aria-label': 'The terms'}, element('table', {}, element('tbody', {}, rows))) : null,
      element('dl', {class: 'lines-of'}, lines.map(({text, value}) => element('div', {}, element('dt', {}, formulaNodes(text)),
          value === undefined ? null : element('dd', {class: 'number', title: exactly(value)}, shown(value))))));
  announce(`${numberName(values, answer)} is ${exactly(result)}; ${plural(terms.length, 'term')}.`);
}
