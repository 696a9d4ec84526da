#include "lab/figures/curves.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/check.h"
#include "lab/figures/chart.h"
#include "storage/atomic_file.h"

namespace attn {

namespace {

using Column = double LogLine::*;

constexpr double kMost = 1e6;  // what exploded is drawn no higher

// The values that there are, at their steps; means of neighbours where they are too many.
std::vector<Point> points(const std::vector<LogLine>& log, Column column) {
  constexpr std::size_t kMany = 400;
  std::vector<Point> all;
  for (const LogLine& line : log) {
    const double value = line.*column;
    if (!std::isnan(value)) all.push_back({static_cast<double>(line.step), std::min(value, kMost)});
  }
  const std::size_t at_once = (all.size() + kMany - 1) / kMany;
  std::vector<Point> means;
  for (std::size_t begin = 0; begin < all.size(); begin += at_once) {
    const std::size_t end = std::min(begin + at_once, all.size());
    Point sum;
    for (std::size_t i = begin; i < end; ++i) sum = {sum.x + all[i].x, sum.y + all[i].y};
    const double n = static_cast<double>(end - begin);
    means.push_back({sum.x / n, sum.y / n});
  }
  return means;
}

// 1, 2, 5, 10, 20 …; powers of ten alone where these would be many.
std::vector<Tick> logarithmic_ticks(double low, double high) {
  std::vector<double> values;
  for (double power = 1; power <= kMost; power *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor > 1 && high > 100 * low) continue;
      const double value = factor * power;
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) values.push_back(value);
    }
  }
  return ticks(values);
}

// A chart of one or two columns; `validation` may be null.
void draw_panel(Svg& svg, const Rect& area, const std::string& title,
                const std::vector<LogLine>& log, Column training, Column validation,
                bool logarithmic) {
  const std::vector<Point> one = training != nullptr ? points(log, training) : std::vector<Point>();
  const std::vector<Point> two =
      validation != nullptr ? points(log, validation) : std::vector<Point>();
  double low = kMost, high = 0;
  for (const std::vector<Point>* curve : {&one, &two}) {
    for (const Point& point : *curve) {
      low = std::min(low, point.y);
      high = std::max(high, point.y);
    }
  }
  if (low > high) return;  // nothing is known yet

  // From 0, or from 1 in the logarithm: distances in a picture should mean something.
  const double last = static_cast<double>(log.back().step);
  low = logarithmic ? 1 : 0;
  high = std::max(high * 1.02, logarithmic ? 2.0 : 1e-8);
  Axes axes = make_axes(area, 0, last, low, high);
  axes.y.logarithmic = logarithmic;
  draw_axes(svg, axes,
            {ticks(round_values(0, last), 0),
             logarithmic ? logarithmic_ticks(low, high)
                         : ticks(round_values(low, high), high < 1 ? 9 : 2),
             "step", title});
  draw_curve(svg, axes, one, "blue");
  draw_curve(svg, axes, two, "purple");
  for (const Point& point : two) draw_circle(svg, axes(point.x, point.y), 2, "purple area");
}

}  // namespace

Svg training_curves(const std::string& title, const std::vector<LogLine>& log) {
  ATTN_CHECK(!log.empty(), "there is no log to draw");
  const bool translated = !points(log, &LogLine::validation_bleu).empty();
  const bool validated = !points(log, &LogLine::validation_loss).empty();
  Svg svg{880, 640, title + ": the curves of its training",
          text("Loss, perplexity", ", learning rate and ", translated ? "BLEU" : "speed", " over ",
               log.back().step, " steps."),
          ""};
  draw_text(svg, {60, 36}, title, "large bold");
  draw_text(svg, {520, 36}, "training", "blue bold small");
  if (validated) draw_text(svg, {600, 36}, "validation", "purple bold small");

  constexpr double kLeft = 80, kRight = 520, kPanelWidth = 330, kPanelHeight = 190;
  draw_panel(svg, {kLeft, 90, kPanelWidth, kPanelHeight}, "loss per token, nats", log,
             &LogLine::loss, &LogLine::validation_loss, false);
  draw_panel(svg, {kRight, 90, kPanelWidth, kPanelHeight}, "perplexity, logarithmic", log,
             &LogLine::perplexity, &LogLine::validation_perplexity, true);
  draw_panel(svg, {kLeft, 390, kPanelWidth, kPanelHeight}, "learning rate", log,
             &LogLine::learning_rate, nullptr, false);
  if (translated) {
    draw_panel(svg, {kRight, 390, kPanelWidth, kPanelHeight}, "BLEU of the validation's sample",
               log, nullptr, &LogLine::validation_bleu, false);
  } else {
    draw_panel(svg, {kRight, 390, kPanelWidth, kPanelHeight}, "tokens per second", log,
               &LogLine::tokens_per_second, nullptr, false);
  }
  return svg;
}

void draw_curves(const std::string& directory) {
  namespace fs = std::filesystem;
  const fs::path path(directory);
  std::error_code ignored;
  if (!fs::exists(path / "log.tsv", ignored)) return;
  const std::vector<LogLine> log = read_log((path / "log.tsv").string());
  if (log.empty()) return;
  const fs::path name = fs::absolute(path).lexically_normal();
  const std::string title = (name.has_filename() ? name : name.parent_path()).filename().string();
  write_file((path / "curves.svg").string(), document(training_curves(title, log)));
}

}  // namespace attn
