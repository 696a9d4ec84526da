#include "layers/parameter.h"

#include <cmath>

#include "base/random.h"

namespace attn {

void initialise(const std::string& name, Parameter& parameter, std::uint64_t seed) {
  Tensor& w = parameter.value;
  const RandomStream random{seed, hash(name)};
  const double limit = std::sqrt(6.0 / static_cast<double>(w.rows() + w.cols()));
  for (Index i = 0; i < w.elements(); ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    double value = 0;
    switch (parameter.start) {
      case Parameter::Start::zeros:
        break;
      case Parameter::Start::ones:
        value = 1;
        break;
      case Parameter::Start::glorot:
        value = limit * (2 * random.uniform(index) - 1);
        break;
      case Parameter::Start::normal:
        value = parameter.deviation * random.normal(index);
        break;
    }
    w[i] = static_cast<Real>(value);
  }
}

}  // namespace attn
