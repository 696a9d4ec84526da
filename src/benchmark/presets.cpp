#include "benchmark/presets.h"

#include "training/defaults.h"

namespace attn {

Index usual_vocabulary(const std::string& preset_name) {
  return preset_name == "tiny" ? 29 : preset_name == "small" ? kDefaultVocabulary : 37000;
}

TransformerConfig measured_preset(const std::string& name) {
  TransformerConfig config = preset(name);
  config.source_vocabulary = config.target_vocabulary = usual_vocabulary(name);
  return config;
}

}  // namespace attn
