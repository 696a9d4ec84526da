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
  // Begins the log of a run that is at this step, or goes on with it: later lines are dropped, for
  // a run that was killed may take their steps again, and so is a last line that was cut off.
  // Throws Error if the log cannot be read or written.
  TrainingLog(const std::string& path, Index step);
  void add(const StepReport& report);
  // Appends a line with what was added since the last one and the validation, if there is either,
  // and returns the mean loss of what was added. Throws Error if it cannot.
  std::optional<double> write_line(const Validation* validation = nullptr);

 private:
  std::string path_;
  StepReport sum_;
};

// Loss, perplexity, learning rate and BLEU (or the speed, if no text was translated) over the steps
// of a log, which is not empty. Each has a chart, in which training is one curve and validation
// another. Long logs are drawn as means of neighbours.
Svg training_curves(const std::string& title, const std::vector<LogLine>& log);

// Draws log.tsv of a run into its curves.svg. Does nothing as long as the log has no lines. Throws
// Error if the log cannot be read or the picture not be written.
void draw_curves(const std::string& directory);

}  // namespace attn
