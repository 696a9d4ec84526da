// Chapter 3.1: where the norm is, what its mean is taken over, and what its backward pass removes.
#include <cmath>
#include <functional>

#include "figures.h"
#include "layers/layer_norm.h"
#include "support/random_tensors.h"

namespace attn::walkthrough {

namespace {

// A stack's main path from bottom to top, with sub-layers on branches to its right; y grows
// downwards.
struct Stack {
  Svg& svg;
  double x;  // of the main path

  double branch() const { return x + 190; }
  void box_at(double x_middle, double y, const std::string& name, const char* colour) const {
    const Rect rect{x_middle - 66, y - 20, 132, 40};
    draw_rect(svg, rect, "paper area", 6);
    draw_box(svg, rect, {name}, colour);
  }
  void divides(double y, const std::string& words) const {
    draw_text(svg, {x - 76, y + 5}, words, "end orange");
  }
  // Forward on the right, the gradient on the left.
  void main_path(double bottom, double top) const {
    draw_arrow(svg, {{x, bottom}, {x, top}}, "line blue");
    draw_arrow(svg, {{x - 26, top}, {x - 26, bottom}}, "line orange thick");
  }
  // From the main path at `bottom` through the boxes into the sum at `sum`.
  void way_through(double bottom, double sum) const {
    draw_arrow(svg, {{x, bottom}, {branch(), bottom}, {branch(), sum}, {x + 14, sum}}, "blue thin");
  }
};

constexpr double kBottom = 560, kUnit = 200;

void draw_post(Svg& svg) {
  const Stack at{svg, 150};
  draw_text(svg, {30, 36}, "Post-norm: the paper", "large bold");
  draw_text(svg, {30, 58}, "LayerNorm(x + Sublayer(x))", "mono muted");
  at.main_path(kBottom, 100);
  const char* const names[] = {"self-attention", "feed-forward"};
  for (int i = 0; i < 2; ++i) {
    const double y = kBottom - 36 - kUnit * i;
    at.way_through(y, y - 96);
    at.box_at(at.branch(), y - 48, names[i], i == 0 ? "orange" : "blue");
    draw_operation(svg, {at.x, y - 96}, "+");
    at.box_at(at.x, y - 142, "norm", "purple");
    at.divides(y - 142, "÷ σ");
  }
}

void draw_pre(Svg& svg) {
  const Stack at{svg, 580};
  draw_text(svg, {470, 36}, "Pre-norm", "large bold");
  draw_text(svg, {470, 58}, "x + Sublayer(LayerNorm(x))", "mono muted");
  at.main_path(kBottom, 76);
  const char* const names[] = {"self-attention", "feed-forward"};
  for (int i = 0; i < 2; ++i) {
    const double y = kBottom - 26 - kUnit * i;
    at.way_through(y, y - 150);
    at.box_at(at.branch(), y - 36, "norm", "purple");
    at.box_at(at.branch(), y - 100, names[i], i == 0 ? "orange" : "blue");
    draw_operation(svg, {at.x, y - 150}, "+");
  }
  at.box_at(at.x, 122, "final norm", "purple");
  at.divides(122, "÷ σ");
  draw_text(svg, {at.x + 80, 118}, "once, at the end", "small muted");
  draw_text(svg, {at.x + 80, 136}, "of the whole stack", "small muted");
}

// Numbers in cells, some of them filled.
struct Grid {
  Svg& svg;
  Point corner;
  double width;

  static constexpr double kRow = 34;
  void draw(const Tensor& x, int digits, Index row, Index col, const char* colour) const {
    const int rows = static_cast<int>(x.rows()), cols = static_cast<int>(x.cols());
    HeatMap map{rows, cols, {}};
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j) map.weights.push_back(i == row || j == col ? 0.3 : 0);
    }
    const Rect area{corner.x, corner.y, cols * width, rows * kRow};
    draw_heat_map(svg, area, map, colour);
    draw_grid(svg, area, rows, cols, "muted thin");
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j) {
        draw_text(svg, {area.x + (static_cast<double>(j) + 0.5) * width, row_y(i)},
                  with_minus(fixed_number(static_cast<double>(x(i, j)), digits)), "middle");
      }
    }
  }
  double row_y(Index i) const { return corner.y + kRow * static_cast<double>(i) + 22; }
  double column_x(Index j) const { return corner.x + width * (static_cast<double>(j) + 0.5); }
};

double mean_of(const Real* x, Index n) {
  double sum = 0;
  for (Index j = 0; j < n; ++j) sum += static_cast<double>(x[j]);
  return sum / static_cast<double>(n);
}

std::string statistics(double mean, double deviation) {
  return text("μ = ", short_number(mean), ",  σ = ", short_number(deviation, 3));
}

}  // namespace

Svg norm_placement() {
  Svg svg{880, 606, "Post-norm and pre-norm: the wiring, and the gradient's way",
          "Two stacks of two sub-layers, from the bottom up. The main path is straight, with the "
          "sub-layers on branches that end in a sum. Post-norm: after each sum there is a norm on "
          "the main path, so the gradient on its way down is divided by σ twice. Pre-norm: the "
          "norms are on the branches, before the sub-layers, and only one final norm is on the "
          "main path.",
          ""};
  draw_post(svg);
  draw_pre(svg);
  draw_sample(svg, {30, 586}, 32, "blue", "forward", "small blue");
  draw_sample(svg, {150, 586}, 32, "orange thick",
              "the gradient's way around the sub-layers (it also comes back through them)",
              "small orange");
  return svg;
}

Svg layer_and_batch_norm() {
  Svg svg{880, 330, "Layer norm along a row, batch norm along a column",
          "Two words, (1, 0, 0, 0) and (5, 2, 2, 2). Layer norm takes the mean and the standard "
          "deviation of each row, and gives (1.73, −0.58, −0.58, −0.58) for both words. Batch norm "
          "takes them of each column, and gives −1 everywhere for the first word and 1 for the "
          "second.",
          ""};
  const Tensor x = test::tensor_of({2, 4}, {1, 0, 0, 0, 5, 2, 2, 2});
  const Pass pass{DropoutMasks()};
  LayerNorm::Cache rows, columns;
  const Tensor by_rows = LayerNorm(4).forward(x, pass, rows);
  // Batch norm is layer norm of the transposed matrix, where γ = 1 and β = 0.
  const Tensor x_T = test::transposed_copy(x);
  const Tensor by_columns = test::transposed_copy(LayerNorm(2).forward(x_T, pass, columns));
  for (const bool layer : {true, false}) {
    const double y = layer ? 56 : 206;
    const char* const colour = layer ? "blue" : "orange";
    const Grid in{svg, {200, y}, 58}, out{svg, {616, y}, 58};
    draw_text(svg, {24, y + 16}, layer ? "Layer norm" : "Batch norm", text("bold ", colour));
    draw_text(svg, {24, y + 38}, layer ? "along a row" : "along a column", text("small ", colour));
    for (Index i = 0; i < 2; ++i) {
      draw_text(svg, {190, in.row_y(i)}, text("word ", i + 1), "end small muted");
    }
    in.draw(x, 0, layer ? 0 : -1, layer ? -1 : 0, colour);
    draw_arrow(svg, {{578, y + 34}, {608, y + 34}}, colour);
    out.draw(layer ? by_rows : by_columns, 2, layer ? 0 : -1, layer ? -1 : 0, colour);
    if (layer) {
      for (Index i = 0; i < 2; ++i) {
        draw_text(svg, {442, in.row_y(i)},
                  statistics(mean_of(x.row(i), 4), 1 / static_cast<double>(rows.inv_std[i])),
                  "small blue");
      }
      continue;
    }
    for (Index j = 0; j < 4; ++j) {
      const double deviation = 1 / static_cast<double>(columns.inv_std[j]);
      draw_text(svg, {in.column_x(j), y + 92}, text("μ = ", short_number(mean_of(x_T.row(j), 2))),
                "small middle orange");
      draw_text(svg, {in.column_x(j), y + 112}, text("σ = ", short_number(deviation)),
                "small middle orange");
    }
  }
  for (const char* const name : {"four features of each word", "normalised"}) {
    draw_text(svg, {name[0] == 'f' ? 316.0 : 732.0, 34}, name, "small middle muted");
  }
  return svg;
}

Svg layer_norm_gradient() {
  const Tensor x = test::tensor_of({1, 3}, {0, 1, 2}), g = test::tensor_of({1, 3}, {1, -1, 3});
  LayerNorm norm(3);
  norm.gamma.gradient = norm.beta.gradient = Tensor::zeros({3});
  const Pass pass{DropoutMasks()};
  LayerNorm::Cache cache;
  norm.forward(x, pass, cache);
  const Tensor dx = norm.backward(g, cache);
  const auto at = [](const Tensor& row, Index j) { return static_cast<double>(row[j]); };
  double mean_g = 0, mean_g_x = 0;
  for (Index j = 0; j < 3; ++j) {
    mean_g += at(g, j) / 3;
    mean_g_x += at(g, j) * at(cache.x_hat, j) / 3;
  }
  const double sigma = 1 / at(cache.inv_std, 0);
  std::vector<double> rest;
  double length = 0;
  for (Index j = 0; j < 3; ++j) {
    rest.push_back(at(g, j) - mean_g - at(cache.x_hat, j) * mean_g_x);
    length += rest.back() * rest.back();
  }

  // Both directions of the plane have the length √3; the third axis is up.
  const double along_ones = mean_g * std::sqrt(3), along_x_hat = mean_g_x * std::sqrt(3);
  const double up = std::sqrt(length);
  const auto project = [](double a, double b, double c) {
    return Point{110 + 76 * a + 56 * b, 310 - 48 * b - 80 * c};
  };
  Svg svg{880, 384, "Layer norm's backward pass as a projection",
          "Left, a plane spanned by (1, 1, 1) and x̂, with the vector g pointing out of it. g is "
          "the sum of its shadow in the plane and of a vector at a right angle to the plane. dx "
          "points along that vector. Right, the same in numbers.",
          ""};
  std::vector<Point> plane;
  for (const Point corner : {Point{-0.7, -0.8}, Point{3.3, -0.8}, Point{3.3, 2.1}, Point{-0.7, 2.1},
                             Point{-0.7, -0.8}}) {
    plane.push_back(project(corner.x, corner.y, 0));
  }
  draw_polyline(svg, plane, "muted");
  const Point origin = project(0, 0, 0), shadow = project(along_ones, along_x_hat, 0);
  const Point tip = project(along_ones, along_x_hat, up);
  draw_polyline(svg, {project(along_ones, 0, 0), shadow, project(0, along_x_hat, 0)},
                "muted thin dashed");
  draw_arrow(svg, {origin, project(2.7, 0, 0)}, "muted");
  draw_arrow(svg, {origin, project(0, 1.95, 0)}, "muted");
  draw_text(svg, {project(2.7, 0, 0).x - 24, origin.y + 20}, "(1, 1, 1)", "muted small middle");
  draw_text(svg, {project(0, 1.95, 0).x + 6, project(0, 1.95, 0).y + 12}, "x̂", "muted small");
  draw_arrow(svg, {origin, shadow}, "purple");
  draw_text(svg, {shadow.x + 10, shadow.y + 14}, "shadow", "small purple");
  draw_line(svg, shadow, tip, "muted dashed");
  draw_arrow(svg, {origin, tip}, "blue thick");
  draw_text(svg, {tip.x + 8, tip.y + 2}, "g", "bold blue");
  draw_arrow(svg, {origin, project(0, 0, up / sigma)}, "orange thick");
  draw_text(svg, {origin.x - 12, project(0, 0, up / sigma).y + 12}, "dx", "bold orange end");
  draw_line(svg, {origin.x - 6, project(0, 0, up).y}, {origin.x + 6, project(0, 0, up).y},
            "orange");
  draw_text(svg, {origin.x - 12, project(0, 0, up).y + 5}, "rest", "small orange end");

  constexpr double kLeft = 500;
  draw_text(svg, {kLeft, 46}, text("x = (0, 1, 2),  σ = ", fixed_number(sigma, 2)), "muted");
  const auto row = [&](double y, const std::string& name, const std::function<double(Index)>& value,
                       const char* colour) {
    draw_text(svg, {kLeft, y}, name, colour);
    for (Index j = 0; j < 3; ++j) {
      draw_text(svg, {722 + 60.0 * static_cast<double>(j), y},
                with_minus(fixed_number(value(j), 2)), text("end ", colour));
    }
  };
  row(
      74, "x̂", [&](Index j) { return at(cache.x_hat, j); }, "muted");
  row(
      116, "g", [&](Index j) { return at(g, j); }, "blue bold");
  row(
      152, "− mean(g)", [&](Index) { return -mean_g; }, "purple");
  row(
      182, "− x̂ mean(g ⊙ x̂)", [&](Index j) { return -at(cache.x_hat, j) * mean_g_x; }, "purple");
  draw_line(svg, {kLeft, 196}, {846, 196}, "muted");
  row(
      220, "rest", [&](Index j) { return rest[j]; }, "orange");
  row(
      264, "dx = rest/σ", [&](Index j) { return at(dx, j); }, "orange bold");
  draw_text(svg, {kLeft, 312}, "The rest has sum 0 and is at a right angle to x̂:", "small muted");
  draw_text(svg, {kLeft, 332}, "to first order, a step along it changes", "small muted");
  draw_text(svg, {kLeft, 352}, "neither mean nor size.", "small muted");
  return svg;
}

}  // namespace attn::walkthrough
