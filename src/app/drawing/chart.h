// Charts: scales from values to pixels, axes with ticks, curves, bars and heat maps.
#pragma once

#include <string>
#include <vector>

#include "app/drawing/svg.h"
#include "tensor/tensor.h"

namespace attn {

// From values to pixels along an axis: `low` is at pixel `from`, `high` at pixel `to`.
struct Scale {
  double low = 0, high = 1;
  double from = 0, to = 1;
  bool logarithmic = false;

  double operator()(double value) const;
};

struct Axes {
  Scale x, y;
  // The frame's area in pixels.
  Rect area() const;
  Point operator()(double x_value, double y_value) const { return {x(x_value), y(y_value)}; }
};

// Axes over an area of the picture: x from left to right, y from the bottom up.
Axes make_axes(const Rect& area, double x_low, double x_high, double y_low, double y_high);

struct Tick {
  double value;
  std::string label;
};
// Labels are the numbers themselves.
std::vector<Tick> ticks(const std::vector<double>& values, int digits = 2);
// About five round values from low to high > low, apart by 1, 2 or 5 times a power of ten.
std::vector<double> round_values(double low, double high);
// 10^low, …, 10^high, written as powers.
std::vector<Tick> powers_of_ten(int low, int high);

// Ticks and titles of both axes, y's title above its axis. Faint lines cross at each tick of y.
struct AxesText {
  std::vector<Tick> x, y;
  std::string x_title, y_title;
};
void draw_axes(Svg& svg, const Axes& axes, const AxesText& words);

// Points in values. Those with an infinite or missing (NaN) y break the curve.
void draw_curve(Svg& svg, const Axes& axes, const std::vector<Point>& values,
                std::string_view classes);

// A matrix: the larger a weight, clamped to 0 … 1, the darker its cell (on dark pages, the
// brighter). Neighbours in a row with the same of 32 levels are one shape, for small files.
struct HeatMap {
  int rows = 0, cols = 0;
  std::vector<double> weights;  // [rows, cols]
};
inline HeatMap heat_map(const Tensor& x) {
  return {
      static_cast<int>(x.rows()), static_cast<int>(x.cols()), {x.data(), x.data() + x.elements()}};
}
void draw_heat_map(Svg& svg, const Rect& area, const HeatMap& map, std::string_view classes);

}  // namespace attn
