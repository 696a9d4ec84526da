// w ← w − rate · m̂/(√v̂ + ε)
#include "training/adam.h"

#include <cmath>

#include "base/parallel.h"
#include "kernels/vector.h"

namespace attn {
inline namespace ATTN_PRECISION {

void Adam::update(SequenceModel& model, Index step, double rate, double gradient_scale) {
  // m and v start at 0, which pulls them towards 0 in the first steps: after t steps the weights of
  // the mean add up to 1 − βᵗ. Dividing by that undoes it.
  const double t = static_cast<double>(step);
  AdamStep constants;
  constants.rate = static_cast<Real>(rate);
  constants.beta1 = static_cast<Real>(kBeta1);
  constants.beta2 = static_cast<Real>(kBeta2);
  constants.epsilon = static_cast<Real>(kEpsilon);
  constants.correction1 = static_cast<Real>(1 / (1 - std::pow(kBeta1, t)));
  constants.correction2 = static_cast<Real>(1 / (1 - std::pow(kBeta2, t)));
  constants.gradient_scale = static_cast<Real>(gradient_scale);

  model.visit_parameters([&](const std::string& name, Parameter& parameter) {
    Moments& moment = moments[name];
    if (moment.m.empty()) {
      moment.m = Tensor::zeros(parameter.value.shape());
      moment.v = Tensor::zeros(parameter.value.shape());
    }
    parallel_ranges(parameter.value.elements(), 1 << 14, [&](Index begin, Index end) {
      vector_adam(end - begin, constants, parameter.gradient.data() + begin,
                  parameter.value.data() + begin, moment.m.data() + begin, moment.v.data() + begin);
    });
  });
}

}  // namespace ATTN_PRECISION
}  // namespace attn
