#include "training/make_model.h"

#include "model/transformer.h"

namespace attn {

std::unique_ptr<SequenceModel> make_model(const Settings& settings, const std::string& where,
                                          Index most_weights) {
  const auto architecture = settings.find("architecture");
  ATTN_CHECK(architecture != settings.end(), where, ": the setting 'architecture' is missing");
  if (architecture->second == "transformer") {
    const Config config = config_from_settings(settings, where);
    ATTN_CHECK(parameter_count(config) <= most_weights, where, ": the configuration asks for ",
               parameter_count(config), " weights, but there are only ", most_weights);
    return std::make_unique<Transformer>(config);
  }
  fail(where, ": unknown architecture '", architecture->second, "'; there is: transformer");
}

}  // namespace attn
