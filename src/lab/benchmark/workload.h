// What benchmarks run: the presets with vocabularies of the usual size, and batches of random
// tokens.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/batch.h"
#include "model/config.h"

namespace attn {

// The paper's (§5.1) for base and big, the most that `train text` has for small, that of the toy
// tasks for tiny.
Index usual_vocabulary(const std::string& preset_name);
// A preset with its usual vocabulary. Throws Error if there is none of that name.
TransformerConfig measured_preset(const std::string& name);

// A sentence pair: how many tokens the encoder reads (0: it is plain text), and how many the
// decoder reads and predicts.
struct PairLengths {
  Index source, target;
};
constexpr Index kLongestLength = 1 << 16;

// The pairs of a file: two lengths per line. Throws Error, naming the line, for anything else.
std::vector<PairLengths> read_lengths(const std::string& file);

// Batch number `index`: the next `sentences` of the pairs, starting again at the first after the
// last. Their tokens are random and depend on the index.
Batch random_batch(Index vocabulary, const std::vector<PairLengths>& lengths, Index sentences,
                   std::uint64_t index);
// Sentences to translate, of `length` tokens each: random ones and <eos>.
PackedIds random_sources(Index vocabulary, Index sentences, Index length);

}  // namespace attn
