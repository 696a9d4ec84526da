// What √d_k does to the softmax: random queries and keys, with the division and without.
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/random.h"
#include "figures.h"

namespace attn::walkthrough {

namespace {

constexpr int kKeys = 8, kDraws = 1000;

struct Weights {
  std::vector<double> sorted = std::vector<double>(kKeys);  // the mean of the largest, the second …
  double slope = 0;  // the mean of p (1 − p) for the largest
};

// The weights that softmax gives 8 keys for one query, all of d_k independent normal numbers.
Weights random_weights(int d_k, double scale) {
  Weights mean;
  const RandomStream random{1, static_cast<std::uint64_t>(d_k)};
  std::uint64_t next = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<double> query(static_cast<std::size_t>(d_k)), p(kKeys);
    for (double& q : query) q = random.normal(next++);
    for (double& score : p) {
      for (const double q : query) score += scale * q * random.normal(next++);
    }
    std::sort(p.begin(), p.end(), std::greater<>());
    double sum = 0;
    const double largest = p[0];
    for (double& score : p) sum += score = std::exp(score - largest);
    for (std::size_t i = 0; i < p.size(); ++i) mean.sorted[i] += p[i] / sum / kDraws;
    mean.slope += p[0] / sum * (1 - p[0] / sum) / kDraws;
  }
  return mean;
}

void draw_panel(Svg& svg, const Rect& area, int d_k, bool scaled, bool first) {
  const char* const colour = scaled ? "blue" : "orange";
  const Weights weights = random_weights(d_k, scaled ? 1 / std::sqrt(d_k) : 1);
  const Axes axes = make_axes(area, 0.4, kKeys + 0.6, 0, 1);
  std::vector<Tick> y = ticks({0, 0.5, 1});
  if (!first) {
    for (Tick& tick : y) tick.label.clear();
  }
  draw_axes(svg, axes, {ticks({1, 2, 3, 4, 5, 6, 7, 8}), y, "", ""});
  for (int i = 0; i < kKeys; ++i) {
    draw_bar(svg, axes, i + 0.65, i + 1.35, 0, weights.sorted[static_cast<std::size_t>(i)], colour);
  }
  draw_text(svg, {area.right(), area.y + 24}, text("largest ", fixed_number(weights.sorted[0], 2)),
            text("bold small end halo ", colour));
  draw_text(svg, {area.right(), area.y + 42}, text("slope ", fixed_number(weights.slope, 3)),
            text("small end halo ", colour));
}

}  // namespace

Svg softmax_scaling() {
  Svg svg{880, 540, "What dividing by the root of d_k does to the softmax",
          "Six bar charts of the mean attention weights of eight random keys, from the largest to "
          "the smallest, for d_k = 4, 64 and 512. Without the division the largest weight grows "
          "with d_k towards 1 and its slope towards 0. With the division the three charts look "
          "alike.",
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
            "Mean weights of 8 keys, the largest first, over 1000 random queries and keys with "
            "components of mean 0 and variance 1.",
            "small muted");
  draw_text(svg, {60, 512}, "Slope: p (1 − p), the derivative of the largest weight by its score.",
            "small muted");
  return svg;
}

}  // namespace attn::walkthrough
