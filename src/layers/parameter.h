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
  // given: those of `given`, which has the shape of value.
  enum class Start { zeros, ones, glorot, normal, given };

  Tensor value;
  Tensor gradient;  // like value once zero_gradients was called; empty in a model that only decodes
  Start start = Start::zeros;
  double scale = 1;
  Tensor given;

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
