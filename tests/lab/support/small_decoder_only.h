// Small decoder-only models, and texts for them.
#pragma once

#include <string>
#include <vector>

#include "lab/language/decoder_only.h"
#include "support/small_models.h"

namespace attn::test {

struct SmallDecoderOnly {
  std::string name;
  DecoderOnlyConfig config;
};

// The same options × loss on the target/on all.
inline std::vector<SmallDecoderOnly> small_decoder_only_models(
    const std::vector<SmallModel>& like = small_models()) {
  std::vector<SmallDecoderOnly> models;
  for (SmallModel small : like) {
    small.config.target_vocabulary = small.config.source_vocabulary;
    small.config.max_positions *= 2;  // for both sides
    for (const bool all : {false, true}) {
      models.push_back({small.name + (all ? ", loss on all" : ", loss on the target"),
                        DecoderOnlyConfig{small.config, all}});
    }
  }
  return models;
}

inline DecoderOnly random_model(const DecoderOnlyConfig& config, std::uint64_t seed = 1) {
  return model_with_random_parameters<DecoderOnly>(config, seed);
}

// The pairs of small_batch without sources: three texts, of 4, 2 and 6 tokens.
inline Batch small_texts() {
  Batch batch;
  for (const std::vector<int>& text : {std::vector<int>{1, 4, 9, 2}, {1, 2}, {1, 3, 3, 5, 10, 2}}) {
    batch.append({}, text);
  }
  return batch;
}

}  // namespace attn::test
