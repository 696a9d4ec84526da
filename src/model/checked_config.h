// What the configurations of all architectures have in common: how they are checked, and
// what makes up the memory that training takes.
#pragma once

#include "base/memory.h"
#include "base/settings.h"
#include "layers/output_projection.h"
#include "model/sequence_model.h"

namespace attn {

inline void check_tied(bool tied, Index source_vocabulary, Index target_vocabulary) {
  ATTN_CHECK(!tied || source_vocabulary == target_vocabulary,
             "tied embeddings need one vocabulary for both languages, not ", source_vocabulary,
             " and ", target_vocabulary, " tokens");
}

// A number of weights, computed in floating point, which does not overflow whatever the sizes.
inline Index weight_count(double count) {
  ATTN_CHECK(count < to_double(kLargestCount), "a model of these sizes would have ",
             shortest(count), " weights, more than any memory holds");
  return static_cast<Index>(count);
}

// The bytes that training takes: the program itself; the weights, their gradients, Adam's two
// moments and further copies; `others`, a count of other numbers; the logits of some of the tokens.
inline double training_bytes(Index weights, Index further_copies, double others, Index tokens,
                             Index vocabulary) {
  const double logits = to_double(tokens_at_once(tokens, vocabulary)) * to_double(vocabulary);
  constexpr double kProgram = 16e6;
  return kProgram +
         sizeof(Real) * (to_double(4 + further_copies) * to_double(weights) + others + logits);
}

// A configuration, once it is known to be possible and its weights to fit in memory.
template <class Config>
const Config& checked(const Config& config) {
  check(config);
  const Index n = parameter_count(config);
  check_memory(to_double(n) * sizeof(Real), text("a model of ", grouped(n), " weights"),
               "choose a smaller model: fewer layers, or a smaller width or vocabulary");
  return config;
}

}  // namespace attn
