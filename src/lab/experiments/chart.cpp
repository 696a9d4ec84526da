#include "lab/experiments/chart.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/check.h"
#include "lab/experiments/statistics.h"

namespace attn {

namespace {

constexpr double kLeft = 190, kRight = 24, kTop = 44, kBottom = 56, kRow = 24, kWidth = 720;

}  // namespace

std::vector<ComparedRow> compared_rows(const Experiment& experiment,
                                       const std::vector<TrialResult>& results,
                                       const std::string& measure) {
  std::vector<ComparedRow> rows;
  for (const std::string& variant : experiment.variants) {
    rows.push_back({variant, values_of(experiment, results, variant, measure)});
  }
  return rows;
}

void draw_comparison(Svg& svg, const Rect& area, const std::vector<ComparedRow>& rows, bool names,
                     const std::string& measure) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const ComparedRow& row : rows) {
    for (const double value : row.values) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  ATTN_CHECK(low <= high, "there are no results to draw");
  const double margin = high > low ? (high - low) / 20 : std::max(std::abs(high) / 20, 1e-3);
  low -= margin;
  high += margin;

  const Axes axes = make_axes(area, low, high, 0, 1);
  draw_axes(svg, axes, {ticks(round_values(low, high), 6), {}, measure, ""});
  const double height = area.height / static_cast<double>(rows.size());
  double y = area.y + height / 2;
  for (const ComparedRow& row : rows) {
    if (names) draw_text(svg, {area.x - 12, y + 5}, row.name, "small end");
    if (!row.values.empty()) {
      const double middle = axes.x(mean(row.values));
      if (&row == &rows.front()) {
        draw_line(svg, {middle, area.y}, {middle, area.y + area.height}, "muted thin dashed");
      }
      const Interval interval = bootstrap_interval(row.values);
      draw_line(svg, {axes.x(interval.low), y}, {axes.x(interval.high), y}, "blue line thick");
      for (const double value : row.values) {
        draw_circle(svg, {axes.x(value), y}, 3.5, "blue tint");
      }
      draw_line(svg, {middle, y - 8}, {middle, y + 8}, "blue line thick");
    }
    y += height;
  }
}

std::string comparison_chart(const Experiment& experiment, const std::vector<TrialResult>& results,
                             const std::string& title, const std::string& measure) {
  const std::vector<ComparedRow> rows = compared_rows(experiment, results, measure);
  const double height = kRow * static_cast<double>(rows.size());
  Svg svg{kWidth, kTop + height + kBottom, title,
          text("For each variant, the value of ", measure, " with each seed, and the mean."), ""};
  draw_text(svg, {kLeft, kTop - 18}, title, "bold");
  draw_comparison(svg, {kLeft, kTop, kWidth - kLeft - kRight, height}, rows, true, measure);
  return document(svg);
}

}  // namespace attn
