#include "layers/parameter.h"

#include <cmath>

#include "base/random.h"

namespace attn {

void check_gradient(const Parameter& parameter) {
  ATTN_CHECK(parameter.gradient.shape() == parameter.value.shape(), "a parameter of shape ",
             to_string(parameter.value.shape()), " has a gradient of shape ",
             to_string(parameter.gradient.shape()), ": call zero_gradients before the first ",
             "backward pass");
}

void initialise(const std::string& name, Parameter& parameter, std::uint64_t seed) {
  Tensor& w = parameter.value;
  const RandomStream random{seed, hash(name)};
  const double limit = std::sqrt(6.0 / to_double(w.rows() + w.cols()));
  for (Index i = 0; i < w.elements(); ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    double value = parameter.start == Parameter::Start::ones ? 1 : 0;
    if (parameter.start == Parameter::Start::glorot) {
      value = parameter.scale * limit * (2 * random.uniform(index) - 1);
    } else if (parameter.start == Parameter::Start::normal) {
      value = parameter.scale * random.normal(index);
    } else if (parameter.start == Parameter::Start::given) {
      value = static_cast<double>(parameter.given[i]);
    }
    w[i] = static_cast<Real>(value);
  }
}

}  // namespace attn
