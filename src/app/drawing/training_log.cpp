// A column over its steps is a curve, and a quantity is a panel.
#include "app/drawing/training_log.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>

#include "app/drawing/chart.h"
#include "base/format.h"
#include "base/number.h"
#include "storage/atomic_file.h"
#include "text/lines.h"

namespace attn {

constexpr const char* kColumns =
    "step\tloss\tperplexity\tlearning_rate\ttokens_per_second\tvalidation_loss\t"
    "validation_perplexity\tvalidation_bleu\n";

std::vector<LogLine> read_log(const std::string& path) {
  std::vector<LogLine> log;
  for (const std::string& line : split(read_file(path), '\n')) {
    std::vector<std::string> cells = split(line, '\t');
    cells.resize(8);
    const std::optional<Index> step = number_in<Index>(cells[0]);
    if (!step) continue;
    const auto number = [&](std::size_t column) {
      return number_in<double>(cells[column]).value_or(std::numeric_limits<double>::quiet_NaN());
    };
    log.push_back(
        {*step, number(1), number(2), number(3), number(4), number(5), number(6), number(7)});
  }
  return log;
}

TrainingLog::TrainingLog(const std::string& path, Index step) : path_(path) {
  sum_.step = step;  // its validation may be due
  const std::vector<std::string> lines = split(is_missing(path) ? "" : read_file(path), '\n');
  std::string kept = kColumns;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::vector<std::string> cells = split(lines[n], '\t');
    const std::optional<Index> its_step = number_in<Index>(cells[0]);
    const bool is_cut =
        n + 1 == lines.size() && (lines[n].empty() || (its_step && cells.size() < 8));
    const bool is_later = its_step && *its_step > step;
    if (!is_cut && !is_later && lines[n] + '\n' != kColumns) kept += lines[n] + '\n';
  }
  write_file(path, kept);
}

void TrainingLog::add(const StepReport& report) {
  sum_.step = report.step;
  sum_.sums += report.sums;
  sum_.tokens += report.tokens;
  sum_.rate = report.rate;
  sum_.seconds += report.seconds;
}

std::optional<double> TrainingLog::write_line(const Validation* validation) {
  const LossSums sums = sum_.sums;
  const bool trained = sums.tokens > 0;
  if (!trained && validation == nullptr) return std::nullopt;
  std::vector<std::string> cells(8);
  cells[0] = text(sum_.step);
  if (trained) {
    char rate[32];
    std::snprintf(rate, sizeof rate, "%.6e", sum_.rate);
    cells[1] = fixed(sums.mean_loss(), 6);
    cells[2] = fixed(sums.perplexity(), 4);
    cells[3] = rate;
    cells[4] = fixed(to_double(sum_.tokens) / sum_.seconds, 0);
  }
  if (validation != nullptr) {
    cells[5] = fixed(validation->sums.mean_loss(), 6);
    cells[6] = fixed(validation->sums.perplexity(), 4);
    if (validation->bleu) cells[7] = fixed(*validation->bleu, 2);
  }
  const std::string line = joined(cells, "\t") + '\n';
  std::FILE* file = std::fopen(path_.c_str(), "ab");
  const bool written =
      file != nullptr && std::fwrite(line.data(), 1, line.size(), file) == line.size();
  const bool closed = file != nullptr && std::fclose(file) == 0;
  ATTN_CHECK(written && closed, "cannot write ", path_, ": ", std::strerror(errno));
  const Index step = sum_.step;  // of the next line too, if a validation comes first
  sum_ = {};
  sum_.step = step;
  return trained ? std::optional(sums.mean_loss()) : std::nullopt;
}

namespace {

using Column = double LogLine::*;

constexpr double kTop = 1e8;  // a loss that exploded is drawn no higher

// The values of a column by step; means of neighbours if there are too many.
std::vector<Point> points(const std::vector<LogLine>& log, Column column) {
  constexpr std::size_t kMany = 400;
  std::vector<Point> all;
  if (column == nullptr) return all;
  for (const LogLine& line : log) {
    const double value = line.*column;
    if (!std::isnan(value)) all.push_back({to_double(line.step), std::min(value, kTop)});
  }
  const std::size_t at_once = (all.size() + kMany - 1) / kMany;
  std::vector<Point> means;
  for (std::size_t begin = 0; begin < all.size(); begin += at_once) {
    const std::size_t end = std::min(begin + at_once, all.size());
    Point sum;
    for (std::size_t i = begin; i < end; ++i) sum = {sum.x + all[i].x, sum.y + all[i].y};
    const double n = to_double(end - begin);
    means.push_back({sum.x / n, sum.y / n});
  }
  return means;
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
  if (one.empty() && two.empty()) return;  // nothing is known yet
  double most = 1e-8;
  for (const std::vector<Point>* curve : {&one, &two}) {
    for (const Point& point : *curve) most = std::max(most, 1.02 * point.y);
  }

  // From 0, or from 1 in the logarithm: distances in a picture should mean something.
  const double last = to_double(log.back().step);
  Axes axes = make_axes({panel.x, panel.y, 330, 190}, 0, last, 0, most);
  AxesText words{ticks(round_values(0, last), 0), ticks(round_values(0, most), most < 1 ? 9 : 2),
                 "step", text(panel.title, most > kTop ? "; cut at the top" : "")};
  if (panel.logarithmic) {
    const int decades = std::max(1, static_cast<int>(std::ceil(std::log10(most))));
    axes.y = {1, std::pow(10, decades), axes.y.from, axes.y.to, true};
    words.y = powers_of_ten(0, decades);
  }
  draw_axes(svg, axes, words);
  draw_curve(svg, axes, one, "blue");
  draw_curve(svg, axes, two, "purple");
  for (const Point& point : two) draw_circle(svg, axes(point.x, point.y), 2, "purple area");
}

}  // namespace

Svg training_curves(const std::string& title, const std::vector<LogLine>& log) {
  using Line = LogLine;
  const bool translated = !points(log, &Line::validation_bleu).empty();
  const bool validated = !points(log, &Line::validation_loss).empty();
  Svg svg{880, 640, title + ": the curves of its training",
          text("Loss, perplexity", ", learning rate and ", translated ? "BLEU" : "speed", " over ",
               log.back().step, " steps."),
          ""};
  draw_words(svg, {60, 36}, title, "large bold");
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
  if (!exists(directory + "/log.tsv")) return;
  const std::vector<LogLine> log = read_log(directory + "/log.tsv");
  if (log.empty()) return;
  const std::filesystem::path name = std::filesystem::absolute(directory + "/").lexically_normal();
  const std::string title = name.parent_path().filename().string();
  write_file(directory + "/curves.svg", document(training_curves(title, log)));
}

}  // namespace attn
