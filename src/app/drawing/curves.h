// How a training goes, as a picture.
#pragma once

#include <string>
#include <vector>

#include "app/drawing/svg.h"
#include "base/real.h"

namespace attn {

// A line of log.tsv; NaN where it holds no number.
struct LogLine {
  Index step = 0;
  double loss = 0, perplexity = 0, learning_rate = 0, tokens_per_second = 0;
  double validation_loss = 0, validation_perplexity = 0, validation_bleu = 0;
};
// The lines that begin with a step. Throws Error if the file cannot be read.
std::vector<LogLine> read_log(const std::string& path);

// Loss, perplexity, learning rate and BLEU (or the speed, if no text was translated) over the
// steps. Each has a chart, in which training is one curve and validation another. Long logs are
// drawn as means of neighbours.
Svg training_curves(const std::string& title, const std::vector<LogLine>& log);

// Draws log.tsv of a run into its curves.svg. Does nothing as long as the log has no lines. Throws
// Error if the log cannot be read or the picture not be written.
void draw_curves(const std::string& directory);

}  // namespace attn
