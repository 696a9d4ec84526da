// Variants are compared with the baseline seed by seed: the difference d = value(variant, seed) −
// value(baseline, seed) has a mean, an interval, p values and a power (statistics.h).
#include "lab/experiments/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/check.h"
#include "base/printing.h"
#include "lab/experiments/statistics.h"

namespace attn {

namespace {

// The differences from the baseline, for the seeds that all rows with a mean have.
std::vector<double> differences(const std::vector<ComparedRow>& rows, const ComparedRow& row) {
  std::vector<double> result;
  for (const auto& value : rows.front().values) {
    const auto seed = value.first;
    const bool complete = std::all_of(rows.begin(), rows.end(), [&](const ComparedRow& one) {
      return !one.has_mean() || one.values.count(seed) > 0;
    });
    if (complete) result.push_back(row.values.at(seed) - value.second);
  }
  return result;
}

// Of one seed there is none.
std::string interval_text(const std::vector<double>& values) {
  if (values.size() < 2) return "–";
  const Interval interval = student_interval(values);
  return text(fixed(interval.low, 4), " to ", fixed(interval.high, 4));
}

}  // namespace

std::vector<ComparedRow> compared_rows(const Experiment& experiment,
                                       const std::vector<TrialResult>& results,
                                       const std::string& measure) {
  std::vector<ComparedRow> rows;
  for (const std::string& variant : experiment.variants) {
    rows.push_back({variant, values_of(experiment, results, variant, measure)});
    for (const auto& [seed, value] : rows.back().values)
      rows.back().diverged += !std::isfinite(value);
  }
  std::stable_partition(rows.begin() + 1, rows.end(),
                        [](const ComparedRow& row) { return row.diverged == 0; });
  return rows;
}

std::string comparison_text(const Experiment& experiment, const std::vector<TrialResult>& results,
                            const std::string& measure) {
  const std::vector<ComparedRow> rows = compared_rows(experiment, results, measure);
  std::vector<std::vector<std::string>> lines{{measure, "n", "mean", "95 % interval", "difference",
                                               "95 % interval", "p", "p of all", "found in 80 %"}};
  std::vector<std::size_t> compared;  // which lines
  std::vector<std::vector<double>> all_differences;
  for (const ComparedRow& row : rows) {
    lines.push_back({row.name, std::to_string(row.values.size())});
    if (row.diverged > 0) {
      lines.back().push_back("diverged");
      lines.back().push_back(text("with ", row.diverged, " of ", row.values.size()));
    }
    if (!row.has_mean()) continue;
    lines.back().push_back(fixed(mean(numbers(row.values)), 4));
    lines.back().push_back(interval_text(numbers(row.values)));
    if (&row == &rows.front() || !rows.front().has_mean()) continue;
    std::vector<double> found = differences(rows, row);
    if (found.empty()) continue;
    compared.push_back(lines.size() - 1);
    all_differences.push_back(std::move(found));
  }
  const std::vector<double> p = sign_flip_p(all_differences);
  const std::size_t seeds = all_differences.empty() ? 0 : all_differences[0].size();
  const double needed = seeds < 2 ? INFINITY : detectable_difference(all_differences.size(), seeds);
  for (std::size_t i = 0; i < compared.size(); ++i) {
    const std::vector<double>& found = all_differences[i];
    std::vector<std::string>& line = lines[compared[i]];
    line.push_back((mean(found) > 0 ? "+" : "") + fixed(mean(found), 4));
    line.push_back(interval_text(found));
    line.push_back(found.size() < 2 ? "–" : fixed(sign_flip_p({found})[0], 3));
    line.push_back(found.size() < 2 ? "–" : fixed(p[i], 3));
    line.push_back(std::isfinite(needed) ? fixed(needed * standard_deviation(found), 4) : "–");
  }
  return table(lines);
}

void draw_comparison(Svg& svg, const Rect& area, const std::vector<ComparedRow>& rows, bool names,
                     const std::string& measure) {
  Range range;
  bool diverged = false;
  for (const ComparedRow& row : rows) {
    diverged = diverged || row.diverged > 0;
    if (!row.has_mean()) continue;
    for (const double value : numbers(row.values)) range.include(value);
    const Interval interval = student_interval(numbers(row.values));
    range.include(interval.low);
    range.include(interval.high);
  }
  ATTN_CHECK(diverged || !range.empty(), "there are no results to draw");
  if (range.empty()) range = {0, 1};
  const double span = range.high - range.low;
  const double margin = span > 0 ? span / 20 : std::max(std::abs(range.high) / 20, 1e-3);
  const Axes axes = make_axes(area, range.low - margin, range.high + margin, 0, 1);
  draw_axes(svg, axes, {ticks(round_values(axes.x.low, axes.x.high), 6), {}, measure, ""});
  const double height = area.height / static_cast<double>(rows.size());
  double y = area.y + height / 2;
  for (const ComparedRow& row : rows) {
    const std::string name = row.name + (row.diverged > 0 ? ": diverged" : "");
    if (names) draw_text(svg, {area.x - 12, y + 5}, name, "small end");
    if (row.has_mean()) {
      const double middle = axes.x(mean(numbers(row.values)));
      if (&row == &rows.front()) {
        draw_line(svg, {middle, area.y}, {middle, area.y + area.height}, "muted thin dashed");
      }
      const Interval interval = student_interval(numbers(row.values));
      draw_line(svg, {axes.x(interval.low), y}, {axes.x(interval.high), y}, "blue line thick");
      for (const double value : numbers(row.values)) {
        draw_circle(svg, {axes.x(value), y}, 3.5, "blue tint");
      }
      draw_line(svg, {middle, y - 8}, {middle, y + 8}, "blue line thick");
    }
    y += height;
  }
}

std::string comparison_chart(const Experiment& experiment, const std::vector<TrialResult>& results,
                             const std::string& title, const std::string& measure) {
  constexpr double kLeft = 190, kRight = 24, kTop = 44, kBottom = 56, kRow = 24, kWidth = 720;
  const std::vector<ComparedRow> rows = compared_rows(experiment, results, measure);
  const double height = kRow * static_cast<double>(rows.size());
  Svg svg{kWidth, kTop + height + kBottom, title,
          text("For each variant, the value of ", measure, " with each seed, and the mean."), ""};
  draw_text(svg, {kLeft, kTop - 18}, title, "bold");
  draw_comparison(svg, {kLeft, kTop, kWidth - kLeft - kRight, height}, rows, true, measure);
  return document(svg);
}

}  // namespace attn
