// Parameter: weights and their gradient. Layers hold them, models visit them by dotted name
// ("encoder.0.self_attention.query.weight"), and everything that treats all weights alike (the
// optimizer, files, averaging, inspection) is written over that one visit.
#pragma once

#include <functional>
#include <string>

#include "tensor/tensor.h"

namespace attn {

struct Parameter {
  // Initial values. The paper does not say how its weights were initialised.
  // glorot: uniform in ±scale √(6/(rows + cols)) (Glorot & Bengio 2010). normal: N(0, scale²).
  // forget_gate: of the biases of an LSTM's four gates, 1 for the second, so that it begins more
  // open than closed (Gers et al. 2000, Jozefowicz et al. 2015), and 0 for the others.
  enum class Start { zeros, ones, glorot, normal, forget_gate };

  Tensor value;
  Tensor gradient;  // like value once zero_gradients was called; empty in a model that only decodes
  Start start = Start::zeros;
  double scale = 1;

  Parameter() = default;
  Parameter(const Shape& shape, Start how, double start_scale = 1)
      : value(Tensor::zeros(shape)), start(how), scale(start_scale) {}
};

using ParameterVisitor = std::function<void(const std::string& name, Parameter& parameter)>;

// For backward passes, which add to gradients: throws Error unless there is room for this one.
void check_gradient(const Parameter& parameter);

// Fills one parameter as its `start` says. The numbers depend on the seed and on its name, not on
// how many other parameters there are.
void initialise(const std::string& name, Parameter& parameter, std::uint64_t seed);

}  // namespace attn
