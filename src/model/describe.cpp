// The parameters are listed once, and shown as text or as JSON.
#include "model/describe.h"

#include <vector>

#include "base/format.h"
#include "storage/safetensors.h"

namespace attn {

std::string model_text(const SequenceModel& model) {
  std::string result = "configuration\n";
  for (const auto& [name, value] : model.settings()) {
    result += "  " + padded(name, 20) + value + '\n';
  }
  const std::vector<ParameterShape> parameters = parameter_shapes(model);
  std::vector<std::vector<std::string>> rows{{}, {"parameters"}};
  for (const ParameterShape& parameter : parameters) {
    rows.push_back(
        {"  " + parameter.name, to_string(parameter.shape), grouped(parameter.shape.elements())});
  }
  rows.insert(rows.end(), {{}, {"totals"}});
  for (const PartCount& total : count_by_part(parameters)) {
    rows.push_back({"  " + total.part, "", grouped(total.count)});
  }
  return result + table(rows, {0, 1});
}

Json model_json(const SequenceModel& model) {
  const std::vector<ParameterShape> parameters = parameter_shapes(model);
  Json list = Json::array(), totals = Json::object();
  for (const ParameterShape& parameter : parameters) {
    list.add(Json::object({{"name", parameter.name},
                           {"shape", sizes_json(parameter.shape)},
                           {"count", parameter.shape.elements()}}));
  }
  for (const PartCount& total : count_by_part(parameters)) totals.add(total.part, total.count);
  return Json::object({{"configuration", settings_json(model.settings())},
                       {"parameters", list},
                       {"totals", totals}});
}

}  // namespace attn
