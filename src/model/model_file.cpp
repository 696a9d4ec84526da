// A file is not trusted: before a tensor becomes a weight, its shape and its numbers are checked,
// and before a model is made, so is the number of weights that the file holds.
#include "model/model_file.h"

#include <utility>

namespace attn {

constexpr const char* kFormat = "attention 1";

void put(Metadata& metadata, const std::string& prefix, const Settings& settings) {
  for (const auto& [name, value] : settings) metadata[prefix + name] = value;
}

Settings take(const Metadata& metadata, const std::string& prefix) {
  Settings settings;
  for (const auto& [name, value] : metadata) {
    if (name.compare(0, prefix.size(), prefix) == 0) settings[name.substr(prefix.size())] = value;
  }
  return settings;
}

const std::string& value_of(const Metadata& metadata, const std::string& key,
                            const std::string& where) {
  const auto found = metadata.find(key);
  ATTN_CHECK(found != metadata.end(), where, ": the metadata lacks '", key,
             "'; is this a file of a run of this program?");
  return found->second;
}

std::vector<NamedTensor> weights_of(const SequenceModel& model) {
  std::vector<NamedTensor> weights;
  read_parameters(model, [&](const std::string& name, const Parameter& p) {
    ATTN_CHECK_CONVERGED(
        is_finite(p.value), "the weights '", name,
        "' are not finite numbers: training has diverged; what was saved before is kept");
    weights.push_back({name, &p.value});
  });
  return weights;
}

Metadata model_metadata(const SequenceModel& model) {
  Metadata metadata{{"format", kFormat}};
  put(metadata, "config.", model.facts.settings);
  return metadata;
}

Tensor take_tensor(TensorFile& file, const std::string& name, const Shape& shape,
                   const std::string& where) {
  const auto found = file.tensors.find(name);
  ATTN_CHECK(found != file.tensors.end(), where, ": the tensor '", name, "' is missing");
  ATTN_CHECK(found->second.shape() == shape, where, ": the tensor '", name, "' has the shape ",
             to_string(found->second.shape()), ", expected ", to_string(shape));
  ATTN_CHECK(is_finite(found->second), where, ": the tensor '", name,
             "' holds numbers that are not finite");
  Tensor tensor = std::move(found->second);
  file.tensors.erase(found);
  return tensor;
}

void check_all_taken(const TensorFile& file, const std::string& where) {
  ATTN_CHECK(file.tensors.empty(), where, ": the tensor '", file.tensors.begin()->first,
             "' belongs to no part of the model");
}

std::unique_ptr<SequenceModel> take_model(TensorFile& file, const std::string& where,
                                          PlanModel* plan) {
  const auto format = file.metadata.find("format");
  ATTN_CHECK(format != file.metadata.end() && format->second != "pt", where,
             " is not a model of this program; PyTorch's weights have to be imported");
  ATTN_CHECK(format->second == kFormat, where, ": the format is '", format->second, "', expected '",
             kFormat, "'");
  // A damaged configuration must not take memory for weights that the file does not hold, nor for
  // layers, each of which takes a few kilobytes whatever its size. (If only some weights are
  // missing, take_tensor says which.)
  Index stored = 0;
  for (const auto& [name, tensor] : file.tensors) stored += tensor.elements();
  auto model = make_model(take(file.metadata, "config."), where, plan, 2 * stored + 1000);
  model->visit_parameters([&](const std::string& name, Parameter& p) {
    p.value = take_tensor(file, name, p.value.shape(), where);
  });
  return model;
}

}  // namespace attn
