// Translations of a given length, by the search that `translate` runs, measured.
#pragma once

#include "lab/benchmark/machine.h"
#include "model/sequence_model.h"

namespace attn {

// What is measured: `batch` random sentences of source_length tokens are translated together into
// `tokens` tokens each.
struct Decoding {
  Index batch = 1, beam = 1, source_length = 32, tokens = 32;
};

// Translates them once.
void decode(const SequenceModel& model, const Decoding& decoding, const PackedIds& sources);

// Counts the products with weights, and the weights read: once per step, whatever the batch.
Speed measure_decoding(const SequenceModel& model, const Decoding& decoding,
                       const Patience& patience);

}  // namespace attn
