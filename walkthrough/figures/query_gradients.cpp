// What √d_k does to the gradient of a query, and to a model that learns.
#include "examples/random_queries.h"
#include "figures.h"
#include "table.h"

namespace attn::walkthrough {

namespace {

void draw_line_of(Svg& svg, const Axes& axes, const std::vector<Point>& points,
                  const std::string& classes, const char* colour) {
  draw_curve(svg, axes, points, classes);
  for (const Point& p : points) draw_circle(svg, axes(p.x, p.y), 3, text("area ", colour));
}

// Mean and median of |dq| over d_k, for random vectors.
void draw_random(Svg& svg) {
  Axes axes = make_axes({70, 84, 330, 280}, 3, 700, 0.001, 3);
  axes.x.logarithmic = axes.y.logarithmic = true;
  draw_text(svg, {70, 34}, "random queries and keys", "large bold");
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
  draw_text(svg, axes(11, 0.025), "undivided, median", "orange bold halo");
  draw_text(svg, axes(5, 0.13), "divided, mean and median", "blue bold halo");
}

struct Division {
  const char *name, *label, *classes, *colour;
};
constexpr Division kDivisions[] = {
    {"divided", "divided", "blue thick", "blue"},
    {"undivided", "undivided", "orange thick", "orange"},
    {"start-only", "only the start repaired", "purple dashed", "purple"},
    {"speed-only", "only the speed repaired", "green dashed", "green"},
};

// The share of a test that is right while models learn.
void draw_learning(Svg& svg, const Table& table) {
  const Axes axes = make_axes({500, 84, 350, 280}, 0, 1000, 0, 100);
  draw_text(svg, {500, 34}, "a Transformer that learns", "large bold");
  draw_axes(svg, axes,
            {ticks({0, 200, 400, 600, 800, 1000}), ticks({0, 25, 50, 75, 100}), "steps",
             "tokens right, %"});
  const auto row = table.where("row", "transformer/reverse/64").rows.at(0);
  int number = 0;
  for (const Division& division : kDivisions) {
    std::vector<Point> points;
    for (const int step : {25, 50, 100, 200, 400, 700, 1000}) {
      points.push_back(
          {static_cast<double>(step), number_in(row, text(division.name, "_right_", step))});
    }
    draw_line_of(svg, axes, points, division.classes, division.colour);
    const double x = number < 2 ? 500 : 660, y = 434 + 22.0 * (number % 2);
    ++number;
    draw_line(svg, {x, y}, {x + 28, y}, text("line ", division.classes));
    draw_text(svg, {x + 36, y + 5}, division.label, text("small ", division.colour));
  }
}

}  // namespace

Svg query_gradients(const std::string& measurements) {
  Svg svg{
      880, 480, "What dividing by the root of d_k does to the gradient of a query",
      "Two charts. Left, the mean and the median gradient of random queries over d_k from 4 to "
      "512. Divided, both stay near 0.3. Undivided, the mean is 0.5 to 1.1 and the median falls "
      "to a thousandth. Right, a small Transformer learns to reverse with d_k = 64: the divided "
      "model learns fastest, the one in which only the start is repaired follows; the "
      "undivided one, and the one in which only the speed is repaired, learn little.",
      ""};
  draw_text(svg, {70, 439}, "Left: 2000 draws of a query and eight keys.", "small muted");
  draw_text(svg, {70, 461}, "Right: reverse, d_{k} = 64, means of six seeds.", "small muted");
  draw_random(svg);
  draw_learning(svg, read_table(measurements, "scaling_summary"));
  return svg;
}

}  // namespace attn::walkthrough
