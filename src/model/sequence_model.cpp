// Everything that is done to all parameters is a visitor.
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

}  // namespace attn
