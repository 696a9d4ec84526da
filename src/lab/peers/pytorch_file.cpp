// The tensors in a file, next to what they do not say of the model.
#include <type_traits>
#include <vector>

#include "base/check.h"
#include "lab/peers/pytorch.h"
#include "storage/safetensors.h"

namespace attn {

void write_pytorch(const std::string& path, SequenceModel& model, const Metadata& more) {
  const TensorsByName tensors = to_pytorch(model);
  std::vector<NamedTensor> named;
  for (const auto& [name, tensor] : tensors) named.push_back({name, &tensor});
  // "pt" is what other programs put there to say that the layouts are PyTorch's.
  Metadata metadata = more;
  metadata["format"] = "pt";
  for (const auto& [name, value] : model.facts.settings) metadata["config." + name] = value;
  write_safetensors(path, named, metadata);
}

template <class Model>
std::unique_ptr<Model> take_pytorch(TensorFile& file, const std::string& path, Index heads,
                                    NormPlacement norm) {
  const auto check_said = [&](const char* name, const std::string& value) {
    const auto said = file.metadata.find(std::string("config.") + name);
    if (said == file.metadata.end() || said->second == value) return;
    fail(path, ": it was exported with --", name, " ", said->second, ", not ", value);
  };
  const bool one_stack = std::is_same_v<Model, DecoderOnly>;
  check_said("architecture", one_stack ? "decoder" : "transformer");
  Settings said;  // what no tensor tells
  for (const char* name : {"dropout", "attention_dropout", "relu_dropout", "label_smoothing",
                           "tie_embeddings", "loss", "max_positions"}) {
    const auto found = file.metadata.find(std::string("config.") + name);
    if (found != file.metadata.end()) said[name] = found->second;
  }
  std::unique_ptr<Model> model;
  try {
    model = from_pytorch<Model>(std::move(file.tensors), heads, norm, said);
  } catch (const Error& error) {
    fail(path, ": ", error.what());
  }
  // The tensors do not say how many heads there are; a file that was exported here does.
  const Settings settings = model->facts.settings;
  for (const char* name : {"heads", "norm"}) check_said(name, settings.at(name));
  return model;
}

template std::unique_ptr<Transformer> take_pytorch(TensorFile&, const std::string&, Index,
                                                   NormPlacement);
template std::unique_ptr<DecoderOnly> take_pytorch(TensorFile&, const std::string&, Index,
                                                   NormPlacement);

}  // namespace attn
