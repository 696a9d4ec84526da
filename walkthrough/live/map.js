// Attention maps: one row for each token that looks, one column for each that can be looked at, the
// stronger the colour, the larger the weight.
'use strict';

// Draws a map on a canvas of width × height CSS pixels. labels: write the tokens at the left and on
// top. chosen: the row that is framed. rowHeight: the least height of a row; otherwise cells are square.
// largest: of a cell, in pixels. Returns where the cells are, for finding one under the pointer.
function drawMap(canvas, map, {width, height, labels = false, chosen = -1, largest = Infinity, rowHeight = 0} = {}) {
  const scale = window.devicePixelRatio || 1;
  const pen = canvas.getContext('2d');
  const font = `${labels ? labels.size : 12}px system-ui, sans-serif`;
  pen.font = font;
  const left = labels ? Math.ceil(widest(pen, labels.rows)) + 8 : 0;
  const top = labels ? columnRoom(pen, labels) : 0;
  // Turned labels lean out of the map at its right.
  const right = labels && labels.turned ? Math.ceil(widest(pen, labels.columns.slice(-3)) * 0.5) : 0;
  const cell = Math.max(labels ? 3 : 0, Math.min((width - left - right) / map.columns, (height - top) / map.rows, largest));
  const high = Math.max(cell, rowHeight);
  const box = {left, top, cell, high, width: left + cell * map.columns, height: top + high * map.rows};
  canvas.width = Math.ceil((box.width + right) * scale);
  canvas.height = Math.ceil(box.height * scale);
  canvas.style.width = `${box.width + right}px`;
  canvas.style.height = `${box.height}px`;
  pen.scale(scale, scale);
  pen.fillStyle = colour('cell-paper');
  pen.fillRect(left, top, cell * map.columns, high * map.rows);
  pen.fillStyle = colour('cell');
  // Edges on whole pixels of the screen, so that no lines show between cells.
  const edgeX = (i) => Math.round((left + cell * i) * scale) / scale;
  const edgeY = (i) => Math.round((top + high * i) * scale) / scale;
  for (let row = 0; row < map.rows; ++row) {
    for (let column = 0; column < map.columns; ++column) {
      const weight = map.weights[row * map.columns + column];
      if (weight < 0.002) continue;
      pen.globalAlpha = weight;
      const x = edgeX(column), y = edgeY(row);
      pen.fillRect(x, y, edgeX(column + 1) - x, edgeY(row + 1) - y);
    }
  }
  pen.globalAlpha = 1;
  if (labels) drawLabels(pen, font, box, labels, chosen);
  if (chosen >= 0 && chosen < map.rows) {
    pen.strokeStyle = colour('accent');
    pen.lineWidth = 1.5;
    pen.strokeRect(left, edgeY(chosen), cell * map.columns, high);
  }
  return box;
}

const widest = (pen, words) => Math.max(...words.map((word) => pen.measureText(word).width));

// Short words stand upright over their columns; longer ones are turned.
function columnRoom(pen, labels) {
  labels.turned = widest(pen, labels.columns) > 16;
  return labels.turned ? Math.ceil(widest(pen, labels.columns) * 0.87) + 10 : labels.size + 6;
}

function drawLabels(pen, font, box, labels, chosen) {
  pen.font = font;
  // No more labels than there is room for.
  const every = (room) => Math.max(1, Math.ceil((labels.size - 1) / room));
  const everyRow = every(box.high), everyColumn = every(box.cell);
  pen.textBaseline = 'middle';
  pen.textAlign = 'right';
  labels.rows.forEach((word, i) => {
    if (i % everyRow !== 0 && i !== chosen) return;
    if (chosen >= 0 && i !== chosen && everyRow > 1 && Math.abs(i - chosen) < everyRow) return;
    pen.fillStyle = colour(i === chosen ? 'accent' : 'ink');
    pen.fillText(word, box.left - 6, box.top + box.high * (i + 0.5));
  });
  pen.textAlign = labels.turned ? 'left' : 'center';
  labels.columns.forEach((word, i) => {
    if (i % everyColumn !== 0 && i !== labels.wanted) return;
    pen.save();
    pen.fillStyle = colour(i === labels.wanted ? 'accent' : 'ink');
    pen.translate(box.left + box.cell * (i + 0.5), box.top - (labels.turned ? 5 : labels.size / 2 + 2));
    if (labels.turned) pen.rotate(-Math.PI / 3);
    pen.fillText(word, 0, 0);
    pen.restore();
  });
}

// The row and column of a point on a drawn map, or null outside.
function cellAt(box, canvas, event) {
  const rect = canvas.getBoundingClientRect();
  const column = Math.floor((event.clientX - rect.left - box.left) / box.cell);
  const row = Math.floor((event.clientY - rect.top - box.top) / box.high);
  if (row < 0 || column < 0 || event.clientX - rect.left > box.width) return null;
  return event.clientY - rect.top > box.height ? null : {row, column};
}

// The weights of one row.
const rowOf = (map, row) => map.weights.slice(row * map.columns, (row + 1) * map.columns);

const kinds = {
  encoder: {
    title: 'Encoder self-attention', part: 'self_attention',
    says: 'A word of the source looks at the words of the source',
    row: (word) => `Reading “${word}”, it looks at`,
  },
  decoder: {
    title: 'Decoder self-attention', part: 'self_attention',
    says: 'A word of the answer looks at itself and earlier ones',
    row: (word) => `Having written “${word}”, it looks back at`,
  },
  cross: {
    title: 'Encoder–decoder attention', part: 'cross_attention',
    says: 'A word of the answer looks at the words of the source',
    row: (word) => `Having written “${word}”, it looks in the source at`,
  },
  sequence: {
    title: 'Self-attention', part: 'self_attention',
    says: 'A word looks at itself and all before it, the source included',
    row: (word) => `At “${word}”, it looks back at`,
  },
};

const rowTokens = (kind, answer) => ({encoder: answer.source, sequence: answer.sequence})[kind] ?? answer.target;
const columnTokens = (kind, answer) => ({decoder: answer.target, sequence: answer.sequence})[kind] ?? answer.source;

// The attention that looks at the source: of a decoder-only model, all that there is.
const readingMaps = ({maps}) => maps.filter(({kind}) => kind === 'cross' || kind === 'sequence');

// Where the heads of the last layer look in one row.
function headsAt(answer, row) {
  const maps = readingMaps(answer), last = maps.filter(({layer}) => layer === maps.at(-1).layer);
  return {rows: last.length, columns: last[0].columns, weights: last.flatMap((map) => rowOf(map, row)),
    words: columnTokens(last[0].kind, answer)};
}

// Draws that, one row per head. wanted: a column to point at.
function drawHeadsAt(holder, looks, wanted) {
  const canvas = holder.firstElementChild;
  const rows = Array.from({length: looks.rows}, (_, i) => `head ${i + 1}`);
  const largest = (weights) => weights.indexOf(Math.max(...weights));
  canvas.setAttribute('aria-label', `Most of all, ${rows.map((name, i) => `${name}: ${looks.words[largest(rowOf(looks, i))]}`).join(', ')}`);
  drawMap(canvas, looks, {width: Math.max(240, holder.clientWidth), height: 300, largest: 34, rowHeight: 16,
    labels: {rows, columns: looks.words, size: 12, wanted}});
}

// The name of a head's weights in a trace, where layers and heads count from 0.
const traceName = ({kind, layer, head}) =>
  `${kind === 'encoder' ? 'encoder' : 'decoder'}.${layer}.${kinds[kind].part}.heads.${head}.P`;

// What a row looks at, in words: the columns with the largest weights.
function rowInWords(map, row, answer) {
  const columns = columnTokens(map.kind, answer);
  const largest = rowOf(map, row).map((weight, column) => ({weight, column}))
      .sort((a, b) => b.weight - a.weight).filter(({weight}, i) => i < 4 && (i === 0 || weight >= 0.01));
  const list = largest.map(({weight, column}) => `${columns[column]} ${weight.toFixed(2)}`).join(', ');
  return `${kinds[map.kind].row(rowTokens(map.kind, answer)[row])} ${list}.`;
}
