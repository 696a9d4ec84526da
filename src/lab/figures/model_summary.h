// What a model consists of: its configuration, every parameter with its shape and how many weights
// it has, and the totals: of the embeddings (all that is outside the stacks), the encoder, the
// decoder, and all together.
#pragma once

#include <string>

#include "model/sequence_model.h"
#include "storage/json.h"

namespace attn {

Json model_json(const SequenceModel& model);
std::string model_text(const SequenceModel& model);

}  // namespace attn
