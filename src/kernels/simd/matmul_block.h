// How a product is cut up: B into blocks of panels, A into panels of rows. A block's panels are
// packed, then each panel of A is multiplied by the block, each step by any number of threads.
#pragma once

#include "kernels/matmul.h"

namespace attn {

constexpr Index kBlockDepth = 2048 / static_cast<Index>(sizeof(Real));  // rows of a block of B
constexpr Index kBlockColumns = 512;
constexpr Index kMostPanelsTogether = 16;

// Memory for packing, in numbers, aligned to a cache line; the blocks of a product share it.
constexpr Index kWorkspaceA = kBlockDepth * 2560;
constexpr Index kWorkspaceB = kBlockDepth * kBlockColumns;

struct MatmulBlock {
  Index k, depth;    // its first row in B, and its number of rows
  Index j, columns;  // its first column in B, and its number of columns
  const Real* b;     // B's row k begins at b + k * b_k, and in panel i at another i * b_panel
  Index b_k, b_panel;
  Index panel_columns;
  bool transposed;    // b holds columns, col_stride apart, to be transposed as they are read
  Index panels_of_b;  // to be packed; 0 if B is read in place
  Index first_panel_of_a, panels_of_a;
  Index together;     // how many panels of either are packed at a time, at most kMostPanelsTogether
  Index next_a_step;  // numbers of A to bring into the cache for each k of a tile
  bool first, last;   // of the blocks that use these panels of A with this k; the first packs them
};

}  // namespace attn
