#include "layers/attention_pattern.h"

#include "base/check.h"

namespace attn {

Index AttentionPattern::weights() const {
  Index sum = 0;
  for (const Sentence& sentence : sentences) sum += sentence.weights();
  return sum;
}

AttentionPattern sentence_by_sentence(const Offsets& x, const Offsets& memory, Mask mask) {
  check_offsets(x, x.empty() ? 0 : x.back());
  check_offsets(memory, memory.empty() ? 0 : memory.back());
  ATTN_CHECK_EQ(x.size(), memory.size(), "sentences of x and memory");
  AttentionPattern pattern{mask, {}, positions_in(x), positions_in(memory), nullptr};
  for (std::size_t b = 0; b + 1 < x.size(); ++b) {
    pattern.sentences.push_back({{x[b], x[b + 1]}, {memory[b], memory[b + 1]}});
  }
  return pattern;
}

}  // namespace attn
