// The parameters are listed once, and shown as text or as JSON.
#include "lab/figures/model_summary.h"

#include "base/format.h"
#include "storage/safetensors.h"

namespace attn {

std::vector<ParameterShape> parameter_shapes(const SequenceModel& model) {
  std::vector<ParameterShape> shapes;
  read_parameters(model, [&](const std::string& name, const Parameter& parameter) {
    shapes.push_back({name, parameter.value.shape()});
  });
  return shapes;
}

std::vector<PartCount> count_by_part(const std::vector<ParameterShape>& parameters) {
  std::vector<PartCount> counts{{"embeddings", 0}, {"encoder", 0}, {"decoder", 0}, {"all", 0}};
  for (const ParameterShape& parameter : parameters) {
    const std::string first = parameter.name.substr(0, parameter.name.find('.'));
    const bool stack = first == "encoder" || first == "decoder";
    for (PartCount& count : counts) {
      if (count.part == (stack ? first : "embeddings") || count.part == "all") {
        count.count += parameter.shape.elements();
      }
    }
  }
  return counts;
}

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
