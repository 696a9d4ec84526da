// What a model consists of: its configuration, every parameter with its shape and how many weights
// it has, and the totals.
#pragma once

#include <string>

#include "model/sequence_model.h"
#include "storage/json.h"

namespace attn {

std::string model_text(const SequenceModel& model);
Json model_json(const SequenceModel& model);

}  // namespace attn
