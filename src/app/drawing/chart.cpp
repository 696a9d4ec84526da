// A value v between low and high is at pixel from + (to − from) (v − low)/(high − low), or the same
// of their logarithms.
#include "app/drawing/chart.h"

#include <algorithm>
#include <cmath>

namespace attn {

double Scale::operator()(double value) const {
  const double share =
      logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return from + share * (to - from);
}

Rect Axes::area() const {
  return {x.from, y.to, x.to - x.from, y.from - y.to};
}

Axes make_axes(const Rect& area, double x_low, double x_high, double y_low, double y_high) {
  return {{x_low, x_high, area.x, area.right()}, {y_low, y_high, area.bottom(), area.y}};
}

std::vector<Tick> ticks(const std::vector<double>& values, int digits) {
  std::vector<Tick> result;
  for (const double value : values) {
    result.push_back({value, with_minus(short_number(value, digits))});
  }
  return result;
}

std::vector<double> round_values(double low, double high) {
  const double power = std::pow(10.0, std::floor(std::log10((high - low) / 4)));
  double step = power;
  for (const double factor : {2.0, 5.0, 10.0}) {
    if ((high - low) / step > 6) step = factor * power;
  }
  std::vector<double> values;
  for (double n = std::ceil(low / step); n * step <= high * (1 + 1e-9); ++n) {
    values.push_back(n * step);
  }
  return values;
}

std::vector<Tick> powers_of_ten(int low, int high) {
  std::vector<Tick> result;
  double value = std::pow(10.0, low);
  for (int power = low; power <= high; ++power, value *= 10) {
    const std::string sign = power < 0 ? "−" : "";
    result.push_back({value, text("10^{", sign, std::abs(power), "}")});
  }
  return result;
}

void draw_axes(Svg& svg, const Axes& axes, const AxesText& words) {
  const Rect area = axes.area();
  for (const Tick& tick : words.y) {
    const double y = axes.y(tick.value);
    draw_line(svg, {area.x, y}, {area.right(), y}, "grid thin");
    draw_text(svg, {area.x - 8, y + 5}, tick.label, "small muted end");
  }
  draw_line(svg, {area.x, area.bottom()}, {area.right(), area.bottom()}, "muted thin");
  for (const Tick& tick : words.x) {
    const double x = axes.x(tick.value);
    draw_line(svg, {x, area.bottom()}, {x, area.bottom() + 5}, "muted thin");
    draw_text(svg, {x, area.bottom() + 20}, tick.label, "small muted middle");
  }
  if (!words.x_title.empty()) {
    draw_text(svg, {area.middle(), area.bottom() + 42}, words.x_title, "middle");
  }
  if (!words.y_title.empty()) draw_text(svg, {area.x, area.y - 14}, words.y_title);
}

void draw_curve(Svg& svg, const Axes& axes, const std::vector<Point>& values,
                std::string_view classes) {
  std::vector<Point> piece;
  const auto finish = [&] {
    if (piece.size() > 1) draw_polyline(svg, piece, classes);
    piece.clear();
  };
  for (const Point& value : values) {
    if (std::isfinite(value.y)) {
      piece.push_back(axes(value.x, value.y));
    } else {
      finish();
    }
  }
  finish();
}

constexpr int kLevels = 32;

static int level_at(const HeatMap& map, int row, int col) {
  const Index place = Index{row} * map.cols + col;
  const double weight = map.weights[place];
  ATTN_CHECK(!std::isnan(weight), "a heat map's weight is not a number");
  return static_cast<int>(std::lround(std::clamp(weight, 0.0, 1.0) * kLevels));
}

void draw_heat_map(Svg& svg, const Rect& area, const HeatMap& map, std::string_view classes) {
  ATTN_CHECK_EQ(map.weights.size(), static_cast<std::size_t>(map.rows * map.cols),
                "a heat map's weights");
  std::string paths[kLevels + 1];
  for (int row = 0; row < map.rows; ++row) {
    for (int col = 0, end = 0; col < map.cols; col = end) {
      const int level = level_at(map, row, col);
      while (end < map.cols && level_at(map, row, end) == level) ++end;
      paths[level] += text("M", col, " ", row, "h", end - col, "v1h", col - end, "z");
    }
  }
  svg.body += text("<g class=\"cells ", classes, "\" transform=\"translate(", short_number(area.x),
                   " ", short_number(area.y), ") scale(", short_number(area.width / map.cols, 4),
                   " ", short_number(area.height / map.rows, 4), ")\">\n");
  for (int level = 1; level <= kLevels; ++level) {
    if (paths[level].empty()) continue;
    svg.body += text("<path fill-opacity=\"", short_number(level / to_double(kLevels), 3),
                     "\" d=\"", paths[level], "\"/>\n");
  }
  svg.body += "</g>\n";
}

}  // namespace attn
