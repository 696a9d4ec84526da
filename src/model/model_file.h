// A model in a safetensors file: its weights by name, its configuration in the metadata.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/settings.h"
#include "model/model_plan.h"
#include "model/sequence_model.h"
#include "storage/safetensors.h"

namespace attn {

// Metadata keys are "config.d_model", "training.seed", ….
void put(Metadata& metadata, const std::string& prefix, const Settings& settings);
Settings take(const Metadata& metadata, const std::string& prefix);

// The value of the key. Throws Error, saying where, if there is none.
const std::string& value_of(const Metadata& metadata, const std::string& key,
                            const std::string& where);

// The metadata of a model: the format and the configuration.
Metadata model_metadata(const SequenceModel& model);

// The weights by name. Throws Error if one of them is not a finite number.
std::vector<NamedTensor> weights_of(const SequenceModel& model);

// Moves the tensor of that name out of the file. Throws Error if it is not there in that shape,
// or not finite.
Tensor take_tensor(TensorFile& file, const std::string& name, const Shape& shape,
                   const std::string& where);
// Throws Error if something is left in the file.
void check_all_taken(const TensorFile& file, const std::string& where);

// A model of the configuration in the metadata, with the weights in the file, which are moved out
// of it. Throws Error, saying where, if they do not fit together or are not finite numbers.
std::unique_ptr<SequenceModel> take_model(TensorFile& file, const std::string& where,
                                          PlanModel* plan = plan_transformer);

}  // namespace attn
