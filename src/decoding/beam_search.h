// Beam search (§6.1): instead of the most probable token at each step, the few most probable
// beginnings of an output are kept, and the best of all outputs that were found is taken.
//
//     score(Y) = ln P(Y | X) / lp(Y),   lp(Y) = ((5 + |Y|)/6)^α          Wu et al. 2016, eq. (14)
//
// ln P falls with every token, so without the penalty lp short outputs would win.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "decoding/next_token.h"
#include "model/sequence_model.h"

namespace attn {

// |Y| counts the tokens that P is a product over, <eos> too.
double length_penalty(double alpha, Index tokens);

struct Translation {
  std::vector<int> tokens;  // without <bos> and <eos>
  double score;
  double log_p = 0;  // ln P(Y | X)
};

// A hypothesis with one more token.
struct Continuation {
  std::size_t parent;  // which of the sentence's hypotheses it continues
  int token;
  double log_p;                      // ln P of all tokens
  std::optional<double> score = {};  // of the output that it is, if it is kept and ends there
};
// Called at each step with the continuations of a sentence's hypotheses that the search chose from:
// of each hypothesis the best `beam`, most probable first. It kept the first `beam` of all.
using SearchWatcher =
    std::function<void(std::size_t sentence, const std::vector<Continuation>& candidates)>;

// For each source sentence (ending in <eos>) its n_best best outputs, best first, or as many as
// there are. After an output of the longest length comes <eos>, whatever its probability. A
// sentence's outputs do not depend on the others. Throws Error for options out of range, or
// probabilities that are not numbers. A search ends when no hypothesis can still beat the n_best-th
// output found: ln P only falls, and lp grows at most to that of the longest output.
std::vector<std::vector<Translation>> beam_search(const SequenceModel& model,
                                                  const PackedIds& source,
                                                  const BeamOptions& options = {},
                                                  const SearchWatcher& watcher = {});

}  // namespace attn
