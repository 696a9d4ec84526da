// Elements and numbers. Text always goes in as text, never as HTML, so a word may be "<script>".
'use strict';

const svgNames = new Set(['svg', 'g', 'path', 'line', 'rect', 'circle', 'text', 'tspan', 'title']);

// element('p', {class: 'note', onclick: f}, 'text', child, [children], null)
function element(name, attributes = {}, ...children) {
  const node = svgNames.has(name) ? document.createElementNS('http://www.w3.org/2000/svg', name)
                                  : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || (value === false && !key.startsWith('aria-'))) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true && !key.startsWith('aria-') ? '' : value);
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(9)) {
    if (child !== undefined && child !== null && child !== false) node.append(child);
  }
}

// Replaces what is in a node.
function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

const byId = (id) => document.getElementById(id);

// A number as a reader wants it: four digits after the point, as `attention trace` prints them.
// null is −∞, a masked score.
function shown(number, digits = 4) {
  if (number === null) return '−∞';
  if (number === undefined) return '';
  if (typeof number !== 'number') return String(number);
  const size = Math.abs(number);
  let result = String(number);
  if (!Number.isInteger(number)) {
    result = size !== 0 && size < 0.5 * 10 ** -digits ? number.toExponential(1) : number.toFixed(digits);
  } else if (size >= 1e7) {
    result = number.toExponential(1);
  }
  return result.replaceAll('-', '−');
}

// All the digits that there are.
const exactly = (number) => (number === null ? '−∞' : String(number).replaceAll('-', '−'));

// 0.987 as 98.7 %; of very small shares the first two digits.
const percent = (share) =>
  `${share > 0 && share < 0.0005 ? Number((100 * share).toPrecision(2)) : (100 * share).toFixed(1)} %`;

// "W^Q_i" and "e^(x − m)" with what follows ^ and _ raised and lowered.
function formulaNodes(text) {
  return text.split(/([\^_](?:\([^()]*\)|[A-Za-z0-9]+))/).map((part) => {
    if (!/^[\^_]./.test(part)) return part;
    return element(part[0] === '^' ? 'sup' : 'sub', {}, part.slice(1).replace(/^\((.*)\)$/, '$1'));
  });
}

// 1234567 as 1,234,567.
const grouped = (integer) => String(integer).replace(/\B(?=(\d{3})+$)/g, ',');

const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

// Says something to readers who hear the page.
function announce(words) {
  byId('announcer').textContent = words;
}

// The page's colours, for what is drawn on a canvas.
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// How wide words are in a font.
function textWidth(words, font) {
  const pen = (textWidth.canvas ??= document.createElement('canvas')).getContext('2d');
  pen.font = font;
  return pen.measureText(words).width;
}

// Calls act instead of sending the form away.
function onSubmit(form, act) {
  byId(form).addEventListener('submit', (event) => {
    event.preventDefault();
    act();
  });
}

// Calls draw when the width of the node changes, and when light becomes dark.
function redraw(node, draw) {
  let width = 0;
  new ResizeObserver(() => {
    if (Math.abs(node.clientWidth - width) < 1) return;
    width = node.clientWidth;
    if (width > 0) draw();
  }).observe(node);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
}
