// What a model consists of: its configuration, every parameter with its shape and how many weights
// it has, and the totals.
#pragma once

#include <string>
#include <vector>

#include "model/sequence_model.h"
#include "storage/json.h"

namespace attn {

struct ParameterShape {
  std::string name;
  Shape shape;
};
// In the order in which the model visits them.
std::vector<ParameterShape> parameter_shapes(const SequenceModel& model);

struct PartCount {
  std::string part;
  Index count;  // weights
};
// The embeddings (all that is outside the stacks), the encoder, the decoder, and all together.
std::vector<PartCount> count_by_part(const std::vector<ParameterShape>& parameters);

std::string model_text(const SequenceModel& model);
Json model_json(const SequenceModel& model);

}  // namespace attn
