// log.tsv of a run: step, loss, perplexity, learning rate, tokens/s, and the loss, perplexity and
// BLEU of a validation at that step, empty where there was none.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "training/trainer.h"

namespace attn {

// Writes the heading, and of the lines those up to the step: later ones are dropped, and a last
// line that was cut off. Notes, lines that do not begin with a step, are kept. Throws Error if the
// log cannot be read or written.
void cut_log(const std::string& path, Index step);

// Steps are logged as means over the steps since the last line.
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
