// Measures translations of a given length, made by the search that `translate` runs.
#pragma once

#include "lab/benchmark/machine.h"
#include "model/sequence_model.h"
#include "storage/json.h"

namespace attn {

// What is measured: `batch` random sentences of source_length tokens are translated together into
// `tokens` tokens each.
struct Decoding {
  Index batch = 1, beam = 1, source_length = 32, tokens = 32;
};

// Translates them once.
void decode(const SequenceModel& model, const Decoding& decoding, const PackedIds& sources);

// Counts the products with weights, and the weights read: once per step, whatever the batch. Gives
// what is measured, "seconds", "tokens_per_second", "gflops", "weights_gbytes_per_second", the
// "limit" and the "share_of_limit".
Json measure_decoding(const SequenceModel& model, const Decoding& decoding,
                      const Patience& patience);

}  // namespace attn
