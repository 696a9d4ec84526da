// Exact match: how often a model's output is the target, word by word.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "decoding/beam_search.h"
#include "model/sequence_model.h"
#include "text/corpus.h"

namespace attn {

struct ExactMatches {
  std::vector<std::string> outputs;  // one per pair
  std::vector<bool> matches;         // whether it is the target
  Index count = 0;                   // of those that are
};

// Decodes each source without seeing the target. An empty source has an empty output. Calls
// `progress` with the number of pairs that are done, now and then; it may throw.
ExactMatches exact_matches(const SequenceModel& model, const Tokenizer& tokenizer,
                           const std::vector<TextPair>& pairs, BeamOptions options = kGreedy,
                           const std::function<void(Index pairs)>& progress = {});

}  // namespace attn
