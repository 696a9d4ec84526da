// Everything that is done to all parameters is a visitor.
#include "model/sequence_model.h"

namespace attn {

void read_parameters(const SequenceModel& model, const ParameterReader& reader) {
  // visit_parameters changes nothing itself, and this visitor cannot.
  const_cast<SequenceModel&>(model).visit_parameters(
      [&](const std::string& name, const Parameter& p) { reader(name, p); });
}

std::map<std::string, Tensor> weights_by_name(const SequenceModel& model) {
  std::map<std::string, Tensor> weights;
  read_parameters(model,
                  [&](const std::string& name, const Parameter& p) { weights[name] = p.value; });
  return weights;
}

Index predicted_tokens(const SequenceModel& model, const Batch& batch) {
  const Index target = batch.target_output.size();
  return model.facts.predicts_source ? batch.source.tokens() + target : target;
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

}  // namespace attn
