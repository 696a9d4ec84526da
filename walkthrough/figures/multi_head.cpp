// Multi-head attention as blocks in proportion: which columns of W^Q and which rows of W^O belong
// to which head. The sizes are those of data/phrasebook: d_model = 64, h = 4, d_k = d_v = 16.
#include "figures.h"

namespace attn::walkthrough {

namespace {

constexpr int kHeads = 4;
const char* const kColours[kHeads] = {"blue", "orange", "green", "purple"};
constexpr double kModel = 60, kRows = 34;  // d_model, and m or n, in pixels

// A matrix of a single colour.
void draw_plain(Svg& svg, const Rect& area, const char* colour) {
  draw_rect(svg, area, text("box ", colour));
}

// The heads side by side: each has some columns.
void draw_columns(Svg& svg, const Rect& area) {
  const double width = area.width / kHeads;
  for (int i = 0; i < kHeads; ++i) {
    draw_plain(svg, {area.x + i * width, area.y, width, area.height}, kColours[i]);
  }
}

// One head below the other: each has some rows.
void draw_bands(Svg& svg, const Rect& area) {
  const double height = area.height / kHeads;
  for (int i = 0; i < kHeads; ++i) {
    draw_plain(svg, {area.x, area.y + i * height, area.width, height}, kColours[i]);
  }
}

void caption(Svg& svg, const Rect& area, const std::string& name, const std::string& shape) {
  draw_text(svg, {area.middle(), area.bottom() + 18}, name, "bold middle small");
  if (!shape.empty()) {
    draw_text(svg, {area.middle(), area.bottom() + 35}, shape, "mono muted middle");
  }
}

void sign(Svg& svg, double x, double y, const char* what) {
  draw_text(svg, {x, y + 6}, what, "large middle");
}

// input · W = made: the projection of all heads at once.
void draw_projection(Svg& svg, double x, const std::string& input, const std::string& rows,
                     const std::string& name) {
  constexpr double kMiddle = 100;
  const Rect in{x, kMiddle - kRows / 2, kModel, kRows};
  const Rect W{in.right() + 22, kMiddle - kModel / 2, kModel, kModel};
  const Rect out{W.right() + 28, kMiddle - kRows / 2, kModel, kRows};
  draw_plain(svg, in, "muted");
  sign(svg, in.right() + 11, kMiddle, "·");
  draw_columns(svg, W);
  sign(svg, W.right() + 14, kMiddle, "=");
  draw_columns(svg, out);
  caption(svg, in, input, "[" + rows + ", 64]");
  caption(svg, W, "W^{" + name + "}", "[64, 4·16]");
  caption(svg, out, name, "[" + rows + ", 4·16]");
}

// One head, larger: Q_2 K_2ᵀ → P_2, times V_2.
void draw_head(Svg& svg) {
  constexpr double kScale = 2.5, kMiddle = 276;
  constexpr double kThin = kScale * kModel / kHeads, kLong = kScale * kRows;
  const Rect Q{40, kMiddle - kLong / 2, kThin, kLong};
  const Rect K{Q.right() + 26, kMiddle - kThin / 2, kLong, kThin};
  const Rect P{K.right() + 190, kMiddle - kLong / 2, kLong, kLong};
  const Rect V{P.right() + 26, kMiddle - kLong / 2, kThin, kLong};
  const Rect O{V.right() + 44, kMiddle - kLong / 2, kThin, kLong};
  for (const Rect& area : {Q, K, P, V, O}) draw_plain(svg, area, kColours[1]);
  sign(svg, Q.right() + 13, kMiddle, "·");
  draw_arrow(svg, {{K.right() + 14, kMiddle}, {P.x - 14, kMiddle}}, "muted");
  draw_text(svg, {(K.right() + P.x) / 2, kMiddle - 12}, "÷ √16, softmax of rows",
            "small muted middle");
  sign(svg, P.right() + 13, kMiddle, "·");
  sign(svg, V.right() + 22, kMiddle, "=");
  caption(svg, Q, "Q_{2}", "[m, 16]");
  caption(svg, {K.x, Q.y, K.width, Q.height}, "K_{2}^{T}", "[16, n]");
  caption(svg, P, "P_{2}", "[m, n]");
  caption(svg, V, "V_{2}", "[n, 16]");
  caption(svg, O, "head_{2}", "[m, 16]");
  draw_text(svg, {O.right() + 40, kMiddle - 14}, "Heads 1, 3 and 4 do the", "small muted");
  draw_text(svg, {O.right() + 40, kMiddle + 5}, "same with their own columns;", "small muted");
  draw_text(svg, {O.right() + 40, kMiddle + 24}, "none waits for another.", "small muted");
}

// Concat · W^O as a whole, and as the sum over the heads that it is.
void draw_output(Svg& svg) {
  constexpr double kMiddle = 452;
  const Rect concat{40, kMiddle - kRows / 2, kModel, kRows};
  const Rect W{concat.right() + 20, kMiddle - kModel / 2, kModel, kModel};
  draw_columns(svg, concat);
  sign(svg, concat.right() + 10, kMiddle, "·");
  draw_bands(svg, W);
  sign(svg, W.right() + 16, kMiddle, "=");
  caption(svg, concat, "Concat", "[m, 4·16]");
  caption(svg, W, "W^{O}", "[4·16, 64]");
  double x = W.right() + 34;
  constexpr double kThin = kModel / kHeads;
  for (int i = 0; i < kHeads; ++i) {
    const Rect head{x, kMiddle - kRows / 2, kThin, kRows};
    const Rect band{head.right() + 12, kMiddle - kThin / 2, kModel, kThin};
    draw_plain(svg, head, kColours[i]);
    sign(svg, head.right() + 6, kMiddle, "·");
    draw_plain(svg, band, kColours[i]);
    sign(svg, band.right() + 13, kMiddle, i + 1 < kHeads ? "+" : "=");
    draw_text(svg, {(head.x + band.right()) / 2, concat.bottom() + 18},
              text("head_{", i + 1, "} W^{O}_{", i + 1, "}"), text("small middle ", kColours[i]));
    x = band.right() + 26;
  }
  const Rect y{x + 2, kMiddle - kRows / 2, kModel, kRows};
  draw_plain(svg, y, "muted");
  caption(svg, y, "y", "[m, 64]");
}

}  // namespace

Svg multi_head_blocks() {
  Svg svg{880, 536, "Multi-head attention as blocks",
          "Three rows. First: x times W^Q is Q, memory times W^K is K, memory times W^V is V; each "
          "W has a block of columns in the colour of each head, and so has the product. Second: "
          "one head, Q times K transposed, softmax, times V. Third: the heads side by side times "
          "W^O, whose rows are cut into one band for each head, is a sum of four thin products.",
          ""};
  draw_text(svg, {20, 36}, "1. Project for all heads at once", "bold");
  draw_projection(svg, 30, "x", "m", "Q");
  draw_projection(svg, 322, "memory", "n", "K");
  draw_projection(svg, 614, "memory", "n", "V");
  draw_text(svg, {20, 206}, "2. Each head attends with its own columns: here head 2, drawn larger",
            "bold");
  draw_head(svg);
  draw_text(svg, {20, 394}, "3. Mix: the columns of Concat meet the rows of W^{O}", "bold");
  draw_output(svg);
  return svg;
}

}  // namespace attn::walkthrough
