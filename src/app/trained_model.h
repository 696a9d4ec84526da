// What commands that read a trained model have in common.
#pragma once

#include <string>

#include "base/settings.h"
#include "storage/json.h"
#include "training/run_directory.h"

namespace attn::app {

// Tokens of the batches in which sentences are read; what comes out does not depend on it.
constexpr Index kTokensAtOnce = 4096;

// Throws Error, which begins with `where`, if the model cannot read a sentence of that many tokens
// (its <eos> or <bos> included).
void check_length(const SequenceModel& model, Index tokens, const std::string& where);

// {"d_model": 512, "norm": "post", "tie_embeddings": true, …}
Json settings_json(const Settings& settings);

}  // namespace attn::app
