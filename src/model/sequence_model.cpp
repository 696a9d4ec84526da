#include "model/sequence_model.h"

#include "base/format.h"
#include "base/memory.h"

namespace attn {

void read_parameters(const SequenceModel& model, const ParameterReader& reader) {
  // visit_parameters changes nothing itself, and this visitor cannot.
  const_cast<SequenceModel&>(model).visit_parameters(
      [&](const std::string& name, const Parameter& p) { reader(name, p); });
}

void initialise_parameters(SequenceModel& model, std::uint64_t seed) {
  model.visit_parameters([&](const std::string& name, Parameter& p) { initialise(name, p, seed); });
}

void zero_gradients(SequenceModel& model) {
  model.visit_parameters([](const std::string&, Parameter& p) {
    if (p.gradient.empty()) {
      p.gradient = Tensor::zeros(p.value.shape());
    } else {
      p.gradient.fill(0);
    }
  });
}

Index count_parameters(const SequenceModel& model) {
  Index count = 0;
  read_parameters(model,
                  [&](const std::string&, const Parameter& p) { count += p.value.elements(); });
  return count;
}

void check_weights_fit(Index n) {
  check_memory(static_cast<double>(n) * sizeof(Real), text("a model of ", grouped(n), " weights"),
               "choose a smaller model: fewer layers, or a smaller width or vocabulary");
}

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
