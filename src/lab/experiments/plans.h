// The experiments that train: which models, with which settings. quick: a few steps of a few
// variants, for tests.
#pragma once

#include <string>
#include <vector>

#include "lab/experiments/training_trial.h"

namespace attn {

// From recurrence to the Transformer, rung by rung: encoder–decoders of each kind learn the same
// task from the same tokens. The baseline, the Transformer that `train` trains, is the first. The
// others have the width at which their number of weights is nearest to its.
TrainedVariants ladder(const std::string& task, bool quick);

// The same task by the Transformer that `train` trains and, with exactly as many weights, by a
// decoder-only model with the loss on the target or on all. Twelve seeds: small differences are
// expected.
TrainedVariants one_stack(const std::string& task, bool quick);

// The same small sweep for each variant of a plan: every learning rate, half as long, with a seed
// that the plan does not use. The variants are "lstm bahdanau x 0.35" and so on.
TrainedVariants swept(const TrainedVariants& plan, std::uint64_t seed, bool quick);

// For each variant the scale whose trial in the sweep has the smallest perplexity of validation.
// Variants without a result that is a number are left out.
Settings best_scales(const std::vector<TrialResult>& sweep);

// The plan with the learning rates of `scales`, by name; a variant that is missing there keeps its
// own.
TrainedVariants at_scales(TrainedVariants plan, const Settings& scales);

// Table 3 (§6.2) in small, on the phrasebook: the baseline is the model that `train phrasebook`
// trains, with dropout 0, since every batch is freshly drawn. Its rows vary the model by about the
// same factors as the paper's; further ones vary d_v alone, the place of the norm, tied embeddings,
// the warm-up, the learning rate (the one that the ladder's sweep found best) and the window of
// self-attention. Twelve seeds.
TrainedVariants small_table3(bool quick);

// Constituency parsing (§6.3) in small: the task `bracketing`, learned by the Transformer that
// `train bracketing` trains and, with about as many weights, by the LSTM with attention that
// learned to parse before it (Vinyals et al. 2015).
TrainedVariants small_parsing(bool quick);

}  // namespace attn
