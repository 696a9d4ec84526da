#include "model/parameter_shapes.h"

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

}  // namespace attn
