#include "model/pytorch_file.h"

#include <vector>

#include "base/check.h"
#include "storage/safetensors.h"

namespace attn {

namespace {

// The tensors do not say how many heads there are; a file that was exported here does.
void check_metadata(const Metadata& metadata, const Settings& settings, const std::string& path) {
  for (const char* name : {"heads", "norm"}) {
    const auto said = metadata.find(std::string("config.") + name);
    if (said == metadata.end() || said->second == settings.at(name)) continue;
    fail(path, ": it was exported with --", name, " ", said->second, ", not ", settings.at(name));
  }
}

}  // namespace

void write_pytorch(const std::string& path, Transformer& model) {
  const TensorsByName tensors = to_pytorch(model);
  std::vector<NamedTensor> named;
  for (const auto& [name, tensor] : tensors) named.push_back({name, &tensor});
  // "pt" is what other programs put there to say that the layouts are PyTorch's.
  Metadata metadata{{"format", "pt"}};
  for (const auto& [name, value] : model.settings()) metadata["config." + name] = value;
  write_safetensors(path, named, metadata);
}

std::unique_ptr<Transformer> read_pytorch(const std::string& path, Index heads,
                                          NormPlacement norm) {
  const TensorFile file = read_safetensors(path);
  std::unique_ptr<Transformer> model;
  try {
    model = from_pytorch(file.tensors, heads, norm);
  } catch (const Error& error) {
    fail(path, ": ", error.what());
  }
  check_metadata(file.metadata, model->settings(), path);
  return model;
}

}  // namespace attn
