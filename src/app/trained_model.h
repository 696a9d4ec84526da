// A model in a directory with its vocabulary, the sentences that it can read, its configuration.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "model/sequence_model.h"
#include "storage/json.h"
#include "text/vocabulary.h"

namespace attn::app {

struct TrainedModel {
  std::unique_ptr<SequenceModel> model;
  Vocabulary vocabulary;
};
TrainedModel load_trained_model(const std::string& directory);

// Tokens of the batches in which sentences are read; what comes out does not depend on it.
constexpr Index kTokensAtOnce = 4096;

// Tokens of the longest sentence that is read.
constexpr Index kLongestSentence = 4096;

// Throws Error, with `where` in front, if the model cannot read a sentence of so many tokens (its
// <eos> or <bos> included): learned positions end somewhere, and the memory for attention grows
// with the square of the length.
void check_length(const SequenceModel& model, Index tokens, const std::string& where);

// {"d_model": 512, "norm": "post", "tie_embeddings": true, …}
Json configuration_json(const Config& config);

}  // namespace attn::app
