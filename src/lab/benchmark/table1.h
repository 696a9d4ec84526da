// The layers of the paper's Table 1 (§4): what each computes, and how far it connects.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tensor/tensor.h"

namespace attn {

// A layer turns n vectors of width d into n others; windows are k (convolution), r (attention).
struct LayerSize {
  Index n = 256, d = 128, k = 3, r = 9;
};
constexpr Index kTable1Heads = 8;  // d must be a multiple of it

// [rows, inner] times [inner, cols], `count` times.
struct Product {
  Index rows, inner, cols;
  Index count = 1;
};

struct ComparedLayer {
  std::string name;
  std::string complexity;                          // as Table 1 has it: "n²·d"
  std::vector<Product> products;                   // all of its forward pass
  Index weights;                                   // in its matrices
  std::function<Tensor(const Tensor& x)> forward;  // x [n, d], with fresh weights
  std::function<Index()> longest_path;             // see below
};

// Throws Error for sizes that a layer cannot have.
std::vector<ComparedLayer> compared_layers(const LayerSize& size);

// Σ rows · inner · cols · count
Index multiply_adds(const ComparedLayer& layer);

// longest_path() follows a signal from the first position to the last: a NaN in the first input
// reaches, through as many layers as it takes, the last output. A recurrent layer needs no second
// layer, but hands the signal from position to position; there every state that it passes counts.

// x [rows, cols], standard normal.
Tensor random_input(Index rows, Index cols);

}  // namespace attn
