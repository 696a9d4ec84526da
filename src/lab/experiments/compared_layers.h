// The kinds of layers that the paper's Table 1 compares (§4), as this library has them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/experiments/work.h"

namespace attn {

inline constexpr Index kTable1Heads = 8;
// The width at which steps and paths are found, which do not depend on it.
inline constexpr Index kDepthWidth = 8;

// What a layer is made for.
struct LayerSize {
  Index d, n;
  Index window;     // k of a convolution, r of restricted attention
  Index level = 0;  // in a stack: dilation grows with it
};

struct ComparedLayer {
  std::string name;
  Index window;            // the usual width of its windows; 0 if it has none
  std::string complexity;  // as Table 1 has it: "n²·d"
  double (*formula)(double n, double d, double window);  // the same
  std::string products;  // all multiply-adds of its equations: "2n²d + 4nd²"
  std::string path;      // its maximum path length: "log_k(n)"
  std::function<LayerFunction(const LayerSize&)> make;
  // How many layers (in a recurrent layer, positions) it takes until all outputs depend on the n
  // inputs, or on those that they may see.
  std::function<Index(const LayerSize&)> measure_path;
};

// "Bare" attention is what the table counts: queries, keys and values are x itself. The others have
// their projections, and the heads.
const std::vector<ComparedLayer>& compared_layers();
// Throws Error, with the names that there are, for another one.
const ComparedLayer& compared_layer(const std::string& name);

}  // namespace attn
