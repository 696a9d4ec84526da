#include "model/sequence_model.h"

namespace attn {

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

Index count_parameters(SequenceModel& model) {
  Index count = 0;
  model.visit_parameters([&](const std::string&, Parameter& p) { count += p.value.elements(); });
  return count;
}

}  // namespace attn
