// Tensors of random numbers, and a few sums over tensors, for tests.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "layers/parameter.h"
#include "support/compare.h"
#include "tensor/matrix_view.h"

namespace attn::test {

// Normal numbers with the given standard deviation; another seed gives others.
inline Tensor random_tensor(const Shape& shape, std::uint64_t seed, double deviation = 1) {
  Tensor x = Tensor::zeros(shape);
  const RandomStream random{seed, 77};
  for (Index i = 0; i < x.elements(); ++i) {
    x[i] = static_cast<Real>(deviation * random.normal(static_cast<std::uint64_t>(i)));
  }
  return x;
}

inline Tensor tensor_of(const Shape& shape, const std::vector<double>& numbers) {
  Tensor x = Tensor::zeros(shape);
  for (Index i = 0; i < x.elements(); ++i) {
    x[i] = static_cast<Real>(numbers.at(i));
  }
  return x;
}

inline Tensor transposed_copy(const Tensor& x) {
  return copy_of(transposed(x));
}

inline Tensor sum_of(Tensor a, const Tensor& b) {
  add(b, a);
  return a;
}

// Σ w ⊙ y: a scalar whose gradient with respect to y is w.
inline double weighted_sum(const Tensor& w, const Tensor& y) {
  ATTN_CHECK_EQ(w.elements(), y.elements(), "weighted sum");
  double sum = 0;
  for (Index i = 0; i < y.elements(); ++i) {
    sum += static_cast<double>(w.data()[i]) * static_cast<double>(y.data()[i]);
  }
  return sum;
}

// Whether both have the same shape and the same bits, and none of their numbers is a NaN.
inline bool same(const Tensor& a, const Tensor& b) {
  return same_bits(a, b) && is_finite(a);
}

// Every parameter of a layer: random numbers (biases and β too, γ around 1), gradients 0.
template <class Layer>
void randomise(Layer& layer, std::uint64_t seed, double deviation = 0.5) {
  layer.visit("layer", [&](const std::string& name, Parameter& p) {
    p.value = random_tensor(p.value.shape(), mix(seed, hash(name)), deviation);
    if (p.start == Parameter::Start::ones) {
      for (Index i = 0; i < p.value.elements(); ++i) p.value[i] += 1;
    }
    p.gradient = Tensor::zeros(p.value.shape());
  });
}

}  // namespace attn::test
