// Packed sequences: the tokens of several sentences back to back, without padding. Sentence b is
// tokens offsets[b] to offsets[b + 1] - 1. Everything position-wise sees one long list of T tokens;
// only attention and positional encodings need to know where a sentence begins.
#pragma once

#include <limits>
#include <vector>

#include "base/real.h"

namespace attn {

// The length of the longest sentence where there is no limit.
constexpr Index kAnyLength = std::numeric_limits<Index>::max();

using Offsets = std::vector<Index>;  // [B + 1], ascending, from 0 to T
// Throws Error unless the offsets are those of sentences with this many rows in all.
void check_offsets(const Offsets& offsets, Index rows);
// [T]: the position of each token in its sentence, from 0.
std::vector<Index> positions_in(const Offsets& offsets);

struct PackedIds {
  std::vector<int> ids;  // [T]
  Offsets offsets{0};    // [B + 1]

  Index tokens() const { return ids.size(); }
  Index sentences() const { return offsets.size() - 1; }
  void append(const std::vector<int>& sentence) {
    ids.insert(ids.end(), sentence.begin(), sentence.end());
    offsets.push_back(tokens());
  }
};

// One sentence.
inline PackedIds packed(const std::vector<int>& sentence) {
  return {sentence, {0, static_cast<Index>(sentence.size())}};
}

}  // namespace attn
