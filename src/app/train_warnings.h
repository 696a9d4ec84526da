// Warns when training goes wrong: from the loss, or from what an observer of a pass sees.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "app/terminal/progress.h"
#include "training/run_directory.h"

namespace attn::app {

// Whether a loss is above twice that of guessing, ln V, or has ten times the best perplexity.
bool has_exploded(double loss, double guessing, double best);

// Rank collapse (Dong et al. 2021): layer by layer attention mixes the tokens of a sentence, until
// their vectors are all the same (chapter 3.1). The share of the squares of x [T, d] that is due to
// differences between the tokens of a sentence:
//     Σ_t |x_t − (mean of x over t's sentence)|² / Σ_t |x_t|²
double token_variation(const ConstMatrixView& x, const Offsets& offsets);
// That of the encoder's input, of the output of each of its layers and last of its output z,
// without dropout; empty if the model is not a Transformer.
std::vector<double> encoder_variations(const SequenceModel& model, const Batch& batch);
// With less, the encoder's output has collapsed. Of the runs that were measured, the healthy ones
// of up to four layers never had less than twice this variation.
constexpr double kCollapsed = 0.002;

// Gives each warning once, with what to try.
class Warnings {
 public:
  Warnings(const Run& run, Progress& progress);

  void look_at_loss(double loss);  // the mean loss of a line of the log
  void look_inside();              // at a validation

 private:
  const Run& run_;
  Progress& progress_;
  Batch sample_;
  double best_loss_ = std::numeric_limits<double>::infinity();
  bool exploded_ = false, collapsed_ = false;
};

}  // namespace attn::app
