// The matrix products of a training step, from the shapes of a model and of a batch. They are
// nearly all that a step computes, so they are also what its floating-point operations are counted
// from.
#pragma once

#include <string>
#include <vector>

#include "model/config.h"
#include "tensor/packed.h"

namespace attn::app {

// C [m, n] = A [m, k] B [k, n]. NN: both as they are in memory; NT: B is there as [n, k]; TN: A is
// there as [k, m].
struct Product {
  enum class Kind { NN, NT, TN };
  std::string what;
  Kind kind;
  Index m, n, k;
  bool backward = false;
  Index count = 1;  // how many a step has
  // Attention's are many small ones, one for each head of each sentence, and each is computed by
  // one thread. Of the others, all threads compute one at a time.
  bool per_head = false;

  double operations() const {  // 2 m n k, of one
    return 2 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }
};
const char* to_string(Product::Kind kind);

// The products of one layer, forward and backward.
std::vector<Product> attention_products(const Config& config, const Offsets& x,
                                        const Offsets& memory);
std::vector<Product> feed_forward_products(const Config& config, Index tokens);
std::vector<Product> output_products(const Config& config, Index tokens);
// Of a whole step. What occurs several times is there once, with its count.
std::vector<Product> step_products(const Config& config, const Batch& batch);

// Σ count · 2 m n k: of all, or of the forward or the backward pass.
double operations(const std::vector<Product>& products);
double operations(const std::vector<Product>& products, bool backward);

}  // namespace attn::app
