// Constituency parsing (§6.3) in small: the task `bracketing`, learned by a Transformer and by the
// LSTM with attention that learned to parse before it (Vinyals et al. 2015).
#pragma once

#include <string>
#include <vector>

#include "lab/bracketing/bracket_f1.h"
#include "lab/experiments/training_trial.h"
#include "model/sequence_model.h"
#include "text/corpus.h"

namespace attn {

// The Transformer that `train bracketing` trains is the baseline; the LSTM has about as many
// weights. quick: a few steps, for tests.
TrainedVariants small_parsing(bool quick);

// The greedy outputs against the trees of these pairs.
BracketCounts parsed(const SequenceModel& model, const Tokenizer& tokenizer,
                     const std::vector<TextPair>& pairs);

// The measures of training, and of the trees: f1 and well_formed (the share of outputs that are
// trees) of the test; longer_f1 and longer_well_formed of trees deeper than any in training.
Experiment parsing_experiment(const TrainedVariants& all, const TrialEvents& events = {});

}  // namespace attn
