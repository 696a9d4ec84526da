// Table 1 (§4): what the layers do, counted while this is drawn.
#include "experiments/table1.h"

#include "figures.h"

namespace attn::walkthrough {

Svg table1_work() {
  const Table1Grid grid{{16, 32, 64, 128, 256, 512, 1024}, {128}, {}, {}};
  return table1_work_chart(grid, run_in_memory(table1_work(grid, false)), "multiply_adds",
                           "Multiply-adds of a layer forward");
}

Svg table1_paths() {
  const Table1Grid grid{{}, {}, {4, 8, 16, 32, 64}, {}};
  return table1_depth_chart(grid, run_in_memory(table1_depth(grid)), "path", "Maximum path length");
}

}  // namespace attn::walkthrough
