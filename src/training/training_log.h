// log.tsv of a run: step, loss, perplexity, learning rate, tokens/s.
#pragma once

#include <string>
#include <utility>

#include "training/trainer.h"

namespace attn {

// Leaves the heading, which is written if it is missing, and the lines up to the step: later ones
// are dropped, and a last line that was cut off.
void cut_log(const std::string& path, Index step);

// Steps are logged as means over the steps since the last line.
class TrainingLog {
 public:
  explicit TrainingLog(std::string path) : path_(std::move(path)) {}
  void add(const StepReport& report);
  // Appends a line with what was added since the last one. Throws Error if it cannot.
  void write_line();

 private:
  std::string path_;
  StepReport sum_;
};

}  // namespace attn
