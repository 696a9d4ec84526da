// A column of the log over its steps is a curve; a quantity is a panel.
#include "app/drawing/curves.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "app/drawing/chart.h"
#include "base/check.h"
#include "base/number.h"
#include "storage/atomic_file.h"
#include "text/lines.h"

namespace attn {

namespace {

using Column = double LogLine::*;

constexpr double kMost = 1e6;  // a loss that exploded is drawn no higher

// The values of a column by step; means of neighbours if there are too many.
std::vector<Point> points(const std::vector<LogLine>& log, Column column) {
  constexpr std::size_t kMany = 400;
  std::vector<Point> all;
  if (column == nullptr) return all;
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

// A chart of one or two columns of the log, which may be null.
struct Panel {
  double x, y;
  const char* title;
  Column training, validation;
  bool logarithmic = false;
};

void draw_panel(Svg& svg, const Panel& panel, const std::vector<LogLine>& log) {
  const std::vector<Point> one = points(log, panel.training), two = points(log, panel.validation);
  Range range;
  for (const std::vector<Point>* curve : {&one, &two}) {
    for (const Point& point : *curve) range.include(point.y);
  }
  if (range.empty()) return;  // nothing is known yet

  // From 0, or from 1 in the logarithm: distances in a picture should mean something.
  const double last = static_cast<double>(log.back().step);
  const double low = panel.logarithmic ? 1 : 0;
  const double high = std::max(range.high * 1.02, panel.logarithmic ? 2.0 : 1e-8);
  Axes axes = make_axes({panel.x, panel.y, 330, 190}, 0, last, low, high);
  axes.y.logarithmic = panel.logarithmic;
  draw_axes(svg, axes,
            {ticks(round_values(0, last), 0),
             panel.logarithmic ? logarithmic_ticks(low, high)
                               : ticks(round_values(low, high), high < 1 ? 9 : 2),
             "step", panel.title});
  draw_curve(svg, axes, one, "blue");
  draw_curve(svg, axes, two, "purple");
  for (const Point& point : two) draw_circle(svg, axes(point.x, point.y), 2, "purple area");
}

}  // namespace

std::vector<LogLine> read_log(const std::string& path) {
  std::vector<LogLine> log;
  for (const std::string& line : split(read_file(path), '\n')) {
    const std::vector<std::string> cells = split(line, '\t');
    const std::optional<Index> step = number_in<Index>(cells[0]);
    if (!step) continue;
    const auto number = [&](std::size_t column) {
      const std::optional<double> value =
          column < cells.size() ? number_in<double>(cells[column]) : std::nullopt;
      return value.value_or(std::numeric_limits<double>::quiet_NaN());
    };
    log.push_back(
        {*step, number(1), number(2), number(3), number(4), number(5), number(6), number(7)});
  }
  return log;
}

Svg training_curves(const std::string& title, const std::vector<LogLine>& log) {
  ATTN_CHECK(!log.empty(), "there is no log to draw");
  using Line = LogLine;
  const bool translated = !points(log, &Line::validation_bleu).empty();
  const bool validated = !points(log, &Line::validation_loss).empty();
  Svg svg{880, 640, title + ": the curves of its training",
          text("Loss, perplexity", ", learning rate and ", translated ? "BLEU" : "speed", " over ",
               log.back().step, " steps."),
          ""};
  draw_text(svg, {60, 36}, title, "large bold");
  draw_text(svg, {520, 36}, "training", "blue bold small");
  if (validated) draw_text(svg, {600, 36}, "validation", "purple bold small");
  const Panel panels[] = {
      {80, 90, "loss per token, nats", &Line::loss, &Line::validation_loss},
      {520, 90, "perplexity, logarithmic", &Line::perplexity, &Line::validation_perplexity, true},
      {80, 390, "learning rate", &Line::learning_rate, nullptr},
      translated
          ? Panel{520, 390, "BLEU of the validation's sample", nullptr, &Line::validation_bleu}
          : Panel{520, 390, "tokens per second", &Line::tokens_per_second, nullptr},
  };
  for (const Panel& panel : panels) draw_panel(svg, panel, log);
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
