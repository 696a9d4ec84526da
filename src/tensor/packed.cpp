// 0 = offsets[0] ≤ offsets[1] ≤ … ≤ offsets[B] = T
#include "tensor/packed.h"

#include "base/check.h"

namespace attn {

void check_offsets(const Offsets& offsets, Index rows) {
  ATTN_CHECK(!offsets.empty() && offsets.front() == 0, "the offsets of sentences begin with 0, ",
             offsets.empty() ? "but there are none" : text("not ", offsets.front()));
  for (std::size_t b = 1; b < offsets.size(); ++b) {
    ATTN_CHECK(offsets[b - 1] <= offsets[b], "the offsets of sentences ascend, but ", offsets[b],
               " follows ", offsets[b - 1]);
  }
  ATTN_CHECK(offsets.back() == rows, "the offsets of sentences end with the number of their rows, ",
             rows, ", not ", offsets.back());
}

std::vector<Index> positions_in(const Offsets& offsets) {
  std::vector<Index> positions;
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    for (Index t = offsets[b]; t < offsets[b + 1]; ++t) positions.push_back(t - offsets[b]);
  }
  return positions;
}

}  // namespace attn
