// log.tsv of a run: step, loss, perplexity, learning rate, tokens/s.
#pragma once

#include <string>

#include "training/trainer.h"

namespace attn {

// Writes the file with its heading only.
void start_log(const std::string& path);

// Drops lines that are later than the step, and a last line that was cut off.
void cut_log(const std::string& path, Index step);

// Steps are logged as means over the steps since the last line.
class TrainingLog {
 public:
  explicit TrainingLog(const std::string& path);
  void add(const StepReport& report);
  // Appends a line with what was added since the last one. Throws Error if it cannot.
  void write_line();

 private:
  std::string path_;
  StepReport sum_;
};

}  // namespace attn
