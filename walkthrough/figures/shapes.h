// What only the book's figures are drawn from: arrows, boxes, grids and bars.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "app/drawing/chart.h"
#include "base/check.h"

namespace attn {

// A line through the points with a head at its end.
inline void draw_arrow(Svg& svg, const std::vector<Point>& points, std::string_view classes) {
  ATTN_CHECK(points.size() >= 2, "an arrow needs two points");
  constexpr double kLength = 9, kHalfWidth = 4;
  const Point tip = points.back(), before = points[points.size() - 2];
  const double length = std::hypot(tip.x - before.x, tip.y - before.y);
  const double x = (tip.x - before.x) / length, y = (tip.y - before.y) / length;
  const Point base{tip.x - kLength * x, tip.y - kLength * y};
  std::vector<Point> shaft = points;
  shaft.back() = base;
  draw_polyline(svg, shaft, classes);
  const std::vector<Point> head{tip,
                                {base.x - kHalfWidth * y, base.y + kHalfWidth * x},
                                {base.x + kHalfWidth * y, base.y - kHalfWidth * x}};
  svg.body += text("<polygon class=\"area ", classes, "\" points=\"", coordinates(head), "\"/>\n");
}

// For a key: a piece of a line, and what it means.
inline void draw_sample(Svg& svg, Point from, double length, std::string_view classes,
                        std::string_view words, std::string_view look = "small") {
  draw_line(svg, from, {from.x + length, from.y}, classes);
  draw_text(svg, {from.x + length + 8, from.y + 5}, words, look);
}

// A piece of a curve, and its name.
inline void draw_key(Svg& svg, Point from, std::string_view name, std::string_view classes) {
  draw_sample(svg, from, 24, text(classes, " thick"), name, text("small bold ", classes));
}

// The sign of an operation in a circle.
inline void draw_operation(Svg& svg, Point at, const char* sign) {
  draw_circle(svg, at, 12, "paper area");
  draw_circle(svg, at, 12, "box");
  draw_text(svg, {at.x, at.y + 6}, sign, "middle bold");
}

// A word in a box.
inline void draw_word(Svg& svg, const Rect& area, std::string_view word, const char* classes) {
  draw_rect(svg, area, text("box ", classes), 5);
  draw_text(svg, {area.middle(), area.centre() + 5}, word, "small middle");
}

// A rounded box with lines of text in its middle: the first one bold if there are several, the
// others small and in typewriter letters.
inline void draw_box(Svg& svg, const Rect& rect, const std::vector<std::string>& lines,
                     std::string_view classes) {
  constexpr double kLineHeight = 17;
  draw_rect(svg, rect, text("box ", classes), 6);
  double y = rect.centre() - kLineHeight * (static_cast<double>(lines.size()) - 1) / 2 + 5;
  for (std::size_t i = 0; i < lines.size(); ++i, y += kLineHeight) {
    const char* const look = i > 0 ? "mono middle" : lines.size() > 1 ? "bold middle" : "middle";
    draw_text(svg, {rect.middle(), y}, lines[i], look);
  }
}

// A filled rectangle between these values.
inline void draw_bar(Svg& svg, const Axes& axes, double x_low, double x_high, double y_low,
                     double y_high, std::string_view classes) {
  const Point a = axes(x_low, y_high), b = axes(x_high, y_low);
  draw_rect(svg, {a.x, a.y, b.x - a.x, b.y - a.y}, text("area ", classes));
}

// Numbers from −1 to 1: the colour of a cell is its number's sign, and the shade its size.
inline void draw_signed_map(Svg& svg, const Rect& area, HeatMap map, const char* positive = "blue",
                            const char* negative = "orange") {
  draw_heat_map(svg, area, map, positive);
  for (double& number : map.weights) number = -number;
  draw_heat_map(svg, area, map, negative);
}

// A line around each cell of a heat map, for maps of few cells.
inline void draw_grid(Svg& svg, const Rect& area, int rows, int cols, std::string_view classes) {
  for (int row = 0; row <= rows; ++row) {
    const double y = area.y + area.height * row / rows;
    draw_line(svg, {area.x, y}, {area.right(), y}, classes);
  }
  for (int col = 0; col <= cols; ++col) {
    const double x = area.x + area.width * col / cols;
    draw_line(svg, {x, area.y}, {x, area.bottom()}, classes);
  }
}

}  // namespace attn
