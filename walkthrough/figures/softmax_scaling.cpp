// What √d_k does to the softmax: random queries and keys, with the division and without.
#include "figures.h"
#include "random_queries.h"

namespace attn::walkthrough {

namespace {

void draw_panel(Svg& svg, const Rect& area, int d_k, bool scaled, bool first) {
  const char* const colour = scaled ? "blue" : "orange";
  const RandomQueries random = random_queries(d_k, scaled);
  const Axes axes = make_axes(area, 0.4, kRandomKeys + 0.6, 0, 1);
  std::vector<Tick> y = ticks({0, 0.5, 1});
  if (!first) {
    for (Tick& tick : y) tick.label.clear();
  }
  draw_axes(svg, axes, {ticks({1, 2, 3, 4, 5, 6, 7, 8}), y, "", ""});
  for (int i = 0; i < kRandomKeys; ++i) {
    draw_bar(svg, axes, i + 0.65, i + 1.35, 0, random.weights[i], colour);
  }
  draw_text(svg, {area.right(), area.y + 24}, text("largest ", fixed_number(random.weights[0], 2)),
            text("bold small end halo ", colour));
}

}  // namespace

Svg softmax_scaling() {
  Svg svg{880, 520, "What dividing by the root of d_k does to the softmax",
          "Six bar charts of the mean attention weights of eight random keys, from the largest to "
          "the smallest, for d_k = 4, 64 and 512. Without the division the largest weight grows "
          "with d_k towards 1. With the division the three charts look alike.",
          ""};
  const int sizes[] = {4, 64, 512};
  for (int i = 0; i < 3; ++i) {
    const double x = 60 + 278.0 * i;
    draw_text(svg, {x + 120, 36}, text("d_{k} = ", sizes[i]), "bold large middle");
    draw_panel(svg, {x, 88, 240, 130}, sizes[i], false, i == 0);
    draw_panel(svg, {x, 318, 240, 130}, sizes[i], true, i == 0);
  }
  draw_text(svg, {60, 68}, "softmax(q·k): without the division", "orange bold");
  draw_text(svg, {60, 298}, "softmax(q·k/√d_{k}): with it", "blue bold");
  draw_text(svg, {60, 492},
            "Mean weights of 8 keys, the largest first, over 2000 random queries and keys with "
            "components of mean 0 and variance 1.",
            "small muted");
  return svg;
}

}  // namespace attn::walkthrough
