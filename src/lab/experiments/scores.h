// Ways of comparing a query with a key (§3.2.1): additive, dot product, and dot product over √d_k.
// The paper: for small d_k they do equally well; for large d_k the dot product without a scale does
// worse, and it suspects that large scores leave softmax almost no gradient.
#pragma once

#include <string>
#include <vector>

#include "lab/experiments/runner.h"

namespace attn {

// Each kind with each d_k learns copy and reverse with one head (experiments/one_head.h), from the
// same tokens. Variants are "copy dot d_k=64"; the measures are
//   early, accuracy     the share of the test's tokens that are right, <eos> included: after a
//                       tenth of the steps, and after all
//   entropy_start, entropy_end   of a row of weights over that of equal ones, before and after
//   gradient_start      the norm of the mean loss's gradient with respect to W_Q, before
//   milliseconds        per step
//   kilobytes           the most that a step needs in addition to the weights
// quick: a few steps of few variants, for tests.
Experiment compared_scores(bool quick);

// For people: a row for each variant, the means of its seeds; accuracy also at its least and most.
std::string scores_text(const Experiment& experiment, const std::vector<TrialResult>& results);

}  // namespace attn
