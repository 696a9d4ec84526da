#include "experiments/chart.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/check.h"
#include "experiments/statistics.h"
#include "figures/chart.h"

namespace attn {

namespace {

constexpr double kLeft = 190, kRight = 24, kTop = 44, kBottom = 56, kRow = 24, kWidth = 720;

}  // namespace

std::string comparison_chart(const Experiment& experiment, const std::vector<TrialResult>& results,
                             const std::string& title, const std::string& measure) {
  ATTN_CHECK(!results.empty(), "there are no results to draw");
  std::vector<std::vector<double>> values;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const std::string& variant : experiment.variants) {
    values.push_back(paired_values(experiment, results, variant, variant, measure).one);
    for (const double value : values.back()) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  const double margin = high > low ? (high - low) / 20 : std::max(std::abs(high) / 20, 1e-3);
  low -= margin;
  high += margin;

  const double height = kRow * static_cast<double>(values.size());
  Svg svg{kWidth, kTop + height + kBottom, title,
          text("For each variant, the value of ", measure, " with each seed, and the mean."), ""};
  const Axes axes = make_axes({kLeft, kTop, kWidth - kLeft - kRight, height}, low, high, 0, 1);
  draw_text(svg, {kLeft, kTop - 18}, title, "bold");
  draw_axes(svg, axes, {ticks(round_values(low, high), 6), {}, measure, ""});
  for (std::size_t row = 0; row < values.size(); ++row) {
    const double y = kTop + kRow * (static_cast<double>(row) + 0.5);
    draw_text(svg, {kLeft - 12, y + 5}, experiment.variants[row], "small end");
    if (values[row].empty()) continue;
    const double middle = axes.x(mean(values[row]));
    if (row == 0) {
      draw_line(svg, {middle, kTop}, {middle, kTop + height}, "muted thin dashed");
    }
    const Interval interval = bootstrap_interval(values[row]);
    draw_line(svg, {axes.x(interval.low), y}, {axes.x(interval.high), y}, "blue line thick");
    for (const double value : values[row]) {
      draw_circle(svg, {axes.x(value), y}, 3.5, "blue tint");
    }
    draw_line(svg, {middle, y - 8}, {middle, y + 8}, "blue line thick");
  }
  return document(svg);
}

}  // namespace attn
