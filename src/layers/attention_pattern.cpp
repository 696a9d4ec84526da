#include "layers/attention_pattern.h"

#include <algorithm>

#include "base/check.h"

namespace attn {

Index AttentionPattern::weight_count() const {
  Index sum = 0;
  for (const Sentence& sentence : sentences) sum += sentence.weight_count();
  return sum;
}

const KeyValues& AttentionPattern::append_to_past(const KeyValues& new_ones) const {
  if (past == nullptr) return new_ones;
  if (new_ones.K.rows() == 0) return *past;
  for (const Sentence& sentence : sentences) {
    // The new tokens are also the queries.
    const Index from = sentence.queries.begin, count = sentence.queries.count();
    const Index to = sentence.keys.end - count;
    std::copy_n(new_ones.K.row(from), count * new_ones.K.cols(), past->K.row(to));
    std::copy_n(new_ones.V.row(from), count * new_ones.V.cols(), past->V.row(to));
  }
  return *past;
}

AttentionPattern sentence_by_sentence(const Offsets& x, const Offsets& memory, Mask mask) {
  check_offsets(x, x.empty() ? 0 : x.back());
  check_offsets(memory, memory.empty() ? 0 : memory.back());
  ATTN_CHECK_EQ(x.size(), memory.size(), "sentences of x and memory");
  AttentionPattern pattern;
  pattern.mask = mask;
  pattern.query_positions = positions_in(x);
  pattern.key_positions = positions_in(memory);
  for (std::size_t b = 0; b + 1 < x.size(); ++b) {
    pattern.sentences.push_back({{x[b], x[b + 1]}, {memory[b], memory[b + 1]}});
  }
  return pattern;
}

}  // namespace attn
