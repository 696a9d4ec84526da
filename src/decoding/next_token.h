// The tokens that may come next, and the most probable of them, for greedy and beam search.
#pragma once

#include <vector>

#include "model/sequence_model.h"

namespace attn {

// How many tokens longer than its input an output may be (§6.1).
constexpr Index kMaxExtra = 50;

struct BeamOptions {
  Index beam = 4;      // hypotheses that are kept at each step; 1 is greedy decoding
  double alpha = 0.6;  // of the length penalty (beam_search.h); α ≥ 0; with 0 there is none
  Index n_best = 1;    // outputs wanted per sentence; at most `beam`
  Index max_extra = kMaxExtra;
  bool unknown = true;  // whether <unk> may be written
};
constexpr BeamOptions kGreedy{1, 0, 1};

// The most tokens of an output, without <eos>, for a source sentence of source_tokens, its <eos>
// included. With <eos> never more than the model can write.
Index longest_output(Index max_extra, const SequenceModel& model, Index source_tokens);

// What is wrong if a model's probabilities are NaN or ∞.
constexpr const char* kNotNumbers =
    "the model's probabilities are not numbers: its weights are damaged, or its training diverged";

// The k tokens with the largest of V logits, largest first; ties go to the smaller id. Leaves out
// logits of −∞, <bos> and, unless `unknown`, <unk>, so there may be fewer than k. Throws Error if a
// logit is NaN or ∞, or if none is left.
std::vector<int> top_tokens(Index k, Index V, const Real* logits, bool unknown = true);

}  // namespace attn
