// Curves over the steps of training, drawn as SVG in the size that there is room for.
'use strict';

// A round number of about this size or more: 1, 2, 5, 10, 20 …
function roundStep(size) {
  const unit = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].find((factor) => factor * unit >= size) * unit;
}

// One chart. curves: [{points: [[x, y]…], class, name}]; lines: [{y, words, below}] across the whole width, named above at the right, or below at the left.
// Returns a g element; x and y are where it begins.
function chart({width, height, x: offset, y: down, xs, ys, title, curves, lines = [], unit = '', ticks: tickCount = 5}) {
  const right = 64;  // room for the curves' names
  const area = {left: 44, top: 22, width: width - 44 - right, height: height - 22 - 24};
  const x = (value) => area.left + area.width * (value - xs[0]) / (xs[1] - xs[0]);
  const y = (value) =>
    area.top + area.height * (1 - (Math.min(Math.max(value, ys[0]), ys[1]) - ys[0]) / (ys[1] - ys[0]));
  const g = element('g', {transform: `translate(${offset} ${down})`});
  g.append(element('text', {x: 0, y: 11, class: 'chart-title'}, title));
  const ticks = (from, to, step) =>
    Array.from({length: Math.floor((to - from) / step + 1e-9) + 1}, (_, i) => from + i * step);
  for (const tick of ticks(ys[0], ys[1], roundStep((ys[1] - ys[0]) / tickCount))) {
    g.append(element('line', {class: 'grid', x1: area.left, x2: area.left + area.width, y1: y(tick), y2: y(tick)}));
    g.append(element('text', {class: 'tick end', x: area.left - 6, y: y(tick) + 4},
        `${shown(tick, 1).replace('.0', '')}${unit}`));
  }
  for (const tick of ticks(xs[0], xs[1], roundStep((xs[1] - xs[0]) / Math.max(2, area.width / 90)))) {
    g.append(element('text', {class: 'tick middle', x: x(tick), y: area.top + area.height + 17}, grouped(tick)));
  }
  for (const {y: value, words, below} of lines) {
    g.append(element('line', {class: 'reference', x1: area.left, x2: area.left + area.width, y1: y(value), y2: y(value)}));
    g.append(below ? element('text', {class: 'tick halo', x: area.left + 4, y: y(value) + 14}, words)
                   : element('text', {class: 'tick end halo', x: area.left + area.width - 4, y: y(value) - 5}, words));
  }
  const names = [];
  for (const {points, class: kind, name} of curves) {
    if (points.length === 0) continue;
    const path = points.map(([px, py], i) => `${i === 0 ? 'M' : 'L'}${x(px).toFixed(1)} ${y(py).toFixed(1)}`);
    g.append(element('path', {class: `curve ${kind}`, d: path.join('')}));
    const [lastX, lastY] = points[points.length - 1];
    if (points.length === 1) g.append(element('circle', {class: `dot ${kind}`, cx: x(lastX), cy: y(lastY), r: 2.5}));
    names.push({y: y(lastY), kind, name, x: x(lastX)});
  }
  // The names are at the ends of their curves, one under the other where they would meet.
  names.sort((a, b) => a.y - b.y);
  names.forEach((label, i) => {
    if (i > 0) label.y = Math.max(label.y, names[i - 1].y + 15);
    g.append(element('text', {class: `name halo ${label.kind}`, x: label.x + 6, y: label.y + 4}, label.name));
  });
  return g;
}
