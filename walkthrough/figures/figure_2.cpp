// Figure 2 of the paper: scaled dot-product attention, and several of them side by side.
#include "figures.h"

namespace attn::walkthrough {

namespace {

constexpr double kHeight = 44;

void up(Svg& svg, double x, double from, double to) {
  draw_arrow(svg, {{x, from}, {x, to}}, "muted");
}

// A box with two more behind it: one for each head.
void draw_stack(Svg& svg, const Rect& rect, const std::vector<std::string>& lines,
                const char* colour) {
  for (const double back : {12.0, 6.0, 0.0}) {
    const Rect moved{rect.x + back, rect.y - back, rect.width, rect.height};
    draw_rect(svg, moved, "paper area", 6);
    draw_box(svg, moved, back > 0 ? std::vector<std::string>{} : lines, colour);
  }
}

// Left: one head, from Q, K and V at the bottom to O.
void draw_one(Svg& svg) {
  const double middle = 150;
  const auto box = [&](double bottom, double width = 200) {
    return Rect{middle - 100, bottom - kHeight, width, kHeight};
  };
  draw_text(svg, {30, 40}, "Scaled dot-product attention", "large bold");
  draw_text(svg, {30, 62}, "layers/attention.cpp", "mono muted");

  draw_text(svg, {105, 612}, "Q [m, d_{k}]", "middle small");
  draw_text(svg, {200, 612}, "K [n, d_{k}]", "middle small");
  draw_text(svg, {366, 612}, "V [n, d_{v}]", "middle small");
  up(svg, 105, 594, 564);
  up(svg, 200, 594, 564);
  draw_box(svg, box(564), {"Q K^{T}", "matmul(Q, transposed(K))"}, "blue");
  up(svg, middle, 520, 456);
  draw_text(svg, {164, 500}, "S [m, n]", "small");

  // The code does these three in one go.
  draw_rect(svg, {34, 260, 232, 208}, "line muted thin dashed", 10);
  draw_text(svg, {276, 358}, "one call:", "small muted");
  draw_text(svg, {276, 376}, "softmax", "mono muted");
  draw_box(svg, box(456), {"Scale: ÷ √d_{k}", "score_scale"}, "orange");
  up(svg, middle, 412, 388);
  draw_box(svg, box(388), {"Mask (optional)", "Mask::causal"}, "orange");
  up(svg, middle, 344, 320);
  draw_box(svg, box(320), {"Softmax", "each row adds up to 1"}, "orange");
  up(svg, middle, 276, 204);
  draw_text(svg, {164, 234}, "P [m, n]", "small");

  up(svg, 366, 594, 204);
  draw_box(svg, box(204, 356), {"P V", "matmul(P, V)"}, "blue");
  up(svg, 228, 160, 112);
  draw_text(svg, {242, 138}, "O [m, d_{v}]", "small");
  draw_text(svg, {228, 100}, "each row: a weighted mean of V's rows", "middle small muted");
}

// Right: h heads, from what the queries, keys and values are made of to the layer's output.
void draw_many(Svg& svg) {
  const double left = 470, width = 350, middle = left + width / 2;
  draw_text(svg, {left, 40}, "Multi-head attention", "large bold");
  draw_text(svg, {left, 62}, "layers/multi_head_attention.cpp", "mono muted");
  const char* const names[] = {"query", "key", "value"};
  const char* const weights[] = {"W^{Q}", "W^{K}", "W^{V}"};
  const char* const inputs[] = {"x [m, d_{model}]", "memory [n, d_{model}]"};
  const char* const made[] = {"Q_{i} [m, d_{k}]", "K_{i} [n, d_{k}]", "V_{i} [n, d_{v}]"};
  for (int i = 0; i < 3; ++i) {
    const double x = left + 50 + 125 * i;
    draw_stack(svg, {x - 50, 474, 100, kHeight}, {weights[i], names[i]}, "purple");
    up(svg, x, 462, 380);
    draw_text(svg, {x + 10, 436}, made[i], "small");
  }
  up(svg, left + 50, 594, 518);
  draw_polyline(svg, {{left + 237.5, 594}, {left + 237.5, 560}}, "muted");
  draw_line(svg, {left + 175, 560}, {left + 300, 560}, "muted");
  up(svg, left + 175, 560, 518);
  up(svg, left + 300, 560, 518);
  draw_text(svg, {left + 50, 612}, inputs[0], "middle small");
  draw_text(svg, {left + 237.5, 612}, inputs[1], "middle small");
  draw_text(svg, {left, 640}, "In self-attention, memory is x.", "small muted");

  draw_stack(svg, {left, 336, width, kHeight},
             {"Scaled dot-product attention", "attention_forward"}, "orange");
  draw_text(svg, {left + width + 18, 350}, "h", "italic large");
  draw_text(svg, {left + width + 18, 368}, "times", "small");
  up(svg, middle, 324, 262);
  draw_text(svg, {middle + 14, 298}, "head_{i} [m, d_{v}]", "small");
  draw_box(svg, {left, 218, width, kHeight}, {"Concat", "the heads' columns side by side"},
           "muted");
  up(svg, middle, 218, 180);
  draw_text(svg, {middle + 14, 204}, "[m, h·d_{v}]", "small");
  draw_box(svg, {left, 136, width, kHeight}, {"W^{O}", "output"}, "purple");
  up(svg, middle, 136, 94);
  draw_text(svg, {middle + 14, 118}, "y [m, d_{model}]", "small");
}

}  // namespace

Svg figure_2() {
  Svg svg{
      880, 660, "Attention: the paper's Figure 2 with names and shapes of the code",
      "Left, scaled dot-product attention, from the bottom up: Q times K transposed, the scale, "
      "an optional mask, the softmax, and the product of the weights P with V. Right, "
      "multi-head attention: h sets of the projections W^Q, W^K and W^V, each followed by "
      "scaled dot-product attention; the heads' outputs side by side; and the projection W^O.",
      ""};
  draw_one(svg);
  draw_many(svg);
  return svg;
}

}  // namespace attn::walkthrough
