// The kinds of layers that the paper's Table 1 compares (§4), as this library has them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/experiments/work.h"

namespace attn {

inline constexpr Index kTable1Heads = 8;
inline constexpr Index kTable1Kernel = 3;  // k, of convolutions
inline constexpr Index kTable1Window = 9;  // r, of restricted attention
// The width at which steps and paths are found, which do not depend on it.
inline constexpr Index kDepthWidth = 8;

struct ComparedLayer {
  std::string name;
  std::string complexity;             // as Table 1 has it: "n²·d"
  double (*formula)(double, double);  // the same as a function of n and d
  std::string products;               // all multiply-adds of its equations: "2n²d + 4nd²"
  std::string path;                   // its maximum path length: "log_k(n)"
  // A layer of width d for level `level` of a stack: dilation grows with it.
  std::function<LayerFunction(Index d, Index level)> make;
  // How many layers (in a recurrent layer, positions) it takes until all of n outputs depend on the
  // inputs that they may see.
  std::function<Index(Index n)> measure_path;
};

// "Bare" attention is what the table counts: queries, keys and values are x itself. The others have
// their projections, and the heads.
const std::vector<ComparedLayer>& compared_layers();
// Throws Error, with the names that there are, for another one.
const ComparedLayer& compared_layer(const std::string& name);

}  // namespace attn
