// What a model consists of: its configuration, every parameter with its shape and how many weights
// it has, and the totals: of the embeddings (all that is outside the stacks), the encoder, the
// decoder, and all together. context: of a language model, the tokens that it reads at a time,
// which belong to its configuration; 0 if it is none.
#pragma once

#include <string>

#include "model/sequence_model.h"
#include "storage/json.h"

namespace attn {

Json model_json(const SequenceModel& model, Index context = 0);
std::string model_text(const SequenceModel& model, Index context = 0);

}  // namespace attn
