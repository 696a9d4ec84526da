// The model and the batches that `layers` and `step` measure, from the command line.
#pragma once

#include <cstdint>
#include <vector>

#include "app/options.h"
#include "model/config.h"
#include "tensor/packed.h"

namespace attn::app {

// The options of the functions below.
std::vector<OptionGroup> benchmark_model_options();

// --preset, --vocabulary (the usual one of the preset unless it is given), --layers and so on.
// Throws UsageError for what no model can be.
Config benchmark_config(const Arguments& arguments);
// The vocabulary that a preset is measured with: the paper's 37,000 (§5.1), what `train text` has
// at most, or that of the toy tasks.
Index usual_vocabulary(const std::string& preset_name);

// A sentence pair: how many tokens the encoder reads, and how many the decoder reads and predicts.
struct PairLengths {
  Index source, target;
};
// --sentences pairs of --source-length and --target-length or, with --lengths, all of that file.
std::vector<PairLengths> benchmark_lengths(const Arguments& arguments);
Index benchmark_sentences(const Arguments& arguments);

// Batch number `index`: the next `sentences` of the pairs, from the first again after the last.
// Their tokens are random and depend on the index.
Batch random_batch(const Config& config, const std::vector<PairLengths>& lengths, Index sentences,
                   std::uint64_t index);

}  // namespace attn::app
