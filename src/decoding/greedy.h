// Greedy decoding: at each step the most probable token, until <eos>.
#pragma once

#include <functional>
#include <vector>

#include "decoding/next_token.h"
#include "model/sequence_model.h"

namespace attn {

// For each source sentence (ending in <eos>) its output, without <bos> and <eos>. A sentence's
// output does not depend on the others. each_step is called at each step; it may throw. Throws
// Error if the model's probabilities are not numbers.
std::vector<std::vector<int>> decode_greedily(const SequenceModel& model, const PackedIds& source,
                                              const BeamOptions& options = kGreedy,
                                              const std::function<void()>& each_step = {});

}  // namespace attn
