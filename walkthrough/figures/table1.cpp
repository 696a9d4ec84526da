// Table 1 (§4): what the layers do, counted while this is drawn.
#include "lab/experiments/table1.h"

#include "figures.h"

namespace attn::walkthrough {

Svg table1_work() {
  const Table1Grid grid{{16, 32, 64, 128, 256, 512, 1024}, {128}, {}, {}, {}};
  Svg svg = table1_work_chart(grid, run_in_memory(table1_work(grid, false)), "multiply_adds",
                              "Multiply-adds of a layer forward");
  svg.description =
      "Twelve kinds of layers against the length, from 16 to 1024 positions, both axes "
      "logarithmic. "
      "The recurrent, convolutional and restricted layers are nearly parallel straight lines, from "
      "the LSTM down to bare restricted attention. Attention rises more steeply: the whole layer "
      "crosses the LSTM near 256 positions, bare attention near 512. Highest is an encoder layer, "
      "attention with its feed-forward network; a separable convolution over whole sentences stays "
      "below a third of it.";
  return svg;
}

Svg table1_paths() {
  const Table1Grid grid{{}, {}, {4, 8, 16, 32, 64}, {}, {}};
  Svg svg = table1_depth_chart(grid, run_in_memory(table1_depth(grid)), "path",
                               "Maximum path length, in layers (recurrent: in positions)");
  svg.description =
      "Twelve kinds of layers against the length, from 4 to 64 positions, both axes logarithmic. "
      "With attention, and a separable convolution over whole sentences, the path is 1 at any "
      "length. It rises with the length in recurrent layers, "
      "contiguous and separable convolutions, and at a quarter of that in restricted attention; "
      "dilated and strided convolutions go from 2 to 4.";
  return svg;
}

}  // namespace attn::walkthrough
