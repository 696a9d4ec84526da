// What a model learns from: sentence pairs as packed ids.
#pragma once

#include <vector>

#include "base/check.h"
#include "tensor/packed.h"

namespace attn {

// B sentence pairs, ready for teacher forcing: the decoder reads a target without its last token
// and is scored on the same target without its first (Figure 1: "shifted right").
struct Batch {
  PackedIds source;                // each sentence ends in <eos>
  PackedIds target_input;          // <bos> y1 … yn
  std::vector<int> target_output;  // y1 … yn <eos>, packed like target_input

  // source: ids as the encoder reads them. target: n ≥ 2 ids, of which the first n − 1 are read and
  // the last n − 1 are to be predicted. Fewer are an error.
  void append(const std::vector<int>& source_ids, const std::vector<int>& target_ids) {
    ATTN_CHECK(target_ids.size() >= 2, "a target has at least 2 tokens, <bos> and <eos>, not ",
               target_ids.size());
    source.append(source_ids);
    target_input.append({target_ids.begin(), target_ids.end() - 1});
    target_output.insert(target_output.end(), target_ids.begin() + 1, target_ids.end());
  }
};

}  // namespace attn
