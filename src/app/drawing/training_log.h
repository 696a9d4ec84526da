// log.tsv of a run: a line for every few steps, with means over them, and for each validation.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "training/trainer.h"

namespace attn {

// A line of log.tsv; NaN where it holds no number.
struct LogLine {
  Index step = 0;
  double loss = 0, perplexity = 0, learning_rate = 0, tokens_per_second = 0;
  double validation_loss = 0, validation_perplexity = 0, validation_bleu = 0;
};
// The lines that begin with a step. Throws Error if the file cannot be read.
std::vector<LogLine> read_log(const std::string& path);

// Writes the heading, and of the lines those up to the step: later ones are dropped, and a last
// line that was cut off. Throws Error if the log cannot be read or written.
void cut_log(const std::string& path, Index step);

class TrainingLog {
 public:
  // Begins the log of a run that is at this step, or goes on with it, cut back to the step: a run
  // that was killed may have logged steps that it takes again. Throws Error as cut_log does.
  TrainingLog(std::string path, Index step) : path_(std::move(path)) {
    cut_log(path_, step);
    sum_.step = step;  // its validation may be due
  }
  void add(const StepReport& report);
  // Appends a line with what was added since the last one and the validation, if there is either,
  // and returns the mean loss of what was added. Throws Error if it cannot.
  std::optional<double> write_line(const Validation* validation = nullptr);

 private:
  std::string path_;
  StepReport sum_;
};

}  // namespace attn
