// Table 1 of the paper (§4), counted and measured: what a layer of each kind costs.
#pragma once

#include <string>
#include <vector>

#include "app/drawing/svg.h"
#include "base/real.h"
#include "lab/experiments/compared_layers.h"
#include "lab/experiments/runner.h"

namespace attn {

// The sizes at which layers are measured.
struct Table1Grid {
  std::vector<Index> n, d;        // lengths and widths: every one with every other
  std::vector<Index> depth_n;     // lengths at which steps and paths are found
  std::vector<Index> crossing_d;  // widths at which equal costs are looked for
  std::vector<Index> windows;     // k and r: each at the middle n and d, and at the last depth_n
};
// quick: small sizes, for tests. Lengths and widths go over a factor of 8, or 2 if quick.
Table1Grid table1_grid(bool quick);

// A layer of a kind forward on one sentence, a variant for each size, "LSTM n=128 d=64",
// "convolution n=256 d=128 window=5":
//   multiply_adds, exponentials   counted while it runs
//   kept, peak                    bytes (experiments/work.h)
//   seconds                       by the clock, on all threads; 0 unless timed
Experiment table1_work(const Table1Grid& grid, bool timed);
// "LSTM n=8", "convolution n=64 window=5": the longest chain of products, and the maximum path
// length.
Experiment table1_depth(const Table1Grid& grid);
// "attention LSTM d=32": the greatest n at which a layer of the first kind takes no more
// multiply-adds than one of the second; 0 if there is none.
Experiment table1_crossings(const Table1Grid& grid);

// The size in the middle, at which the others are varied.
Index middle(const std::vector<Index>& sizes);

// p in cost ~ sizeᵖ, by least squares in logarithms: of a measure of a layer, against one size at
// the middle ones of the others, and at the usual window.
enum class Size { n, d, window };
struct Exponents {
  double measured, paper;  // paper: of Table 1's formula at the same sizes
};
Exponents table1_exponents(const Table1Grid& grid, const std::vector<TrialResult>& work,
                           const std::string& layer, const std::string& measure, Size along);

// For people.
std::string table1_work_text(const Table1Grid& grid, const std::vector<TrialResult>& work);
std::string table1_time_text(const Table1Grid& grid, const std::vector<TrialResult>& work);
std::string table1_depth_text(const Table1Grid& grid, const std::vector<TrialResult>& depth);
std::string table1_crossings_text(const std::vector<TrialResult>& crossings);

// Pictures: a measure of the work against n at the middle width; one of the depth against n.
Svg table1_work_chart(const Table1Grid& grid, const std::vector<TrialResult>& work,
                      const std::string& measure, const std::string& title);
Svg table1_depth_chart(const Table1Grid& grid, const std::vector<TrialResult>& depth,
                       const std::string& measure, const std::string& title);

}  // namespace attn
