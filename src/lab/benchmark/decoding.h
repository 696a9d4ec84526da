// Measures translations of a given length, made by the search that `translate` runs.
#pragma once

#include "decoding/beam_search.h"
#include "lab/benchmark/timing.h"
#include "model/sequence_model.h"
#include "storage/json.h"

namespace attn {

// Translating `batch` random sentences of source_length tokens at once into `tokens` tokens each.
struct Decoding {
  Index batch = 1, beam = 1, source_length = 32, tokens = 32;
};

// Translates them once. The model's <eos> is made impossible, so that nothing ends early.
std::vector<std::vector<Translation>> decode(const SequenceModel& model, const Decoding& decoding,
                                             const PackedIds& sources);

// Gives what is measured, "seconds" and "tokens_per_second".
Json measure_decoding(const SequenceModel& model, const Decoding& decoding,
                      const Patience& patience);

}  // namespace attn
