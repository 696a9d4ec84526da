// From recurrence to the Transformer, rung by rung: encoder–decoders of each kind learn the same
// task from the same tokens, with about as many weights.
#pragma once

#include <string>
#include <vector>

#include "lab/experiments/training_trial.h"

namespace attn {

// The baseline, the Transformer that `train` trains, is the first. The others have the width at
// which their number of weights is nearest to its, and the learning rate of `scales`, by name; one
// that is missing there has the baseline's. quick: a few steps, for tests.
TrainedVariants ladder(const std::string& task, const Settings& scales, bool quick);

// The same small sweep for each rung: every learning rate with one seed that the ladder does not
// use, half as long. The variants are "lstm bahdanau x 0.35" and so on.
TrainedVariants ladder_sweep(const std::string& task, bool quick);

// For each rung the scale whose trial in the sweep has the smallest perplexity of validation. Rungs
// without a result are left out.
Settings best_scales(const std::vector<TrialResult>& sweep);

}  // namespace attn
