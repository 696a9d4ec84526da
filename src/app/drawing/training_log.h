// What a run draws and logs: log.tsv has a line for every few steps, with means over them, and for
// each validation; curves.svg shows them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/drawing/svg.h"
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

class TrainingLog {
 public:
  // Begins or continues the log of a run at this step. Drops later lines, whose steps a killed run
  // may take again, and a last line that was cut off; lines that begin with no step are somebody's
  // notes. Throws Error if it cannot read or write.
  TrainingLog(const std::string& path, Index step);
  void add(const StepReport& report);
  // Appends a line with what was added since the last one and the validation, if there is either,
  // and returns the mean loss of what was added. Throws Error if it cannot.
  std::optional<double> write_line(const Validation* validation = nullptr);

 private:
  std::string path_;
  StepReport sum_;
};

// Charts of loss, perplexity, learning rate and BLEU (or speed, if no text was translated) over a
// nonempty log, training and validation as two curves. Long logs are drawn as means of neighbours.
Svg training_curves(const std::string& title, const std::vector<LogLine>& log);

// Draws a run's log.tsv, unless it is empty, into its curves.svg. Throws Error if it cannot.
void draw_curves(const std::string& directory);

}  // namespace attn
