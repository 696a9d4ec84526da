#include "training/training_log.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/check.h"
#include "storage/atomic_file.h"

namespace attn {

namespace {
constexpr const char* kColumns = "step\tloss\tperplexity\tlearning_rate\ttokens_per_second\n";
}

void cut_log(const std::string& path, Index step) {
  std::error_code ignored;
  const std::string old = std::filesystem::exists(path, ignored) ? read_file(path) : "";
  std::string kept = kColumns;
  std::size_t begin = old.find('\n');
  while (begin != std::string::npos) {
    const std::size_t end = old.find('\n', ++begin);
    if (end == std::string::npos) break;
    // (sscanf would look for the end of all that is left, line after line.)
    Index line_step = 0;
    const auto number = std::from_chars(old.data() + begin, old.data() + end, line_step);
    if (number.ec != std::errc() || line_step > step) break;
    kept.append(old, begin, end + 1 - begin);
    begin = end;
  }
  write_file(path, kept);
}

void TrainingLog::add(const StepReport& report) {
  sum_.step = report.step;
  sum_.sums += report.sums;
  sum_.source_tokens += report.source_tokens;
  sum_.rate = report.rate;
  sum_.seconds += report.seconds;
}

void TrainingLog::write_line() {
  if (sum_.sums.tokens == 0) return;
  const double tokens = static_cast<double>(sum_.source_tokens + sum_.sums.tokens);
  std::FILE* file = std::fopen(path_.c_str(), "ab");
  ATTN_CHECK(file != nullptr, path_, ": cannot be opened for writing: ", std::strerror(errno));
  const bool written = std::fprintf(file, "%lld\t%.6f\t%.4f\t%.6e\t%.0f\n",
                                    static_cast<long long>(sum_.step), sum_.sums.mean_loss(),
                                    sum_.sums.perplexity(), sum_.rate, tokens / sum_.seconds) > 0;
  const bool closed = std::fclose(file) == 0;
  ATTN_CHECK(written && closed, path_, ": cannot be written: ", std::strerror(errno));
  sum_ = {};
}

}  // namespace attn
