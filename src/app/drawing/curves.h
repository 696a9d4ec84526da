// How a training goes, as a picture.
#pragma once

#include <string>
#include <vector>

#include "app/drawing/svg.h"
#include "app/drawing/training_log.h"

namespace attn {

// Loss, perplexity, learning rate and BLEU (or the speed, if no text was translated) over the
// steps. Each has a chart, in which training is one curve and validation another. Long logs are
// drawn as means of neighbours.
Svg training_curves(const std::string& title, const std::vector<LogLine>& log);

// Draws log.tsv of a run into its curves.svg. Does nothing as long as the log has no lines. Throws
// Error if the log cannot be read or the picture not be written.
void draw_curves(const std::string& directory);

}  // namespace attn
