// A parameter's name begins with the part that it belongs to.
#include "app/drawing/model_summary.h"

#include "base/printing.h"
#include "storage/safetensors.h"
#include "trace/settings_json.h"

namespace attn {

static Settings configuration_of(const SequenceModel& model, Index context) {
  Settings configuration = model.settings();
  if (context > 0) configuration["context"] = std::to_string(context);
  return configuration;
}

Json model_json(const SequenceModel& model, Index context) {
  Json parameters = Json::array();
  Index embeddings = 0, encoder = 0, decoder = 0;
  read_parameters(model, [&](const std::string& name, const Parameter& parameter) {
    const Index count = parameter.value.elements();
    parameters.add(Json::object(
        {{"name", name}, {"shape", sizes_json(parameter.value.shape())}, {"count", count}}));
    const std::string part = name.substr(0, name.find('.'));
    (part == "encoder" ? encoder : part == "decoder" ? decoder : embeddings) += count;
  });
  Json totals = Json::object({{"embeddings", embeddings}});
  if (encoder > 0) totals.add("encoder", encoder);
  totals.add("decoder", decoder);
  totals.add("all", embeddings + encoder + decoder);
  return Json::object({{"configuration", settings_json(configuration_of(model, context))},
                       {"parameters", parameters},
                       {"totals", totals}});
}

std::string model_text(const SequenceModel& model, Index context) {
  std::string result = "configuration\n";
  for (const auto& [name, value] : configuration_of(model, context)) {
    result += "  " + padded(name, 20) + value + '\n';
  }
  std::vector<std::vector<std::string>> rows{{}, {"parameters"}};
  read_parameters(model, [&](const std::string& name, const Parameter& parameter) {
    const Shape& shape = parameter.value.shape();
    rows.push_back({"  " + name, to_string(shape), grouped(shape.elements())});
  });
  rows.insert(rows.end(), {{}, {"totals"}});
  const Json summary = model_json(model);
  for (const Json::Member& total : summary.at("totals").members()) {
    rows.push_back({"  " + total.key, "", grouped(static_cast<Index>(total.value.integer()))});
  }
  return result + table(rows, {0, 1});
}

}  // namespace attn
