// Lines are only appended, once the log has been cut.
#include "app/drawing/training_log.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "base/check.h"
#include "base/number.h"
#include "storage/atomic_file.h"
#include "text/lines.h"

namespace attn {

constexpr const char* kColumns =
    "step\tloss\tperplexity\tlearning_rate\ttokens_per_second\tvalidation_loss\t"
    "validation_perplexity\tvalidation_bleu\n";

void cut_log(const std::string& path, Index step) {
  const std::vector<std::string> old = split(exists(path) ? read_file(path) : "", '\n');
  std::string kept = kColumns;
  for (const std::string& line : old) {
    const std::string first = line.substr(0, line.find('\t'));
    const std::optional<Index> line_step = number_in<Index>(first);
    const bool last = &line == &old.back();  // it has no end: nothing, or a line that was cut off
    if (first == "step" || (last && (line_step || line.empty()))) continue;
    if (!line_step || *line_step <= step) kept += line + '\n';
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
  const bool trained = sum_.sums.tokens > 0;
  if (!trained && validation == nullptr) return std::nullopt;
  std::FILE* file = std::fopen(path_.c_str(), "ab");
  ATTN_CHECK(file != nullptr, path_, ": cannot be opened for writing: ", std::strerror(errno));
  bool written = std::fprintf(file, "%lld\t", static_cast<long long>(sum_.step)) > 0;
  written &= trained ? std::fprintf(file, "%.6f\t%.4f\t%.6e\t%.0f\t", sum_.sums.mean_loss(),
                                    sum_.sums.perplexity(), sum_.rate,
                                    to_double(sum_.tokens) / sum_.seconds) > 0
                     : std::fputs("\t\t\t\t", file) >= 0;
  if (validation != nullptr) {
    const LossSums& sums = validation->sums;
    written &= std::fprintf(file, "%.6f\t%.4f\t", sums.mean_loss(), sums.perplexity()) > 0;
    if (validation->bleu) written &= std::fprintf(file, "%.2f", *validation->bleu) > 0;
  } else {
    written &= std::fputs("\t\t", file) >= 0;
  }
  written &= std::fputc('\n', file) != EOF;
  const bool closed = std::fclose(file) == 0;
  ATTN_CHECK(written && closed, path_, ": cannot be written: ", std::strerror(errno));
  const double loss = sum_.sums.mean_loss();
  sum_ = {};
  if (!trained) return std::nullopt;
  return loss;
}

}  // namespace attn
