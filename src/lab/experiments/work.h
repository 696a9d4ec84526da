// What a piece of the library does when it runs, found by watching it.
#pragma once

#include <functional>
#include <memory>

#include "base/real.h"
#include "tensor/tensor.h"

namespace attn {

// A layer as a function of x [n, d]: y [n, d], and what its backward pass would need.
struct LayerRun {
  Tensor y;
  std::shared_ptr<void> kept;
};
using LayerFunction = std::function<LayerRun(const Tensor& x)>;

struct Work {
  Index multiply_adds = 0;  // in products of matrices and vectors
  Index exponentials = 0;
  Index kept = 0;  // bytes that the backward pass needs in addition to x and y
  Index peak = 0;  // bytes of all tensors while it runs, y included and x not
};
// Runs the layer once and counts.
Work work_of(const LayerFunction& layer, const Tensor& x);

// The longest chain of products in which each needs the result of the one before: the steps that no
// number of processors can take at once. Which product needs which is found by poisoning: work() is
// run once for each product, whose result is overwritten by NaN, and every later product that finds
// a NaN among its factors needed it. For P products this takes P + 1 runs.
Index longest_chain(const std::function<void()>& work);

// How many layers, one on top of the other, it takes until each of n outputs (fewer, if layers
// shorten their input) depends on all n inputs or, if causal, on those up to its own. layers(i)
// makes number i. Dependence is found by poisoning an input with NaN. Throws Error if n layers are
// not enough.
Index layers_to_connect(const std::function<LayerFunction(Index)>& layers, Index n, Index d,
                        bool causal = false);

// x [rows, cols], standard normal, the same at every call.
Tensor random_input(Index rows, Index cols);

}  // namespace attn
