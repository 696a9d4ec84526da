// Who may look at whom: a row for the token that asks, a column for the token that answers.
#include <functional>

#include "figures.h"

namespace attn::walkthrough {

namespace {

using Words = std::vector<std::string>;
using Legal = std::function<bool(int row, int col)>;

const Words kSource{"Jane", "visite", "l'Afrique", "en", "septembre", "<eos>"};
const Words kTarget{"<bos>", "Jane", "visits", "Africa", "in", "September"};

bool everything(int, int) {
  return true;
}
bool causal(int row, int col) {
  return col <= row;
}

void draw_cells(Svg& svg, const Rect& area, int rows, int cols, const Legal& legal,
                const char* colour) {
  HeatMap map{rows, cols, {}};
  for (int row = 0; row < rows; ++row) {
    for (int col = 0; col < cols; ++col) map.weights.push_back(legal(row, col) ? 0.75 : 0);
  }
  draw_heat_map(svg, area, map, colour);
  draw_grid(svg, area, rows, cols, "muted thin");
}

void draw_mask(Svg& svg, Point corner, const std::string& name, const Words& rows,
               const Words& cols, const Legal& legal, const char* colour) {
  constexpr double kCell = 30;
  const int m = static_cast<int>(rows.size()), n = static_cast<int>(cols.size());
  draw_text(svg, {corner.x, corner.y - 88}, name, text("bold middle ", colour));
  const Rect area{corner.x - n * kCell / 2 + 30, corner.y, n * kCell, m * kCell};
  draw_cells(svg, area, m, n, legal, colour);
  for (int i = 0; i < m; ++i) {
    draw_text(svg, {area.x - 8, area.y + (i + 0.5) * kCell + 5}, rows[i], "small end");
  }
  for (int j = 0; j < n; ++j) {
    draw_turned_text(svg, {area.x + (j + 0.5) * kCell + 4, area.y - 8}, 45, cols[j], "small");
  }
}

// The blocks of a packed batch: only pairs of tokens of the same sentence have a score at all.
void draw_packed(Svg& svg, Point corner, const std::vector<int>& queries,
                 const std::vector<int>& keys, const Legal& legal, const char* colour) {
  constexpr double kCell = 13;
  int m = 0, n = 0;
  for (const int length : queries) m += length;
  for (const int length : keys) n += length;
  const Rect whole{corner.x - n * kCell / 2 + 30, corner.y, n * kCell, m * kCell};
  draw_rect(svg, whole, "line muted thin fine");
  double x = whole.x, y = whole.y;
  for (std::size_t b = 0; b < queries.size(); ++b) {
    const Rect block{x, y, keys[b] * kCell, queries[b] * kCell};
    draw_cells(svg, block, queries[b], keys[b], legal, colour);
    draw_text(svg, {whole.x - 8, block.centre() + 5}, text("sentence ", b + 1), "small end");
    x = block.right();
    y = block.bottom();
  }
}

}  // namespace

Svg masks() {
  Svg svg{880, 666, "Masks: who may look at whom",
          "Three squares of cells, a row for each token that asks and a column for each that "
          "answers. In the encoder every token may look at every token. In the decoder a token may "
          "look at itself and at those before it: the cells on and below the diagonal. In "
          "encoder-decoder attention every target token may look at every source token. Below, the "
          "same for a packed batch of three sentences: blocks along the diagonal, and no "
          "score outside them.",
          ""};
  const double x[] = {150, 440, 730};
  draw_mask(svg, {x[0], 128}, "Encoder: no mask", kSource, kSource, everything, "blue");
  draw_mask(svg, {x[1], 128}, "Decoder: causal mask", kTarget, kTarget, causal, "orange");
  draw_mask(svg, {x[2], 128}, "Encoder–decoder: no mask", kTarget, kSource, everything, "green");
  draw_text(svg, {30, 342},
            "Row: the token that asks. Column: the token that answers. Filled: it may look there.",
            "muted");

  draw_text(svg, {30, 394}, "A packed batch of three sentences", "bold");
  draw_text(svg, {330, 394}, "sources of 6, 3 and 5 tokens, targets of 6, 4 and 4", "muted");
  const std::vector<int> source{6, 3, 5}, target{6, 4, 4};
  draw_packed(svg, {x[0], 416}, source, source, everything, "blue");
  draw_packed(svg, {x[1], 416}, target, target, causal, "orange");
  draw_packed(svg, {x[2], 416}, target, source, everything, "green");
  draw_text(svg, {30, 638},
            "Each head computes only the blocks. Between two sentences there is never a score, so "
            "none needs a mask.",
            "muted");
  return svg;
}

}  // namespace attn::walkthrough
