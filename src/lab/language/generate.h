// A language model writes: each token is drawn from what the model expects after those before it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.h"
#include "lab/language/sampling.h"
#include "model/sequence_model.h"

namespace attn {

struct GenerateOptions {
  SamplingOptions sampling;
  Index tokens = 500;   // to write
  Index context = 256;  // the most tokens that the model reads at a time
  std::uint64_t seed = 1;
};

// No text is made of <unk> and <bos>: in the logits [1, V] of the next token they become −∞.
void forbid_special_tokens(Tensor& logits);
// Its number i, uniform in [0, 1), draws token i of those that are written.
RandomStream drawing_stream(std::uint64_t seed);

// Continues a text of at least one token, and passes each new token to `write` at once. The same
// seed writes the same tokens. Of a longer text the model reads the last `context` tokens. Whenever
// it has read that many, it forgets the first half and reads the second again at positions 0, 1, …,
// with the token that followed, because it has learned what follows at these only. Throws Error as
// sampling_distribution does.
void generate(const SequenceModel& model, const std::vector<int>& text,
              const GenerateOptions& options, const std::function<void(int token)>& write);

}  // namespace attn
