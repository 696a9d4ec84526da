#include "layers/attention_pattern.h"

#include "base/check.h"

namespace attn {

void AttentionPattern::add(Index query, Index queries, Index key, Index keys) {
  blocks.push_back({query, queries, key, keys, weights()});
}

Index AttentionPattern::weights() const {
  if (blocks.empty()) return 0;
  return blocks.back().first_weight + blocks.back().queries * blocks.back().keys;
}

AttentionPattern sentence_by_sentence(const Offsets& x, const Offsets& memory, Mask mask) {
  check_offsets(x, x.empty() ? 0 : x.back());
  check_offsets(memory, memory.empty() ? 0 : memory.back());
  ATTN_CHECK_EQ(x.size(), memory.size(), "sentences of x and memory");
  AttentionPattern pattern{mask, {}, positions_in(x), positions_in(memory), nullptr};
  for (std::size_t b = 0; b + 1 < x.size(); ++b) {
    pattern.add(x[b], x[b + 1] - x[b], memory[b], memory[b + 1] - memory[b]);
  }
  return pattern;
}

}  // namespace attn
