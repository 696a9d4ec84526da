// What √d_k does to the gradient of a query.
#include "figures.h"
#include "random_queries.h"

namespace attn::walkthrough {

namespace {

void draw_line_of(Svg& svg, const Axes& axes, const std::vector<Point>& points,
                  const std::string& classes, const char* colour) {
  draw_curve(svg, axes, points, classes);
  for (const Point& p : points) draw_circle(svg, axes(p.x, p.y), 3, text("area ", colour));
}

// Mean and median of |dq| over d_k, for random vectors.
void draw_random(Svg& svg) {
  Axes axes = make_axes({80, 40, 740, 350}, 3, 700, 0.001, 3);
  axes.x.logarithmic = axes.y.logarithmic = true;
  draw_axes(svg, axes,
            {ticks({4, 16, 64, 256, 512}),
             {{0.001, "0.001"}, {0.01, "0.01"}, {0.1, "0.1"}, {1, "1"}},
             "d_{k}",
             "|dq|, the gradient that reaches a query"});
  for (const bool divided : {false, true}) {
    const char* const colour = divided ? "blue" : "orange";
    std::vector<Point> means, medians;
    for (int d_k = 4; d_k <= 512; d_k *= 2) {
      const RandomQueries found = random_queries(d_k, divided);
      means.push_back({static_cast<double>(d_k), found.mean});
      medians.push_back({static_cast<double>(d_k), found.median});
    }
    draw_line_of(svg, axes, means, text(colour, " dashed"), colour);
    draw_line_of(svg, axes, medians, text(colour, " thick"), colour);
  }
  draw_text(svg, axes(24, 1.35), "undivided, mean", "orange halo");
  draw_text(svg, axes(24, 0.045), "undivided, median", "orange bold halo");
  draw_text(svg, axes(5, 0.13), "divided, mean and median", "blue bold halo");
}

}  // namespace

Svg query_gradients() {
  Svg svg{880, 470, "What dividing by the root of d_k does to the gradient of a query",
          "A chart of the mean and the median gradient of random queries over d_k from 4 to 512. "
          "Divided, both stay near 0.3. Undivided, the mean is 0.5 to 1.1 and the median falls to "
          "a thousandth.",
          ""};
  draw_random(svg);
  draw_text(svg, {80, 458}, "2000 draws of a query and eight keys.", "small muted");
  return svg;
}

}  // namespace attn::walkthrough
