// Lines are only appended, once the log has been cut.
#include "app/drawing/training_log.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>

#include "base/check.h"
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

void cut_log(const std::string& path, Index step) {
  const std::string old = is_missing(path) ? "" : read_file(path);
  std::string kept = kColumns;
  for (const std::string& line : split(old.substr(0, old.rfind('\n') + 1), '\n')) {
    const std::optional<Index> its_step = number_in<Index>(line.substr(0, line.find('\t')));
    if (its_step && *its_step <= step) kept += line + '\n';
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

}  // namespace attn
