// Each output token is the next input. Softmax does not change the order, so the largest logit is
// the most probable token.
#include "model/sequence_model.h"
#include "support/exercise.h"
#include "text/vocabulary.h"

using attn::kBos;
using attn::kEos;

std::vector<int> decode_one(const attn::SequenceModel& model, const attn::PackedIds& source,
                            std::size_t longest) {
  const auto state = model.start_decoding(source);
  std::vector<int> output;
  int token = kBos;
  while (output.size() < longest) {
    const Tensor logits = state->next_logits({token});
    token = 0;
    for (int v = 1; v < logits.cols(); ++v) {
      if (v != kBos && logits[v] > logits[token]) token = v;
    }
    if (token == kEos) break;
    output.push_back(token);
  }
  return output;
}
